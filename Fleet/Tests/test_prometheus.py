"""The alerts and the dashboard, loaded by Prometheus, with what touchtree and touchtree-fetch report."""
import http.server
import json
import re
import shutil
import subprocess
import tempfile
import threading
import urllib.parse
import urllib.request

import pytest

from test_fetch import FETCH, Panel, eventually, files, free_port, programs, run  # noqa: F401

FOLDER = FETCH.parent / "Prometheus"
ROOT = FETCH.parent.parent
# Figures that the rules read, and that the daemon of this test does not report.
OTHERS = """
touchtree_build_info{version="0.1.0"} 1
touchtree_configuration_info{sha256="0123",fallback="false"} 1
touchtree_last_touch_seconds 1700000000
touchtree_display_seen 1
touchtree_display_dark 0
node_systemd_unit_state{name="touchtree.service",state="active"} 1
"""


def names(text):
    return set(re.findall(r"\b(?:touchtree|node)_[a-z]\w+", text))


def expressions():
    """Those of the dashboard, for every panel."""
    dashboard = json.loads((FOLDER / "dashboard.json").read_text())
    return [target["expr"].replace("$instance", ".*") for panel in dashboard["panels"] for target in panel["targets"]]


@pytest.fixture(scope="module")
def reported(programs):  # noqa: F811
    """What node_exporter would serve of a panel: the files of the daemon and of touchtree-fetch."""
    panel = Panel(programs)
    panel.publish(files())
    assert panel.fetch(RELOAD="", HEALTH="").returncode == 0
    statistics = panel.folder / "touchtree.prom"
    outcome = run(
        programs / "touchtree", "run", ROOT / "config/experiments/01-five-colours.yaml", "--display", "headless", "--control", "none",
        "--replay", ROOT / "config/demo.evemu", "--stats-file", statistics)
    assert outcome.returncode == 0, outcome.stderr
    text = statistics.read_text() + (panel.state / "state.prom").read_text()
    panel.end()
    check = run("promtool", "check", "metrics", input=text)
    assert check.returncode == 0, check.stderr
    return text + "".join(line + "\n" for line in OTHERS.split("\n") if line and not names(line) & names(text))


def test_promtool_accepts_the_rules_and_they_fire_where_they_should():
    for command in [["check", "rules", "rules.yml"], ["test", "rules", "rules-test.yml"]]:
        outcome = run("promtool", *command, cwd=FOLDER)
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_rules_and_dashboard_read_figures_that_there_are(reported):
    rules = re.sub(r"(?m)#.*$", "", (FOLDER / "rules.yml").read_text())
    read = names(rules) | names(" ".join(expressions()))
    assert len(read) > 10 and read <= names(reported)


def test_prometheus_loads_the_rules_and_answers_the_dashboard(reported):
    class Exporter(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.end_headers()
            self.wfile.write(reported.encode())

        def log_message(self, *_):
            pass

    exporter = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Exporter)
    threading.Thread(target=exporter.serve_forever, daemon=True).start()
    folder = tempfile.mkdtemp()
    with open(f"{folder}/prometheus.yml", "w") as file:
        file.write(
            f"global: {{scrape_interval: 1s, evaluation_interval: 1s}}\nrule_files: [{FOLDER}/rules.yml]\n"
            f"scrape_configs: [{{job_name: node, static_configs: [{{targets: ['127.0.0.1:{exporter.server_port}']}}]}}]\n")
    address = f"127.0.0.1:{free_port()}"
    prometheus = subprocess.Popen(
        ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data", f"--web.listen-address={address}",
         "--log.level=error"])

    def ask(path):
        assert prometheus.poll() is None
        try:
            with urllib.request.urlopen(f"http://{address}/api/v1/{path}") as answer:
                return json.load(answer)["data"]
        except OSError as error:
            # It starts, or refuses an expression.
            return error.read().decode() if getattr(error, "code", 503) != 503 else {}

    def answers(expression):
        found = ask("query?query=" + urllib.parse.quote(expression))
        assert isinstance(found, dict), f"{expression}: {found}"
        return found.get("result")

    def health():
        return [rule["health"] for group in ask("rules").get("groups", []) for rule in group["rules"]]

    try:
        eventually(lambda: len(health()) == 4 and "unknown" not in health(), "the rules are evaluated")
        assert health() == ["ok"] * 4
        asked = [each for each in expressions() if "ALERTS" not in each]
        assert len(asked) > 10
        for expression in asked:
            eventually(lambda: answers(expression), f"{expression} has a result")
        assert answers("count(ALERTS)") is not None
    finally:
        prometheus.terminate()
        prometheus.wait()
        exporter.shutdown()
        shutil.rmtree(folder)
