"""touchtree-fetch with archives as they should be, and with those of somebody who means harm.

    TOUCHTREE=.build-tests/debug/touchtree python3 -m pytest Fleet/Tests
"""
import gzip
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tarfile
import tempfile
import threading
import time

import pytest

FETCH = pathlib.Path(__file__).parent.parent / "touchtree-fetch"
# A thread that tests in Swift blocks signals, which its children inherit.
signal.pthread_sigmask(signal.SIG_SETMASK, [])
# Root's tests run everything as somebody else, as the script does.
USER = "nobody" if os.geteuid() == 0 else None
AS_USER = ["setpriv", "--reuid", USER, "--regid", "nogroup", "--clear-groups"] if USER else []
BYTES, FILES = 8 << 20, 50
FOREVER = 900


def run(*command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=FOREVER, **options)


def eventually(is_so, what):
    end = time.monotonic() + FOREVER
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def programs():
    """The programs and the keys, in a folder that every user can read."""
    folder = pathlib.Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    shutil.copy(os.environ.get("TOUCHTREE") or shutil.which("touchtree"), folder / "touchtree")
    shutil.copy(FETCH, folder)
    for key in ["key", "other"]:
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", key, "-f", folder / key, check=True)
    (folder / "signers").write_text(f'fleet namespaces="touchtree" {(folder / "key.pub").read_text()}')
    yield folder
    shutil.rmtree(folder)


class Panel:
    """A panel, and the place where its owner publishes."""

    def __init__(self, programs):
        self.programs = programs
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.folder.chmod(0o755)
        self.state, self.site = self.folder / "state", self.folder / "site"
        self.state.mkdir()
        self.site.mkdir()
        if USER:
            shutil.chown(self.state, USER)
        self.socket = self.state / "control.sock"
        self.daemon = None

    def end(self):
        if self.daemon:
            self.daemon.terminate()
            self.daemon.wait()
        shutil.rmtree(self.folder)

    def write_settings(self, **settings):
        """Writes the panel's settings, or those that are given in their place."""
        values = {
            "AS": USER or "", "PATH": f"{self.programs}:{os.environ['PATH']}", "STATE": self.state, "BYTES": BYTES, "FILES": FILES,
            "SIGNERS": self.programs / "signers", "URL": f"file://{self.site}/panel.tar.gz",
            "RELOAD": f"touchtree ctl reload --socket {self.socket}", "HEALTH": f"touchtree ctl stats --socket {self.socket}",
            **settings}
        (self.folder / "settings").write_text("".join(f"{name}='{value}'\n" for name, value in values.items()))

    def fetch(self, **settings):
        """Runs the script once."""
        self.write_settings(**settings)
        return run(self.programs / "touchtree-fetch", self.folder / "settings")

    def sign(self, key="key", namespace="touchtree"):
        (self.site / "panel.tar.gz.sig").unlink(missing_ok=True)
        run("ssh-keygen", "-q", "-Y", "sign", "-f", self.programs / key, "-n", namespace, self.site / "panel.tar.gz", check=True)

    def publish(self, content, **signature):
        (self.site / "panel.tar.gz").write_bytes(content if isinstance(content, bytes) else packed(content))
        self.sign(**signature)

    def start(self):
        command = [self.programs / "touchtree", "run", self.state / "shown/panel/touchtree.yaml", "--display", "headless", "--control",
                   self.socket, "--watch-socket", "none"]
        self.daemon = subprocess.Popen(AS_USER + command, stderr=subprocess.DEVNULL)
        eventually(lambda: self.ctl("stats").returncode == 0, "the daemon answers")

    def ctl(self, *arguments):
        assert self.daemon.poll() is None
        return run(self.programs / "touchtree", "ctl", *arguments, "--socket", self.socket)

    @property
    def text(self):
        """What the daemon shows."""
        return json.loads(self.ctl("tree", "--json").stdout)["views"][-1]["text"]

    @property
    def shown(self):
        return (self.state / "shown/panel/serial").read_text().strip()

    @property
    def message(self):
        return json.loads((self.state / "state.json").read_text())["message"]

    def metric(self, name):
        return re.search(rf"^touchtree_deployed_{name} (\d+)$", (self.state / "state.prom").read_text(), re.M)[1]


@pytest.fixture
def panel(programs):
    panel = Panel(programs)
    yield panel
    panel.end()


# Archives.


