#!/usr/bin/env python3
"""A process handler: counts the presses of the buttons that name it, and shows the number in a label.

    handlers:
      counter: {kind: process, command: [./counter.py], config: {label: count}}
"""
import json
import sys


def send(**message):
    print(json.dumps(message), flush=True)


hello = json.loads(sys.stdin.readline())
label = hello["config"]["label"]
send(type="ready", protocol=1, wants=["action"])
count = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "action" and message["action"] == "touchUpInside":
        count += 1
        send(type="set", view=label, properties={"text": str(count)})
    elif message["type"] == "bye":
        break
