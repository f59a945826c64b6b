"""Tasks that say `"stage": "small"` show it small to sessions and environments of this client."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import CHECKOUT, of_the_day

import scratchbed
from scratchbed.gym import ScratchEnv

TASK = "three_times"


@pytest.fixture(scope="module")
def client(binary: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[scratchbed.Client]:
    """A client of a server over an imported pack, whose tasks have the small stage."""
    pack: Path = tmp_path_factory.mktemp("pack") / "pack"
    checkout = CHECKOUT / "tests/fixtures/scratchworld/checkout"
    command: list[str | Path] = [binary, "--root", CHECKOUT, "task", "import", "scratchworld", checkout, "--out", pack]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with (
        scratchbed.serve(binary, root=CHECKOUT, max_sessions=2, warm=0, arguments=["--pack", str(pack)]) as server,
        scratchbed.Client(server.url, judge_token=server.judge_token) as client,
    ):
        yield client


def stage_width(session: scratchbed.Session) -> int:
    """The width of the stage in CSS pixels, as an agent sees it."""
    elements = session.primitive.observe(ocr="off").elements
    assert elements is not None
    stage = next(element for element in elements if element["type"] == "stage")
    return stage["position"]["width"]


def test_a_session_has_the_stage_of_its_task(client: scratchbed.Client) -> None:
    assert client.task(TASK)["stage"] == "small"
    with client.session(TASK) as small, client.session() as large:
        assert abs(stage_width(small) - 240) <= 4
        assert abs(stage_width(large) - 480) <= 4


@pytest.mark.parametrize("mode", of_the_day(["primitive", "composite"], 1))
def test_an_environment_has_it_too_and_after_a_reset(client: scratchbed.Client, mode: scratchbed.Mode) -> None:
    env = ScratchEnv(TASK, mode=mode, client=client, ocr="off")
    for _ in range(2):
        env.reset()
        assert abs(stage_width(env.session) - 240) <= 4
    env.close()
