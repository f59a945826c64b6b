"""Programs that attempt a task by themselves inside `scratchbed run`: with this client, and with the SDK's of MCP."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import CHECKOUT, of_the_day

HERE = Path(__file__).resolve().parent
TASK = "stuck_ferry"


def attempt(binary: str, via: str) -> dict[str, Any]:
    """The record of the one attempt of a run."""
    calls = CHECKOUT / f"tasks/debug/{TASK}/oracle.composite.json"
    line = [sys.executable, str(HERE / f"programs/over_{via}.py"), str(calls)]
    command = f"PYTHONPATH={shlex.quote(str(HERE.parent / 'src'))} exec {shlex.join(line)}"
    asked = ["run", "--agent", "command", "--command", command, "--via", via, "--isolation", "none"]
    arguments = [*asked, "--mode", "composite", "--task", TASK, "--retries", "0", "--json", "--root", str(CHECKOUT)]
    done = subprocess.run([binary, *arguments], capture_output=True, text=True, check=False, timeout=300)
    answer = json.loads(done.stdout.splitlines()[-1])
    assert done.returncode == 0, (answer, done.stderr)
    record: dict[str, Any] = answer["attempts"][0]
    return record


WAYS = [("http", 2, 1200), ("mcp", 0, 0)]


@pytest.mark.parametrize(("via", "calls", "tokens"), of_the_day(WAYS, 1))
def test_a_program_solves_a_task_and_its_one_refusal_is_counted(binary: str, via: str, calls: int, tokens: int) -> None:
    record = attempt(binary, via)
    assert record["outcome"] == "passed", record
    assert (record["detail"]["steps"], record["detail"]["refusals"]) == (2, 1), record
    assert (record["cost"]["calls"], record["cost"]["input_tokens"]) == (calls, tokens), record
