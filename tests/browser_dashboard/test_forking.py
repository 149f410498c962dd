"""Kernels that are forked from one parent: they are kernels like any other, and what goes wrong is told."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest

from insanonym_dashboard.forking import client
from insanonym_dashboard.forking.client import ENDED, NO_FORK, OFF
from insanonym_dashboard.forking.parent import kernel_name
from tests.browser_dashboard.protocol import ProtocolPage
from tests.browser_dashboard.serving import Running, notebook, running, wait_for
from tests.browser_dashboard.voila_checks import in_loop

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not client.can_fork(), reason="processes are not forked on this system"),
]
SLIDER = "import ipywidgets; display(ipywidgets.IntSlider())"
DRAWS = """
import os, random, secrets, tempfile, uuid
import numpy as np
from insanonym_core.experiment import run
from insanonym_core.presets import preset_recipe
from insanonym_core.kinds import kind_named
from insanonym_core.recipe import Recipe, Step
from insanonym_dashboard.state import Session

steps = (Step("planar_laplace", {"radius": 500}), Step("pseudonymise"))
report = run(Recipe(steps, data="demo:mobility", seed=None), only={"utility"})
track = report.release.release
drawn = {
    "numpy": np.random.random(), "sklearn": np.random.mtrand._rand.random(), "python": random.random(),
    "uuid": uuid.uuid4().hex, "secret": Session().secret.hex(), "name": next(tempfile._get_candidate_names()),
    "pseudonyms": sorted(track.tokens)[0], "noise": float(track.latitude[0]),
}
print("DRAWN", "|".join(f"{name}={value}" for name, value in drawn.items()), "END")
"""


def fetched(server: Running, query: str = "") -> str:
    """A page, as text."""
    with urllib.request.urlopen(f"{server.address}{query}", timeout=120) as answer:  # noqa: S310
        return answer.read().decode()


def kernel_of(server: Running, text: str) -> psutil.Process:
    return server.kernel(re.search(r'"kernelId": "([^"]+)"', text)[1])


def sentences(server: Running) -> list[str]:
    """What the server wrote besides its address."""
    return [line for line in server.log.splitlines() if line.strip() and "http://" not in line]


def gone(processes: list[psutil.Process], seconds: float = 15) -> bool:
    """Whether all of them have ended; a process that only waits to be reaped has."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in processes):
            return True
        time.sleep(0.05)
    return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("forks")
    with running(folder, notebook=notebook(folder, SLIDER)) as found:
        found.parent()
        yield found


def test_a_page_is_forked_from_the_parent_and_leads_a_session_of_its_own(server):
    parent = server.parent()
    kernels = [kernel_of(server, fetched(server)) for _ in range(2)]
    for kernel in kernels:
        assert kernel.ppid() == parent.pid
        assert os.getsid(kernel.pid) == os.getpgid(kernel.pid) == kernel.pid
        assert kernel.memory_full_info().uss < 90e6
    assert len({one.pid for one in kernels}) == 2
    assert sentences(server) == []


def test_no_two_pages_draw_the_same(tmp_path):
    with running(tmp_path, notebook=notebook(tmp_path, DRAWS)) as found:
        pages = [fetched(found) for _ in range(3)]
        log = found.log
    found = [re.search("DRAWN (.*?) END", page) for page in pages]
    drawn = [dict(one.split("=") for one in said[1].split("|")) for said in found]
    assert len(drawn[0]) == 8
    for name in drawn[0]:
        assert len({one[name] for one in drawn}) == 3, f"{name}: {[one[name] for one in drawn]}"
    assert "Traceback" not in log


def test_a_killed_kernel_is_told_to_its_page_reaped_and_not_logged(server):
    async def told() -> str:
        page = ProtocolPage(server.address)
        await page.load()
        kernel = server.kernel(page.kernel)
        kernel.kill()
        for _ in range(200):
            if page.died:
                break
            await asyncio.sleep(0.05)
        assert not psutil.pid_exists(kernel.pid)  # no zombie either
        said = page.died
        await page.close(silently=True)
        return said

    assert "ended" in in_loop(told)
    (said,) = sentences(server)
    assert said.endswith("restarted failed!")  # Jupyter's own sentence


@pytest.mark.long
def test_a_killed_parent_ends_no_page_and_the_next_one_has_another_parent(tmp_path):
    with running(tmp_path, notebook=notebook(tmp_path, SLIDER)) as found:
        first = found.parent()
        old = kernel_of(found, fetched(found))
        first.kill()
        wait_for(lambda: not first.is_running() or first.status() == psutil.STATUS_ZOMBIE, "its end")
        new = kernel_of(found, fetched(found))
        assert old.is_running()
        assert found.parent().pid == new.ppid() != first.pid
        assert sentences(found) == [ENDED]
        processes = [old, new, found.parent()]
    assert gone(processes)


def test_a_killed_server_leaves_no_process_behind(tmp_path):
    code = f"{SLIDER}; import subprocess; subprocess.Popen(['sleep', '600'])"
    with running(tmp_path, notebook=notebook(tmp_path, code)) as found:
        kernel = kernel_of(found, fetched(found))
        processes = [found.parent(), kernel, *kernel.children()]
        assert [one.name() for one in processes[2:]] == ["sleep"]
        found.process.kill()
        assert gone(processes)


@pytest.mark.long
def test_where_nothing_is_forked_pages_start_by_themselves_and_the_log_says_so_once(tmp_path):
    shown = notebook(tmp_path, SLIDER)
    with running(tmp_path, variables={OFF: "1"}, notebook=shown, pool=0) as found:
        for _ in range(2):
            kernel = kernel_of(found, fetched(found))
            assert kernel.ppid() == found.process.pid
        assert sentences(found) == [NO_FORK]
    assert gone([kernel])


