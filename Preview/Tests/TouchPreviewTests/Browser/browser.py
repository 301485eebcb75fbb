#!/usr/bin/python3
"""Drives the page in Debian's Chromium, without a display.

    browser.py TOUCHTREE TEST

Ends with status 0 if all is well; else the error says what is not.
"""

import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from preview import PANEL, Scene, eventually


class Tab:
    def __init__(self, address, shows=True):
        options = webdriver.ChromeOptions()
        for option in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,700", "--disable-dev-shm-usage"]:
            options.add_argument(option)
        options.binary_location = "/usr/bin/chromium"
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        if shows:
            self.open(address)
        else:
            self.driver.get(address)

    def open(self, address):
        self.driver.get(address)
        eventually("the page shows the panel", lambda: self.script("return Number(canvas.dataset.drawn || 0)") > 0)
        self.box = self.script("const b = canvas.getBoundingClientRect(); return [b.left, b.top, b.width / canvas.width, b.height / canvas.height]")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def pixel(self, x=790, y=10):
        return "#" + "".join(f"{each:02x}" for each in self.script(f"return [...context.getImageData({x}, {y}, 1, 1).data]")[:3])

    def problems(self):
        return self.script("return $('problems').hidden ? '' : $('problems').innerText")

    def at(self, x, y):
        """A place of the panel in the page."""
        return self.box[0] + x * self.box[2], self.box[1] + y * self.box[3]

    def touch(self, kind, *places):
        points = [dict(zip(("x", "y"), self.at(x, y)), id=number) for number, (x, y) in enumerate(places)]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def mouse(self, kind, x, y, **more):
        x, y = self.at(x, y)
        self.driver.execute_cdp_cmd(
            "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, **more})

    def click(self, x, y, **more):
        self.mouse("mousePressed", x, y, **more)
        self.mouse("mouseReleased", x, y, **more)

    def key(self, key, code, number, text=None):
        more = {"text": text} if text else {}
        for kind in ("keyDown", "keyUp"):
            self.driver.execute_cdp_cmd(
                "Input.dispatchKeyEvent", {"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number, **more})

    def end(self):
        self.driver.quit()


def closed(scene):
    """Whether each touch that began has its end."""
    began = {each["touch"] for each in scene.daemon.of("touch", "began")}
    ends = [each["touch"] for each in scene.daemon.events if each["type"] == "touch" and each["phase"] in ("ended", "cancelled")]
    return len(ends) == len(set(ends)) and set(ends) == began


def touches(program):
    """A click and a finger are touches where they are, and keys are keys."""
    with Scene(program, attached=True) as scene:
        tab = Tab(scene.preview.address)
        tab.click(500, 90)
        eventually("the click counts", lambda: any(e.get("name") == "count" and e["value"] == 1 for e in scene.daemon.of("value")))
        tab.touch("touchStart", (100, 200))
        tab.touch("touchMove", (150, 220))
        tab.touch("touchEnd")
        eventually("the finger lifts", lambda: len(scene.daemon.of("touch", "ended")) == 2)
        last = scene.daemon.of("touch", "ended")[-1]
        assert abs(last["window_x"] - 150) < 2 and abs(last["window_y"] - 220) < 2, last
        tab.click(500, 160)
        tab.key("a", "KeyA", 65, "a")
        tab.key("Enter", "Enter", 13)
        eventually("the keys come", lambda: [e["key"] for e in scene.daemon.of("press", "ended")] == ["a", "enter"])
        assert scene.daemon.of("press", "began")[0]["characters"] == "a"
        assert closed(scene)
        tab.end()


def drags(program):
    """1 000 drags of two fingers, some broken off by the browser, by another window, or by a tab that is closed."""
    with Scene(program, attached=True) as scene:
        tab = Tab(scene.preview.address)
        for number in range(1000):
            places = [(40 + number % 300, 100), (60 + number % 300, 300)]
            tab.touch("touchStart", *places)
            tab.touch("touchMove", *[(x + 30, y + 20) for x, y in places])
            if number % 50 == 10:
                tab.script("dispatchEvent(new Event('blur'))")
            tab.touch("touchCancel" if number % 10 == 5 else "touchEnd")
            if number % 250 == 249:
                tab.touch("touchStart", *places)
                eventually("the fingers are down", lambda: not closed(scene))
                tab.open(scene.preview.address)
                tab.touch("touchEnd")
        eventually("each touch has its end", lambda: closed(scene))
        began = len(scene.daemon.of("touch", "began"))
        assert began == 2008, began
        tab.end()


def saves(program):
    """A save is shown at once; a broken one never is, and its errors are."""
    colors = ["#104060", "#602010", "#206020"]
    with Scene(program, attached=False) as scene:
        tab = Tab(scene.preview.address)
        assert tab.pixel() == "#000000"
        times = []
        tab.script("window.seen = 0; const old = draw; draw = (data) => { old(data); seen = Date.now(); }")
        for number in range(30):
            color = colors[number % 3]
            tab.script("seen = 0")
            saved = time.time()
            scene.save(PANEL.format(color=color))
            eventually("the save is shown", lambda: tab.pixel() == color and tab.script("return seen"))
            times.append(tab.script("return seen") - saved * 1000)
            drawn = tab.script("return canvas.dataset.drawn")
            scene.save(PANEL.format(color="#ffffff").replace("text: \"{count}\"", ["txt: x", "frame: [1, 2]", "text: \"{cuont}\""][number % 3]))
            text = eventually("the error is shown", tab.problems)
            assert "panel.yaml:" in text and "error:" in text and "id: plus" in text, text
            assert tab.pixel() == color and tab.script("return canvas.dataset.drawn") == drawn, "a broken save was shown"
        print(f"save to changed pixels: p50 {sorted(times)[len(times) // 2]:.0f} ms, most {max(times):.0f} ms")
        tab.end()


def broken(program):
    """A file that is broken from the start is shown once it is corrected."""
    with Scene(program, attached=False, text="version: 1\nwindow: {subviews: [{id: a, fram: [0, 0, 1, 1]}]}\n") as scene:
        tab = Tab(scene.preview.address, shows=False)
        text = eventually("the error is shown", tab.problems)
        assert "panel.yaml:2:" in text and "frame" in text, text
        scene.save(PANEL.format(color="#104060"))
        eventually("the panel is shown", lambda: tab.pixel() == "#104060" and not tab.problems())
        tab.end()


def tabs(program):
    """A tab that is closed lifts its fingers, and one that is opened again shows the panel as it is."""
    with Scene(program, attached=True) as scene:
        tab = Tab(scene.preview.address)
        tab.click(500, 90)
        tab.touch("touchStart", (100, 200))
        eventually("the finger is down", lambda: len(scene.daemon.of("touch", "began")) == 2)
        tab.end()
        eventually("the finger is cancelled", lambda: closed(scene))
        tab = Tab(scene.preview.address)
        eventually("the value is there", lambda: tab.script("return document.querySelector('[data-name=count] input')?.value") == "1")
        tab.end()


def beside(program):
    """What is beside the panel: a view's explanation and place, values and their history, the trace, sizes, theme and language."""
    with Scene(program, attached=False) as scene:
        tab = Tab(scene.preview.address)
        tab.click(500, 90, modifiers=1)
        text = eventually("the view is explained", lambda: (lambda t: "plus" in t and t)(tab.script("return $('view').innerText")))
        assert "panel.yaml:10:7" in text and "{count}" in text, text
        field = "document.querySelector('[data-name=count] input')"
        tab.script(f"{field}.value = '41'; {field}.onchange()")
        tab.click(500, 90)
        eventually("the value counts on", lambda: tab.script(f"return {field}.value") == "42")
        history = tab.script("return document.querySelector('[data-name=count] pre').textContent")
        assert history.split("\n")[0].endswith("42") and history.split("\n")[1].endswith("41"), history
        trace = eventually("the touch is traced", lambda: (lambda t: "touchUpInside" in t and t)(tab.script("return $('trace').innerText")))
        assert "began" in trace and "ended" in trace, trace
        for name, choice in [("theme", "light"), ("language", "de")]:
            tab.script(f"$('{name}').value = '{choice}'; $('{name}').onchange()")
            row = f"document.querySelector('[data-name={name}] input').value"
            eventually(f"the {name} is another", lambda: tab.script(f"return {row}") == choice)
        assert tab.script("return $('orientation').value") == "landscape"
        tab.script("$('orientation').value = 'portrait'; $('orientation').onchange()")
        eventually("the display is turned", lambda: tab.script("return [canvas.width, canvas.height]") == [480, 800])
        tab.script("$('size').value = '1024x600'; $('size').onchange()")
        eventually("the display is larger", lambda: tab.script("return canvas.width") == 1024)
        eventually("it is drawn", lambda: tab.pixel(1020, 10) != "")
        loaded = tab.script("return performance.getEntriesByType('resource').map((each) => each.name)")
        assert loaded == [], loaded
        tab.end()


if __name__ == "__main__":
    globals()[sys.argv[2]](sys.argv[1])
