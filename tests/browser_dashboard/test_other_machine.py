"""--share, from another machine: two network namespaces, joined by a virtual cable."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.browser_dashboard.serving import ROOT, running, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TEACHER, STUDENT = "192.0.2.1", "192.0.2.2"  # addresses that are nobody's
_LISTENS = "0A"


def ip(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)


@contextmanager
def two_machines() -> Iterator[tuple[list[str], list[str]]]:
    """What runs a command on the one, and on the other."""
    if shutil.which("ip") is None:
        pytest.skip("there is no ip (iproute2) to make a network namespace with")
    names = [f"insanonym-{who}-{os.getpid()}" for who in ("teacher", "student")]
    try:
        for name in names:
            made = ip("netns", "add", name)
            if made.returncode:
                pytest.skip(f"no right to make a network namespace: {made.stderr.strip()}")
        ends = [f"veth{os.getpid() % 100000}{end}" for end in "ab"]
        done = [
            ip("link", "add", ends[0], "netns", names[0], "type", "veth", "peer", ends[1], "netns", names[1])
        ]
        for name, end, address in zip(names, ends, (TEACHER, STUDENT), strict=True):
            done += [
                ip("-n", name, "addr", "add", f"{address}/24", "dev", end),
                ip("-n", name, "link", "set", end, "up"),
                ip("-n", name, "link", "set", "lo", "up"),
            ]
        failed = [one.stderr for one in done if one.returncode]
        assert failed == []
        yield ["ip", "netns", "exec", names[0]], ["ip", "netns", "exec", names[1]]
    finally:
        for name in names:
            ip("netns", "delete", name)


@pytest.mark.long
def test_a_shared_dashboard_from_another_machine(tmp_path):
    with (
        two_machines() as (teacher, student),
        running(tmp_path, None, teacher, share=True, sessions=1, pool=1) as found,
    ):
        assert found.address.startswith(f"http://{TEACHER}:")
        found.parent()
        wait_for(found.kernels, "a kernel, which listens for the server only")
        found.wait_until_warm(1)
        table = subprocess.run([*teacher, "cat", "/proc/net/tcp"], capture_output=True, text=True, check=True)
        rows = [line.split() for line in table.stdout.splitlines()[1:]]
        listening = {int(row[1].partition(":")[2], 16) for row in rows if row[3] == _LISTENS}
        own = int(found.address.partition("?")[0].rstrip("/").rpartition(":")[2])
        assert own in listening
        others = sorted(listening - {own})
        assert len(others) >= 5  # those of the kernel
        asked = [sys.executable, "-m", "tests.browser_dashboard.other_machine", found.address]
        path = os.pathsep.join([str(ROOT), str(ROOT / "dashboard")])
        done = subprocess.run(
            [*student, *asked, *map(str, others)],
            env={**os.environ, "PYTHONPATH": path},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, done.stderr + found.log
        assert json.loads(done.stdout) == {
            "without": 403,
            "wrong": 403,
            "right": 200,
            "told": False,
            "moved": True,
            "kernel of a stranger": 403,
            "kernel": 200,
            "channels of a stranger": 403,
            "past the limit": "status 503",
            "after somebody left": True,
            "errors": [],
            "other ports": [],
        }
        assert "Traceback" not in found.log
        assert found.log.count(found.address.rpartition("=")[2]) == 1