def somebody() -> list[str]:
    """What runs a command as somebody else than root, who may read all files."""
    read_all = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
    return ["setpriv", "--reuid=65534", "--clear-groups", *read_all] if os.geteuid() == 0 else []


@pytest.fixture
def limited(tmp_path: Path):
    """A server whose processes can be forbidden to fork.

    The limit does not hold for root: then the server runs as another user, who may read all files.
    """
    if shutil.which("setpriv") is None or shutil.which("prlimit") is None:
        pytest.skip("there are no setpriv and prlimit (util-linux) to set the limit")
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o777)  # pytest's folders are closed to others
        variables = {"HOME": home, "TMPDIR": home}
        with running(tmp_path, variables, somebody(), notebook=notebook(tmp_path, SLIDER)) as found:
            found.parent()
            yield found


def forbid(pid: int) -> None:
    """By a process of the same user, who may do that even where root may not."""
    subprocess.run([*somebody(), "prlimit", f"--pid={pid}", "--nproc=1:1"], check=True)


@pytest.mark.long
def test_a_refused_fork_is_a_sentence_and_an_ordinary_kernel(limited):
    forbid(limited.parent().pid)
    for _ in range(2):
        kernel = kernel_of(limited, fetched(limited))
        assert kernel.ppid() == limited.process.pid
    assert len(sentences(limited)) == 1, limited.log
    (said,) = sentences(limited)
    assert said.startswith("A page's process could not be forked (Resource temporarily unavailable)")


@pytest.mark.long
def test_where_no_process_can_be_had_at_all_the_page_is_a_sentence(limited):
    forbid(limited.parent().pid)
    forbid(limited.process.pid)
    with pytest.raises(urllib.error.HTTPError) as refused:
        fetched(limited)
    assert refused.value.code == 503, limited.log
    assert "This page could not be made" in refused.value.read().decode()
    fork, kernel, *answers = sentences(limited)
    assert fork.startswith("A page's process could not be forked")
    assert kernel.startswith("No process could be started for a page (Resource temporarily unavailable)")
    assert all(one.startswith("503 GET /") for one in answers)  # the log of requests
    assert not re.search("Traceback|ERROR", limited.log)


# --- as jupyter_client uses it ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def forks():
    """The parent of this process."""
    made = client.FORKS
    made.start()
    yield made
    made.stop()
    client.FORKS.__init__()


def end(manager) -> None:
    """Also of a kernel that ended by itself, whose manager keeps sockets."""
    if manager.is_alive():
        manager.shutdown_kernel(now=True)
    manager.cleanup_resources()
    manager.context.destroy(linger=0)


@pytest.fixture
def manager(forks, monkeypatch):
    from jupyter_client import KernelManager

    monkeypatch.setenv("JUPYTER_PATH", str(Path(client.__file__).parents[1] / "share" / "jupyter"))
    found = KernelManager(kernel_name="python3")
    found.start_kernel()
    yield found
    end(found)


def answer(manager, code: str) -> str:
    """What a kernel prints."""
    said = []
    with_client = manager.client()
    with_client.start_channels()
    with_client.wait_for_ready(60)
    with_client.execute_interactive(
        code, timeout=60, output_hook=lambda one: said.append(str(one["content"]))
    )
    with_client.stop_channels()
    return "".join(said)


def test_it_is_interrupted_restarted_and_shut_down(manager, forks):
    assert "42" in answer(manager, "print(6 * 7)")
    first = manager.provisioner.pid
    assert psutil.Process(first).name() == kernel_name(manager.kernel_id)
    with_client = manager.client()
    with_client.start_channels()
    with_client.wait_for_ready(60)
    with_client.execute("import time; known = 1; time.sleep(60)")
    time.sleep(0.3)
    manager.interrupt_kernel()
    reply = with_client.get_shell_msg(timeout=20)
    assert reply["content"].get("ename") == "KeyboardInterrupt"
    with_client.stop_channels()
    manager.restart_kernel()
    assert manager.provisioner.pid != first
    assert not psutil.pid_exists(first)
    assert "name 'known' is not defined" in answer(manager, "known")
    process = manager.provisioner.process
    manager.shutdown_kernel()
    assert process.wait(10) == 0
    assert not manager.is_alive()


def test_exit_codes_are_those_of_the_kernel(manager):
    process = manager.provisioner.process
    assert process.poll() is None
    answer_lost = manager.client()
    answer_lost.start_channels()
    answer_lost.wait_for_ready(60)
    answer_lost.execute("import os; os._exit(7)")
    assert process.wait(20) == 7
    answer_lost.stop_channels()
    assert not manager.is_alive()


def test_a_killed_kernel_has_the_exit_code_of_its_signal(manager):
    os.kill(manager.provisioner.pid, signal.SIGKILL)
    assert manager.provisioner.process.wait(20) == -signal.SIGKILL


def test_a_kernel_holds_nothing_of_another(manager, forks):
    code = "import os; print('open', len(os.listdir('/proc/self/fd')), os.getcwd())"
    first = re.search(r"open (\d+) (\S+?)\\n", answer(manager, code))
    other = type(manager)(kernel_name="python3")
    other.start_kernel()
    second = re.search(r"open (\d+) (\S+?)\\n", answer(other, code))
    end(other)
    assert abs(int(second[1]) - int(first[1])) <= 1  # the sockets of a first one would be six and more
    assert first[2] == second[2] == str(Path.cwd())
