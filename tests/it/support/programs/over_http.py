"""Solves its task over HTTP, reports what a model would have needed, and leaves a file."""

import os
import pathlib
import time

from testbed import CALLS, HERE, call

assert os.environ["SCRATCHBED_TASK"] == "stuck_ferry" and os.environ["SCRATCHBED_MODE"] == "composite"
assert "ferry" in os.environ["SCRATCHBED_INSTRUCTION"] and int(os.environ["SCRATCHBED_SEED"]) >= 0
assert 0 < float(os.environ["SCRATCHBED_DEADLINE"]) - time.time() < 3600
status, info = call("GET", HERE)
assert status == 200 and info["attempt"]["steps_left"]["composite"] == int(os.environ["SCRATCHBED_STEPS"]), info
status, seen = call("GET", f"{HERE}/observation/composite")
assert status == 200 and seen["data"]["pseudocode"], seen
for name, arguments in CALLS:
    status, reply = call("POST", f"{HERE}/composite/{name}", arguments)
    assert status == 200 and reply["success"], reply
for _ in range(2):
    assert call("POST", f"{HERE}/usage", {"input_tokens": 1000, "output_tokens": 10})[0] == 200
pathlib.Path(os.environ["SCRATCHBED_OUT"], "thoughts.txt").write_text("the loop was empty")
print("it is done")
assert call("POST", f"{HERE}/composite/done", {})[0] == 200
