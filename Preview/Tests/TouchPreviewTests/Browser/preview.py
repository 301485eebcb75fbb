"""A preview and a panel that runs, for the tests in a browser and on plain sockets."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

PANEL = """version: 1
values: {{count: 0, level: 20, theme_name: day}}
strings: {{en: {{hello: Hello}}, de: {{hello: Hallo}}}}
theme: dark
display: {{canvas: {{size: [800, 480]}}, background: "{color}"}}
window:
  subviews:
    - {{id: pad, frame: [0, 60, 400, 400], background: "#202020", user_interaction: true, multiple_touch: true,
       handlers: [log]}}
    - {{id: plus, kind: button, frame: [420, 60, 160, 60], text: "{{count}}",
       actions: {{touch_up_inside: [set: {{count: "{{count + 1}}"}}]}}}}
    - {{id: name, kind: text_field, frame: [420, 140, 300, 50]}}
"""


def eventually(what, condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {seconds} s")


class Daemon:
    """touchtree run, with a client that sees what happens on it."""

    def __init__(self, program, folder, text):
        self.socket = folder / "panel.sock"
        self.file = folder / "panel.yaml"
        self.file.write_text(text)
        self.process = subprocess.Popen(
            [program, "run", self.file, "--display", "headless", "--watch", "--control", self.socket, "--watch-socket", "none"],
            stderr=subprocess.DEVNULL)
        self.events = []
        self.client = socket.socket(socket.AF_UNIX)
        # The file is there a moment before the socket listens.
        eventually("the daemon listens", lambda: self.client.connect_ex(str(self.socket)) == 0)
        self.lines = self.client.makefile("r", encoding="utf-8")
        self.lines.readline()
        self.send(type="subscribe", events=["touch", "press", "value"])
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, **message):
        self.client.sendall(json.dumps(message).encode() + b"\n")

    def read(self):
        for line in self.lines:
            self.events.append(json.loads(line))

    def of(self, kind, phase=None):
        return [each for each in self.events if each["type"] == kind and phase in (None, each.get("phase"))]

    def end(self):
        self.process.terminate()
        self.process.wait()


class Preview:
    """touchtree preview."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "preview", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()
        url = urllib.parse.urlsplit(self.address)
        self.host, self.port, self.path = url.netloc, url.port, url.path

    def memory(self):
        """Resident memory in MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) // 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def end(self):
        self.process.terminate()
        assert self.process.wait(10) == 0, "a signal ends it well"


class Scene:
    """A folder, with a panel that runs and its preview; or with a preview that runs the panel itself."""

    def __init__(self, program, attached, text=PANEL.format(color="#000000")):
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        self.file = folder / "panel.yaml"
        if attached:
            self.daemon = Daemon(program, folder, text)
            self.preview = Preview(program, "--socket", self.daemon.socket)
        else:
            self.daemon = None
            self.file.write_text(text)
            self.preview = Preview(program, self.file)

    def save(self, text):
        """As most editors save: a new file in the place of the old one."""
        new = self.file.with_suffix(".new")
        new.write_text(text)
        new.rename(self.file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.preview.end()
        if self.daemon:
            self.daemon.end()
        self.folder.cleanup()
