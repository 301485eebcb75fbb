"""The recipes for updaters, with a touchtree and a chroot that write down how they are called."""
import os

import pytest

from test_fetch import FETCH, run

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
