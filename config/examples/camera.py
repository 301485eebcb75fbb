#!/usr/bin/env python3
"""A process handler: a camera or a video as a picture that a view follows, in memory.

    handlers:
      camera: {kind: process, command: [./camera.py, /dev/shm/door.frame, v4l2src, device=/dev/video0], wants: []}

The words after the path are GStreamer's source; the program needs gstreamer1.0-tools and the source's plugins. A frame is
a line "XRGB8888 WIDTH HEIGHT STRIDE" and its pixels. It takes the place of the one before as a whole.
"""
import json
import os
import subprocess
import sys
import threading

WIDTH, HEIGHT, RATE = 640, 360, 25
path, source = sys.argv[1], sys.argv[2:]


def show():
    pictures = f"video/x-raw,format=BGRx,width={WIDTH},height={HEIGHT},framerate={RATE}/1"
    pipeline = [*source, "!", "videoconvert", "!", "videoscale", "!", "videorate", "!", pictures, "!", "fdsink"]
    camera = subprocess.Popen(["gst-launch-1.0", "-q", *pipeline], stdout=subprocess.PIPE)
    while True:
        frame = camera.stdout.read(WIDTH * HEIGHT * 4)
        if len(frame) < WIDTH * HEIGHT * 4:
            # The handler is started again, after a pause that grows.
            os._exit(1)
        with open(path + ".new", "wb") as file:
            file.write(f"XRGB8888 {WIDTH} {HEIGHT} {WIDTH * 4}\n".encode() + frame)
        os.replace(path + ".new", path)


for line in sys.stdin:
    if json.loads(line)["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
        threading.Thread(target=show, daemon=True).start()
