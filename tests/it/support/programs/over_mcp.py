"""Solves its task over MCP, and writes down what a model would have needed once that is done."""

import json
import os
import pathlib

from testbed import CALLS, Mcp

tools = Mcp()
text, failed = tools.tool("observe")
assert not failed and "ferry" in os.environ["SCRATCHBED_INSTRUCTION"], text
for name, arguments in CALLS:
    text, failed = tools.tool(name, arguments)
    assert not failed, text
text, failed = tools.tool("done")
assert not failed, text
usage = {"calls": 4, "input_tokens": 500, "output_tokens": 20}
pathlib.Path(os.environ["SCRATCHBED_OUT"], "usage.json").write_text(json.dumps(usage))
