#!/usr/bin/env python3
"""A process handler: a room that warms or cools towards the setpoint, by a tenth of a degree a second.

    handlers:
      room: {kind: process, command: [./thermostat.py, LABEL], wants: []}
"""
import json
import sys
import threading
import time

label = sys.argv[1]
setpoint = 20.0


def send(**message):
    print(json.dumps(message), flush=True)


def measure():
    tenths = 195
    while True:
        send(type="set", view=label, properties={"text": f"{tenths / 10:.1f}°"})
        time.sleep(1)
        tenths += (setpoint * 10 > tenths) - (setpoint * 10 < tenths)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send(type="ready", protocol=1)
        threading.Thread(target=measure, daemon=True).start()
    elif message["type"] == "message":
        setpoint = message["message"]["setpoint"]
