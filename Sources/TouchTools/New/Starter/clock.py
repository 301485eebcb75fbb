#!/usr/bin/env python3
"""A handler in Python: shows the time, and hears of the button "greet".

touchtree starts it and speaks JSON lines with it on standard input and output. Standard error goes to touchtree's log.
"""
import json
import sys
import threading
import time


def send(**message):
    print(json.dumps(message), flush=True)


def show_time():
    while True:
        send(type="set", view="time", properties={"text": time.strftime("%H:%M:%S")})
        time.sleep(1)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send(type="ready", protocol=1, wants=[])
        threading.Thread(target=show_time, daemon=True).start()
    elif message["type"] == "message":
        print(f"{message['from']} sent {message['message']}", file=sys.stderr)
    elif message["type"] == "error":
        print(message["message"], file=sys.stderr)
