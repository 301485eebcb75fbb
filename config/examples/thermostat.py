#!/usr/bin/env python3
"""A process handler: a room that warms and cools by a tenth of a degree a second.

    handlers:
      room: {kind: process, command: [./thermostat.py, VALUE], wants: []}
"""
import json
import sys
import threading
import time

value = sys.argv[1]


def send(**message):
    print(json.dumps(message), flush=True)


def measure():
    tenths, step = 195, 1
    while True:
        send(type="set", values={value: tenths / 10})
        time.sleep(1)
        tenths += step
        if tenths in (195, 215):
            step = -step


for line in sys.stdin:
    if json.loads(line)["type"] == "hello":
        send(type="ready", protocol=1)
        threading.Thread(target=measure, daemon=True).start()
