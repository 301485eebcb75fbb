#!/usr/bin/env python3
"""A handler in Python: counts the presses of each button that names it.

touchtree starts it and speaks JSON lines with it on standard input and output. Standard error goes to touchtree's log.
"""
import json
import sys

presses = 0


def send(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send(type="ready", protocol=1, wants=["action"])
    elif message["type"] == "action" and message["action"] == "touchUpInside":
        presses += 1
        send(type="set", view="answer", properties={"text": f"{message['view']} was press {presses}"})
    elif message["type"] == "error":
        print(message["message"], file=sys.stderr)
