#!/usr/bin/python3
"""Sends a panel to a board: an sshd of its own on loopback, with keys and settings in a folder.

    board.py TOUCHTREE TEST

Ends with status 0 if all is well; else the error says what is not.
"""

import json
import mmap
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from browser import Tab
from preview import PANEL, Daemon, eventually

SSHD = """Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/key.pub
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
SetEnv PATH={folder}/bin:/usr/bin:/bin
"""
SSH = """Host board
  HostName 127.0.0.1
  Port {port}
  IdentityFile {folder}/key
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  StrictHostKeyChecking no
  LogLevel ERROR
"""
# There it is another program's socket than the usual one.
WRAPPER = """#!/bin/sh
if test "$1" = ctl; then shift; exec {program} ctl --socket {socket} "$@"; fi
exec {program} "$@"
"""


class Screen:
    """The pixels of a daemon's display as they change."""

    def __init__(self, path):
        self.client = socket.socket(socket.AF_UNIX)
        self.client.connect(str(path))
        self.client.sendall(b'{"type":"screen"}\n')
        self.memory = None
        self.colors = []
        threading.Thread(target=self.follow, daemon=True).start()
        eventually("there is a picture", lambda: self.colors)

    def pixel(self, x=790, y=10):
        at = y * self.stride + x * 4
        return "#" + self.memory[at:at + 3][::-1].hex()

    def follow(self):
        """Another display, such as that of another file, comes with another memory."""
        rest, files = b"", []
        while True:
            data, more, _, _ = socket.recv_fds(self.client, 1 << 16, 4)
            if not data:
                return
            files += more
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                message = json.loads(line)
                if message["type"] == "screen":
                    self.stride = message["stride"]
                    self.memory = mmap.mmap(files.pop(0), message["stride"] * message["height"], prot=mmap.PROT_READ)
                if message["type"] in ("screen", "damage") and (not self.colors or self.pixel() != self.colors[-1][1]):
                    self.colors.append((time.time(), self.pixel()))


