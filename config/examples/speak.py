#!/usr/bin/env python3
"""Speaks what is used on a panel, for people who do not see it: a client of the daemon, by speech-dispatcher or espeak-ng.

    touchtree run config/examples/name.yaml & config/examples/speak.py

It says the label, the value, the state and the hint of the view that has the focus or is edited, and the new value of a control. With
touch_exploration a finger moves the focus. Of a secure field it says the label and the hint, and of another private view only its id,
because it hears no more. What comes later interrupts what is spoken. With --print it prints the words in place of speaking them.
"""

import json
import shutil
import subprocess
import sys

SPEECH = [["spd-say", "--wait", "--"], ["espeak-ng", "--"]]
speech = None


def speak(words):
    global speech
    if "--print" in sys.argv:
        return print(words, flush=True)
    command = next((command for command in SPEECH if shutil.which(command[0])), None)
    if command is None:
        sys.exit("speak.py: neither spd-say nor espeak-ng is installed; try: apt install speech-dispatcher espeak-ng")
    if speech:
        speech.terminate()
        speech.wait()
    speech = subprocess.Popen(command + [words])


def words(view):
    """What a view is: "Name, text field, Ada. Your own name."; a text is only itself."""
    spoken = view.get("accessibility", {})
    kind = ("secure " if view.get("secure") else "") + view["kind"].replace("_", " ")
    traits = spoken.get("traits", [])
    parts = ["selected" if "selected" in traits else None, spoken.get("label") or view["id"]]
    parts += [None if kind == "label" else "button" if kind == "view" else kind, spoken.get("value")]
    parts += ["disabled" if "disabled" in traits else None]
    return ", ".join(part for part in parts if part) + (". " + spoken["hint"] if spoken.get("hint") else "")


daemon = subprocess.Popen(["touchtree", "ctl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(**request):
    daemon.stdin.write(json.dumps(request) + "\n")
    daemon.stdin.flush()


ask(type="subscribe", events=["focus", "action", "value"])
waiting = focused = None
for line in daemon.stdout:
    event = json.loads(line)
    if event["type"] == "focus" and event["view"]:
        # A row or a segment has a text of its own; the event has everything else, too.
        waiting, focused = None, event["view"]
        row = event.get("text") if "part" in event else None
        speak((row + ", " if row else "") + words(event | {"id": event["view"]}))
    elif event.get("action") == "valueChanged" or event.get("action") == "editingBegan" and event["view"] != focused:
        waiting = event["view"]
        ask(type="tree")
    elif event["type"] == "tree" and waiting:
        view = next((view for view in event["views"] if view["id"] == waiting), None)
        waiting = None
        if view and not view.get("private"):
            speak(words(view))