def entry(name, data=b"", kind=tarfile.REGTYPE, mode=0o644, link=""):
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.linkname, info.size = kind, mode, link, len(data)
    return info, data


def files(serial="7", text="new"):
    yaml = f"version: 1\nwindow: {{subviews: [{{id: a, kind: label, frame: [0, 0, 99, 40], text: {text}}}]}}\n"
    return [entry("serial", f"{serial}\n".encode()), entry("touchtree.yaml", yaml.encode())]


def packed(entries):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for info, data in entries:
            tar.addfile(info, io.BytesIO(data))
    return gzip.compress(buffer.getvalue())


def with_files(*entries):
    return packed(files() + list(entries))


def repeated(block, count):
    """The compressed bytes of a block that is repeated: gzip joins what is compressed one after the other."""
    return gzip.compress(block, 9) * count


def sparse():
    """A file of a terabyte, of which an archive says that it is empty."""
    with tempfile.TemporaryDirectory() as folder:
        for info, data in files():
            (pathlib.Path(folder) / info.name).write_bytes(data)
        with open(f"{folder}/picture.png", "wb") as file:
            file.truncate(1 << 40)
        return subprocess.run(["tar", "-czS", "-C", folder, "."], stdout=subprocess.PIPE, check=True).stdout


def bomb():
    info, _ = entry("picture.png")
    info.size = 4 << 30
    return gzip.compress(info.tobuf()) + repeated(bytes(16 << 20), 256)


HOSTILE = {
    "a link out of it": (lambda: with_files(entry("out", kind=tarfile.SYMTYPE, link="/etc/passwd")), "links or devices"),
    "a link to a folder, and a file in it": (
        lambda: with_files(entry("out", kind=tarfile.SYMTYPE, link="/tmp"), entry("out/file")), "links or devices"),
    "a hard link": (lambda: with_files(entry("out", kind=tarfile.LNKTYPE, link="/etc/passwd")), "links or devices"),
    "a device": (lambda: with_files(entry("disk", kind=tarfile.BLKTYPE)), "links or devices"),
    "another device": (lambda: with_files(entry("null", kind=tarfile.CHRTYPE)), "links or devices"),
    "a pipe": (lambda: with_files(entry("pipe", kind=tarfile.FIFOTYPE)), "links or devices"),
    "an absolute path": (lambda: with_files(entry("/tmp/touchtree-escaped")), "leads out of its folder"),
    "a way up": (lambda: with_files(entry("a/../../touchtree-escaped")), "leads out of its folder"),
    "a file of its owner's rights": (lambda: with_files(entry("tool", mode=0o4755)), "would run as its owner"),
    "a file of its group's rights": (lambda: with_files(entry("tool", mode=0o2755)), "would run as its owner"),
    "a file that is a folder, too": (lambda: with_files(entry("a"), entry("a/b")), "damaged"),
    "a million files": (lambda: repeated(entry("file")[0].tobuf() * 10_000, 100), f"more than {BYTES} bytes"),
    "more files than it may have": (lambda: with_files(*(entry(f"f{n}") for n in range(FILES))), f"more than {FILES} files"),
    "four gigabytes of nothing": (bomb, f"more than {BYTES} bytes"),
    "a terabyte of holes": (sparse, f"more than {BYTES} bytes"),
    "an archive in an archive": (lambda: gzip.compress(bomb()), "damaged"),
    "an archive that is cut off": (lambda: packed(files())[:-20], "damaged"),
    "letters": (lambda: b"version: 1\n" * 999, "damaged"),
    "nothing": (lambda: b"", "damaged"),
    "no serial": (lambda: packed(files()[1:]), "no serial"),
    "a serial of letters": (lambda: packed(files("x[$(reboot)]")), "no serial"),
    "a serial beyond numbers": (lambda: packed(files("9" * 16)), "no serial"),
    "a serial that is a folder": (lambda: packed([entry("serial", kind=tarfile.DIRTYPE), *files()[1:]]), "no serial"),
    "an older serial": (lambda: packed(files("4")), "not newer"),
    "the same serial": (lambda: packed(files("5")), "not newer"),
    "no configuration": (lambda: packed(files()[:1]), "touchtree check"),
    "a configuration with an error": (lambda: packed(files(text="{oh: dear}")), "touchtree check"),
}