class Board:
    def __init__(self, program):
        self.kept = tempfile.TemporaryDirectory()
        folder = self.folder = pathlib.Path(self.kept.name)
        for name in ("host", "key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (folder / "sshd").write_text(SSHD.format(port=port, folder=folder))
        (folder / "ssh").write_text(SSH.format(port=port, folder=folder))
        for name in ("bin", "theirs", "mine"):
            (folder / name).mkdir()
        self.daemon = Daemon(program, folder / "theirs", PANEL.format(color="#000000"))
        wrapper = folder / "bin/touchtree"
        wrapper.write_text(WRAPPER.format(program=program, socket=self.daemon.socket))
        wrapper.chmod(0o755)
        if os.geteuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        self.server = subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", folder / "sshd", "-E", folder / "log"])
        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0
        eventually("sshd listens", listens)
        self.screen = Screen(self.daemon.socket)
        self.program = program
        self.file = folder / "mine/panel.yaml"

    def save(self, text):
        new = self.file.with_suffix(".new")
        new.write_text(text)
        new.rename(self.file)

    def arguments(self, *more):
        return [self.program, "push", "board", self.file, "--ssh", f"ssh -F {self.folder}/ssh", "--folder", self.folder / "sent", *more]

    def push(self, *more):
        return subprocess.run(self.arguments(*more), capture_output=True, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        self.daemon.end()
        self.kept.cleanup()


def pushes(program):
    """A panel is sent with what it names, checked here and there, and shown; values stay; what is wrong is not shown."""
    with Board(program) as board:
        board.save(PANEL.format(color="#104060") + "include: [more/styles.yaml]\nhandlers: {greet: {kind: exec, when: pressed, command: [./greet.sh]}}\n")
        missing = board.push()
        assert missing.returncode == 78 and "styles.yaml" in missing.stderr, missing
        assert board.screen.pixel() == "#000000"
        (board.file.parent / "more").mkdir()
        (board.file.parent / "more/styles.yaml").write_text("styles: {loud: {font: {color: \"#ff0000\"}}}\n")
        (board.file.parent / "greet.sh").write_text("#!/bin/sh\n")
        (board.file.parent / "greet.sh").chmod(0o755)
        board.daemon.send(type="set", values={"count": 5})
        sent = board.push()
        assert sent.returncode == 0 and "board shows panel.yaml" in sent.stdout, sent
        eventually("it is shown", lambda: board.screen.pixel() == "#104060")
        names = {str(each.relative_to(board.folder / "sent/shown")) for each in (board.folder / "sent/shown").rglob("*") if each.is_file()}
        assert names == {"panel.yaml", "more/styles.yaml", "greet.sh"}, names
        assert os.access(board.folder / "sent/shown/greet.sh", os.X_OK)
        assert "#000000" in (board.folder / "theirs/panel.yaml.before-push").read_text()
        # What only the board can refuse: a program that is not there.
        board.save(PANEL.format(color="#ffffff") + "handlers: {greet: {kind: exec, when: pressed, command: [/nowhere/greet]}}\n")
        again = board.push()
        assert board.screen.pixel() in ("#104060", "#ffffff"), again
        board.save(PANEL.format(color="#206020"))
        assert board.push().returncode == 0
        eventually("it is shown", lambda: board.screen.pixel() == "#206020")
        assert len([each for each in (board.folder / "sent").iterdir() if each.is_dir() and not each.is_symlink()]) == 1
        stats = subprocess.run([board.folder / "bin/touchtree", "ctl", "explain", "count"], capture_output=True, text=True)
        assert "count is 5" in stats.stdout, stats
        lost = subprocess.run(
            [program, "push", "board", board.file, "--ssh", f"ssh -F {board.folder}/ssh -p 1"], capture_output=True, text=True)
        assert lost.returncode == 69 and "board" in lost.stderr, lost


def saves(program):
    """200 broken saves are never shown, and each save between them is."""
    colors = ["#104060", "#602010", "#206020"]
    with Board(program) as board:
        board.save(PANEL.format(color=colors[0]))
        errors = board.folder / "errors"
        with open(errors, "w") as file:
            push = subprocess.Popen(board.arguments("--watch"), stdout=subprocess.DEVNULL, stderr=file)
        eventually("it is shown", lambda: board.screen.pixel() == colors[0])
        times = []
        for number in range(200):
            size = errors.stat().st_size
            board.save(PANEL.format(color="#ffffff").replace("text: \"{count}\"", ["txt: x", "frame: [1, 2]", "text: \"{cuont}\"", "text: {"][number % 4]))
            eventually("the error is reported", lambda: errors.stat().st_size > size)
            if number % 4 == 3:
                color = colors[(number // 4 + 1) % 3]
                saved = time.time()
                board.save(PANEL.format(color=color))
                eventually("the save is shown", lambda: board.screen.colors[-1][1] == color)
                times.append((board.screen.colors[-1][0] - saved) * 1000)
        assert not any(color == "#ffffff" for _, color in board.screen.colors), "a broken save was shown"
        print(f"save to changed pixels on the board: p50 {sorted(times)[len(times) // 2]:.0f} ms, most {max(times):.0f} ms")
        push.terminate()
        assert push.wait(10) == 0


def screens(program):
    """The board's own screen is in the browser through the same connection, and is touched there."""
    with Board(program) as board:
        board.save(PANEL.format(color="#104060"))
        push = subprocess.Popen(board.arguments("--watch", "--preview"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = next(line.strip() for line in push.stdout if line.startswith("http://"))
        tab = Tab(address)
        eventually("the panel is shown", lambda: tab.pixel() == "#104060")
        tab.click(500, 90)
        eventually("the click counts", lambda: any(e.get("name") == "count" and e["value"] == 1 for e in board.daemon.of("value")))
        board.save(PANEL.format(color="#206020"))
        eventually("the save is shown", lambda: tab.pixel() == "#206020")
        tab.end()
        push.terminate()
        assert push.wait(10) == 0


def silence(program):
    """A board whose touchtree does not answer holds up no page, and the page says so."""
    with Board(program) as board:
        (board.folder / "bin/touchtree").write_text("#!/bin/sh\nif test \"$2\" = -; then exec sleep 100; fi\n")
        board.save(PANEL.format(color="#104060"))
        push = subprocess.Popen(board.arguments("--preview"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = next(line.strip() for line in push.stdout if line.startswith("http://"))
        tab = Tab(address, shows=False)
        state = lambda: tab.script("return $('state').textContent")
        assert state() == "Connecting …", state()
        with urllib.request.urlopen(address) as answer:
            assert answer.status == 200
        eventually("the page says so", lambda: "has not answered for" in state())
        tab.end()
        push.terminate()
        assert push.wait(3) == 0


if __name__ == "__main__":
    globals()[sys.argv[2]](sys.argv[1])
