"""A test of a user interface without hardware: pytest, and Python's standard library.

    pytest Sources/Samples/Processes
"""
import json
import os
import socket
import subprocess
import time

import pytest

CONFIGURATION = os.path.join(os.path.dirname(__file__), "counter.yaml")


class Panel:
    """A client of a running touchtree."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.hello = json.loads(self.lines.readline())

    def ask(self, **request):
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        answer = json.loads(self.lines.readline())
        assert answer["type"] != "error", answer["message"]
        return answer

    def view(self, name):
        return next(view for view in self.ask(type="tree")["views"] if view["id"] == name)

    def tap(self, name):
        x, y, width, height = self.view(name)["window_frame"]
        place = {"x": x + width / 2, "y": y + height / 2}
        self.ask(type="inject", phase="began", **place)
        self.ask(type="inject", phase="ended", **place)

    def becomes(self, name, key, value):
        """Waits for a process to do its work."""
        end = time.monotonic() + 20
        while self.view(name)[key] != value and time.monotonic() < end:
            time.sleep(0.02)
        return self.view(name)[key] == value

    def is_running(self, handler):
        processes = self.ask(type="stats")["processes"]
        return any(p["handler"] == handler and p["state"] == "running" for p in processes)


@pytest.fixture
def panel(tmp_path):
    path = str(tmp_path / "control.sock")
    program = os.environ.get("TOUCHTREE", "touchtree")
    daemon = subprocess.Popen([program, "run", CONFIGURATION, "--display", "headless", "--control", path])
    while not os.path.exists(path):
        assert daemon.poll() is None
        time.sleep(0.02)
    panel = Panel(path)
    while not panel.is_running("counter"):
        time.sleep(0.02)
    yield panel
    daemon.terminate()
    assert daemon.wait() == 0


def test_each_press_counts(panel):
    panel.tap("plus")
    panel.tap("plus")
    assert panel.becomes("count", "text", "2")


def test_a_finger_that_slides_off_does_not_count(panel):
    panel.ask(type="inject", phase="began", x=100, y=60)
    assert panel.view("plus")["highlighted"]
    panel.ask(type="inject", phase="moved", x=390, y=230)
    panel.ask(type="inject", phase="ended")
    panel.tap("plus")
    assert panel.becomes("count", "text", "1")
