#!/usr/bin/python3
"""Prints the figures of Preview/README.md, each with its bar. Other load makes times longer; a scheduling class that
goes before it, as root, takes it out of them:

    make -o deps release
    chrt -r 10 /usr/bin/python3 -B Preview/Tests/TouchPreviewTests/Browser/figures.py .build/release/touchtree
"""

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

import board
import browser
from preview import PANEL, Scene, eventually

SLIDING = """version: 1
display: {canvas: {size: [800, 480]}}
window:
  subviews:
    - id: pages
      kind: pages
      slide: true
      frame: [0, 0, 800, 480]
      subviews:
        - {id: first, background: "#104060", subviews: [
ROWS]}
        - {id: second, background: "#602010", subviews: [
ROWS]}
""".replace("ROWS", ",\n".join(
    f"            {{kind: label, frame: [20, {y}, 700, 28], text: A row of the page at {y}}}" for y in range(10, 460, 30)))


def figure(name, value, bar):
    print(f"{name}: {value} (bar: {bar})", flush=True)


def middle(values):
    return sorted(values)[len(values) // 2]


def page(program):
    with Scene(program, attached=False) as scene:
        with urllib.request.urlopen(scene.preview.address) as answer:
            size = len(answer.read()) + len(str(answer.headers))
    figure("the page over the wire", f"{size / 1000:.1f} kB", "100 kB")


def processor(process):
    """The time in ms that a process has computed."""
    return int(pathlib.Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e6


def sliding(program, pictures=300):
    """A finger slides a page to and fro, 30 times a second; each step is a picture of the whole display."""
    with Scene(program, attached=True, text=SLIDING) as scene:
        tab = browser.Tab(scene.preview.address)
        tab.script("window.bytes = 0; const old = draw; draw = (data) => { old(data); bytes += data.byteLength; }")
        drawn = lambda: int(tab.script("return canvas.dataset.drawn"))
        scene.daemon.send(type="subscribe", events=["touch", "scroll"])
        scene.daemon.send(type="inject", phase="began", finger=1, x=700, y=240)
        before, start, first = processor(scene.preview.process.pid), time.monotonic(), drawn()
        delays = []
        for number in range(pictures):
            due = start + number / 30
            time.sleep(max(0, due - time.monotonic()))
            events, sent = len(scene.daemon.events), time.monotonic()
            scene.daemon.send(type="inject", phase="moved", finger=1, x=200 + abs(number % 100 - 50) * 8, y=240)
            while len(scene.daemon.events) == events and time.monotonic() < sent + 1:
                time.sleep(0.0005)
            delays.append((time.monotonic() - sent) * 1000)
        seconds = time.monotonic() - start
        spent = processor(scene.preview.process.pid) - before
        shown, size = drawn() - first, tab.script("return bytes")
        scene.daemon.send(type="inject", phase="ended", finger=1, x=200, y=240)
        tab.end()
    figure("a picture of a sliding page, processor of the preview", f"{spent / shown:.1f} ms", "10 ms")
    figure("such pictures in the browser", f"{shown / seconds:.1f} a second, {size / shown / 1e6:.2f} MB each", "30 a second")
    figure("from a move to the page that has moved", f"p50 {middle(delays):.1f} ms, most {max(delays):.1f} ms", "16.7 ms, a frame")


def diagnostics(program, keys=60):
    """From a keystroke to the diagnostics, in a panel of 300 lines that stays good."""
    file = pathlib.Path(__file__).parents[4] / "config/touchtree.yaml"
    text = file.read_text()
    process = subprocess.Popen([program, "language-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(**message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        process.stdin.flush()

    def receive():
        length = int(process.stdout.readline().split(b":")[1])
        process.stdout.readline()
        return json.loads(process.stdout.read(length))

    uri = file.as_uri()
    send(id=1, method="initialize", params={"capabilities": {}})
    receive()
    send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
    receive()
    line = next(number for number, each in enumerate(text.split("\n")) if number > 150 and "#" in each)
    column = len(text.split("\n")[line])
    times = []
    for number in range(keys):
        place = {"line": line, "character": column + number}
        start = time.monotonic()
        send(method="textDocument/didChange", params={
            "textDocument": {"uri": uri, "version": number + 2},
            "contentChanges": [{"range": {"start": place, "end": place}, "text": "x"}]})
        found = receive()["params"]["diagnostics"]
        times.append((time.monotonic() - start) * 1000)
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert not any(each["severity"] == 1 for each in found), found
    figure(f"a keystroke to diagnostics, {len(text.splitlines())} lines", f"p50 {middle(times):.0f} ms, most {max(times):.0f} ms", "30 ms")


def saves(program):
    browser.saves(program)
    board.saves(program)


if __name__ == "__main__":
    chosen = sys.argv[2:] or ["page", "saves", "sliding", "diagnostics"]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, display 800 x 480")
    for name in chosen:
        globals()[name](sys.argv[1])