@pytest.fixture(scope="session")
def wary(programs):
    """A panel that shows a good archive, and writes down what it is asked."""
    panel = Panel(programs)
    panel.publish(files("5", "old"))
    assert panel.fetch(RELOAD="", HEALTH="").returncode == 0
    yield panel
    panel.end()


def expect_refusal(panel, words, **settings):
    outcome = panel.fetch(RELOAD=": >>asked", HEALTH=": >>asked", **settings)
    assert outcome.returncode == 1 and words in panel.message, outcome.stderr
    assert panel.shown == "5" and panel.metric("serial") == "5" and panel.metric("refused") == "1"
    # Nothing of it is left, and nobody was asked to show it.
    assert {file.name for file in panel.state.iterdir()} == {"lock", "refused", "serial.5", "shown", "state.json", "state.prom"}
    assert not list(pathlib.Path("/tmp").glob("touchtree-escaped"))


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_or_broken_is_not_shown(wary, name):
    content, words = HOSTILE[name]
    wary.publish(content())
    expect_refusal(wary, words)


@pytest.mark.parametrize("name, spoil", {
    "another key": lambda panel: panel.sign(key="other"),
    "another purpose": lambda panel: panel.sign(namespace="file"),
    "the signature of another archive": lambda panel: (panel.site / "panel.tar.gz").write_bytes(packed(files("8"))),
    "no signature": lambda panel: (panel.site / "panel.tar.gz.sig").write_text("?"),
    "half an archive": lambda panel: os.truncate(panel.site / "panel.tar.gz", 100),
}.items())
def test_what_is_not_signed_is_not_shown(wary, name, spoil):
    wary.publish(files())
    spoil(wary)
    expect_refusal(wary, "signature")


def test_a_check_that_does_not_end_is_ended(wary):
    slow = wary.folder / "slow"
    slow.mkdir()
    (slow / "touchtree").write_text("#!/bin/sh\nexec sleep 1000\n")
    (slow / "touchtree").chmod(0o755)
    wary.publish(files())
    expect_refusal(wary, "touchtree check", TIME=5, PATH=f"{slow}:{os.environ['PATH']}")


@pytest.mark.parametrize("url", ["--output /tmp/touchtree-escaped", "ftp://localhost/panel", "panel.tar.gz"])
def test_a_url_is_one(wary, url):
    expect_refusal(wary, "no URL", URL=url)


@pytest.mark.parametrize("serve", ["nothing", "more than it may be", "no end"])
def test_a_server_that_fails_is_asked_again(wary, serve):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if serve == "nothing":
                return self.send_error(404)
            self.send_response(200)
            self.end_headers()
            if serve == "no end":
                return over.wait()
            self.wfile.write(bytes(BYTES))

        def log_message(self, *_):
            pass

    over = threading.Event()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        settings = {"TIME": 1} if serve == "no end" else {"CURL": "--retry 0"}
        outcome = wary.fetch(URL=f"http://127.0.0.1:{server.server_port}/panel", **settings)
        over.set()
        server.shutdown()
    assert outcome.returncode == 69 and "tries again" in outcome.stderr, outcome.stderr
    assert wary.shown == "5"


# What is shown.


def test_a_newer_archive_is_shown_and_an_old_one_is_not(panel):
    panel.publish(files("08", "first"))
    assert panel.fetch().returncode == 0
    panel.start()
    assert panel.text == "first"
    # A folder without any right, a picture in a folder, and a program.
    folder = entry("pictures", kind=tarfile.DIRTYPE, mode=0)
    panel.publish(files("9", "second") + [folder, entry("pictures/a.png"), entry("tool", mode=0o700)])
    outcome = panel.fetch()
    assert outcome.returncode == 0 and panel.text == "second", outcome.stderr
    assert panel.metric("serial") == "9" and panel.metric("refused") == "0"
    shown = panel.state / "shown/panel"
    assert {f"{file.relative_to(shown)} {file.stat().st_mode & 0o7777:o}" for file in shown.rglob("*")} == {
        "serial 644", "touchtree.yaml 644", "pictures 755", "pictures/a.png 644", "tool 755"}
    assert {file.name for file in panel.state.glob("serial.*")} == {"serial.9", "serial.8"}
    # The same one is not even fetched again.
    (panel.site / "panel.tar.gz").unlink()
    assert panel.fetch().returncode == 0
    assert {file.name for file in panel.state.glob("serial.*")} == {"serial.9"}
    panel.publish(files("8", "first"))
    assert panel.fetch().returncode == 1 and panel.text == "second"


