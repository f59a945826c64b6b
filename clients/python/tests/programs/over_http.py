"""A program of `run --via http`: solves its task with the client of this package."""

import json
import os
import sys
from pathlib import Path

import pytest

import scratchbed

calls = json.loads(Path(sys.argv[1]).read_text())
with scratchbed.Client() as client, client.attach() as session:
    assert session.task == os.environ["SCRATCHBED_TASK"]
    assert session.instruction == os.environ["SCRATCHBED_INSTRUCTION"]
    with pytest.raises(scratchbed.Problem, match="opens one session"):
        client.session(session.task)
    for call in calls:
        reply = session.act("composite", call["api"], call["args"])
        assert reply.success, reply.error
    session.report_usage(calls=2, input_tokens=1200, output_tokens=34)
    session.composite.done()
