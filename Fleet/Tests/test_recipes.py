"""The recipes for updaters, with a touchtree and a chroot that write down how they are called, and the dashboard of Home Assistant."""
import json
import os
import pathlib
import re
import subprocess

import pytest

from test_fetch import FETCH, eventually, free_port, run

RECIPES = FETCH.parent / "Recipes"


@pytest.fixture
def stubs(tmp_path):
    """Programs that fail as often as the file `failures` says, and a PATH to them."""
    for name in ["touchtree", "chroot", "sleep"]:
        program = tmp_path / name
        program.write_text(
            f"#!/bin/sh\necho {name} \"$@\" >>{tmp_path}/log\n"
            f'[ {name} = sleep ] || {{ n=$(cat {tmp_path}/failures); [ "$n" = 0 ] || {{ echo $((n - 1)) >{tmp_path}/failures; exit 1; }}; }}\n')
        program.chmod(0o755)
    return tmp_path


def call(stubs, failures, *command, **environment):
    (stubs / "failures").write_text(f"{failures}\n")
    (stubs / "log").write_text("")
    outcome = run(*command, env={**os.environ, "PATH": f"{stubs}:{os.environ['PATH']}", **environment})
    return outcome.returncode, (stubs / "log").read_text().splitlines()


@pytest.mark.parametrize("failures, status, asked", [(0, 0, 1), (11, 0, 12), (12, 1, 12)])
def test_mender_commits_when_the_panel_is_well_in_time(stubs, failures, status, asked):
    found, log = call(stubs, failures, RECIPES / "ArtifactCommit_Enter_50_touchtree")
    assert found == status and sum(line.startswith("touchtree") for line in log) == asked


@pytest.mark.parametrize("failures", [0, 1])
def test_rauc_refuses_an_image_that_refuses_the_configuration(stubs, failures):
    # The configuration of this machine, if it has one.
    script = stubs / "hook"
    (stubs / "touchtree.yaml").write_text("version: 1\n")
    script.write_text((RECIPES / "rauc-hook").read_text().replace("cp -a /etc/touchtree/.", f"cp -a {stubs}/touchtree.yaml"))
    slot = {"RAUC_SLOT_CLASS": "rootfs", "RAUC_SLOT_MOUNT_POINT": str(stubs / "slot")}
    status, log = call(stubs, failures, "sh", script, "slot-post-install", **slot)
    assert status == failures and log == [f"chroot {stubs}/slot touchtree check /etc/touchtree/touchtree.yaml"]
    assert (stubs / "slot/etc/touchtree/touchtree.yaml").exists()
    assert call(stubs, 1, "sh", script, "slot-post-install", **{**slot, "RAUC_SLOT_CLASS": "boot"}) == (0, [])


def test_home_assistant_has_each_entity_of_the_dashboard(tmp_path):
    touchtree = pathlib.Path(os.environ["TOUCHTREE"])
    text = (RECIPES / "home-assistant.yaml").read_text()
    own = set(re.findall(r"unique_id: (\w+)", text))
    read = {name for name in re.findall(r"entity: (\w+\.\w+)", text) if name.split(".")[1] not in own}
    broker, socket = f"127.0.0.1:{free_port()}", tmp_path / "socket"
    programs = [
        ["/usr/sbin/mosquitto", "-p", broker.split(":")[1]],
        [touchtree, "run", FETCH.parent.parent / "config/examples/kiosk.yaml", "--display", "headless", "--control", socket, "--watch-socket",
         "none"],
        [touchtree.parent / "touchtree-mqtt", "--broker", broker, "--prefix", "hall", "--home-assistant", "--socket", socket],
    ]
    running = [subprocess.Popen(each, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for each in programs]

    def announced():
        # Home Assistant writes other characters than letters as `_`.
        lines = run("mosquitto_sub", "-p", broker.split(":")[1], "-t", "homeassistant/#", "-W", "1").stdout.splitlines()
        return {json.loads(line)["default_entity_id"].replace("-", "_") for line in lines}

    try:
        assert len(read) > 4
        eventually(lambda: read <= announced(), f"{read} are announced")
    finally:
        for process in running:
            process.terminate()
            process.wait()