def test_root_leaves_everything_to_another_user(panel):
    if not USER:
        pytest.skip("this is not root")
    panel.publish(files())
    outcome = panel.fetch(RELOAD="id -un >user", HEALTH="")
    assert outcome.returncode == 0 and (panel.state / "user").read_text() == f"{USER}\n", outcome.stderr
    assert {file.owner() for file in panel.state.rglob("*")} == {USER}


def test_the_one_before_is_back_where_touchtree_is_not_well(panel):
    panel.publish(files("1", "old"))
    panel.fetch()
    panel.start()
    panel.publish(files("2", "ill"))
    health = f"! touchtree ctl tree --json --socket {panel.socket} | grep -q ill"
    outcome = panel.fetch(HEALTH=health)
    assert outcome.returncode == 1 and panel.text == "old" and panel.shown == "1", outcome.stderr
    # It is not tried again, though it might be well now.
    assert panel.fetch().returncode == 1 and panel.text == "old" and "failed its trial" in panel.message
    panel.publish(files("3", "better"))
    assert panel.fetch(HEALTH=health).returncode == 0 and panel.text == "better"


def test_a_trial_that_is_cut_short_has_failed(panel):
    panel.publish(files("1", "old"))
    panel.fetch()
    panel.start()
    panel.publish(files("2", "fatal"))
    # The script is the father of `timeout`, which is that of the shell.
    kill = f"touchtree ctl tree --json --socket {panel.socket} | grep -q old || {{ read -r _ _ _ script _ </proc/$PPID/stat; kill -9 $script; }}"
    assert panel.fetch(HEALTH=kill).returncode == -9 and panel.text == "fatal"
    assert panel.fetch().returncode == 1 and panel.text == "old" and panel.shown == "1"


def test_it_waits_for_a_touchtree_that_is_not_there_or_not_well(panel):
    panel.publish(files("1", "old"))
    panel.fetch()
    panel.publish(files("2", "new"))
    broker = {"URL": "", "MQTT": f"-h 127.0.0.1 -p {free_port()}"}
    for settings in [{}, {"HEALTH": ""}, {"RELOAD": "", "HEALTH": "false"}, broker]:
        outcome = panel.fetch(**settings)
        assert outcome.returncode == 69 and panel.shown == "1", outcome.stderr
    panel.start()
    assert panel.text == "old"
    assert panel.fetch().returncode == 0 and panel.text == "new"


def test_a_broker_names_the_archive_and_learns_what_is_shown(panel):
    port = free_port()
    broker = subprocess.Popen(["/usr/sbin/mosquitto", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    options = f"-h 127.0.0.1 -p {port}"
    listener = None
    try:
        def retained():
            return json.loads(run("mosquitto_sub", *options.split(), "-t", "hall/deployed", "-C", "1", "-W", "10").stdout or "{}")

        def name_archive():
            url = f"file://{panel.site}/panel.tar.gz"
            return run("mosquitto_pub", *options.split(), "-r", "-t", "hall/fetch", "-m", url).returncode == 0

        def publish(serial, text, spoil=lambda content: content):
            panel.publish(spoil(packed(files(serial, text))))
            assert name_archive()

        eventually(lambda: run("mosquitto_pub", *options.split(), "-t", "a", "-m", "b").returncode == 0, "the broker answers")
        publish("1", "first")
        panel.write_settings(URL="", MQTT=options, PREFIX="hall")
        listener = subprocess.Popen([panel.programs / "touchtree-fetch", panel.folder / "settings"], stderr=subprocess.DEVNULL)
        eventually(lambda: retained() == {"serial": 1, "refused": False, "message": ""}, "the first one is shown")
        panel.start()
        publish("2", "second")
        eventually(lambda: panel.text == "second", "the second one is shown")
        publish("3", "half", lambda content: content[:-20])
        eventually(lambda: retained().get("refused"), "the third one is refused")
        assert panel.text == "second" and retained()["serial"] == 2
        # What cannot be had is asked for again by the next run.
        (panel.site / "panel.tar.gz").unlink()
        (panel.site / "panel.tar.gz.sig").unlink()
        name_archive()
        assert listener.wait() == 69
    finally:
        for process in filter(None, [listener, broker]):
            process.terminate()
            process.wait()
