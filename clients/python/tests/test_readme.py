"""The examples of the README, run as they stand there, in a process of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scratchbed

HERE = Path(__file__).resolve().parent
README = (HERE.parent / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def run(code: str, server: scratchbed.Server, binary: str) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": str(HERE.parent / "src"),
        "SCRATCHBED_BIN": binary,
        "SCRATCHBED_URL": server.url,
        "SCRATCHBED_JUDGE_TOKEN": server.judge_token,
    }
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("example", "says"), [(0, "passed 6 of 6 tests"), (1, "event_whenthisspriteclicked"), (2, "'status': 'ok'")]
)
def test_an_example_runs_as_it_stands(example: int, says: str, server: scratchbed.Server, binary: str) -> None:
    assert says in run(EXAMPLES[example], server, binary)


def test_there_is_no_other_example_and_the_first_is_short() -> None:
    assert len(EXAMPLES) == 3
    code = [line for line in EXAMPLES[0].splitlines() if line.strip() and not line.strip().startswith("#")]
    assert len(code) <= 15
