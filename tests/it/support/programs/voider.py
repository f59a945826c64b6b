"""Provokes all kinds of errors, in each way in which a program can, says which codes it was answered, and ends with its calls
still waiting. Argument: a folder; the first attempt that it serves calls over HTTP, the next one over MCP."""

import json
import os
import pathlib
import sys
import threading

from testbed import HERE, Mcp, call

MODE = os.environ["SCRATCHBED_MODE"]
DRAG = {"start_x": 500, "start_y": 600, "end_x": 560, "end_y": 620}
ERRORS = {
    "composite": [
        ("add_block", {"blockType": "no_such_block"}),
        ("select_sprite", {"name": "x" * 100_000}),
        ("delete_block", {"blockIndex": 10**9}),
        ("add_block", {"blockType": 5, "more": [[[]]] * 1000}),
    ],
    "primitive": [
        ("type", {"text": "x" * 2000}),
        ("drag_and_drop", DRAG | {"duration": 60}),
        ("scroll", {"direction": "down", "amount": 1e9}),
        ("key", {"key": "F5"}),
        ("click", {"x": 5000, "y": 5}),
    ],
}
# What is sent at once and not waited for: more than may wait for a session, each as long as it may be made here.
LONG = {"composite": ("observe", {}), "primitive": ("drag_and_drop", DRAG | {"duration": 2})}
AT_ONCE = 48


def is_first():
    try:
        os.close(os.open(pathlib.Path(sys.argv[1], MODE), os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def over_http(name, arguments):
    """The code with which a call over HTTP is answered."""
    _, answer = call("POST", f"{HERE}/act/{MODE}", {"api": name, "args": arguments})
    return answer["code"] if "code" in answer else (answer["error"] or {"code": "ok"})["code"]


def over_mcp(connection, name, arguments):
    """The same over MCP."""
    text, failed = connection.tool(name, arguments)
    return json.loads(text)["code"] if failed else "ok"


door, answered, is_full = "http" if is_first() else "mcp", set(), threading.Event()
connection = Mcp() if door == "mcp" else None
for name, arguments in ERRORS[MODE] + [("fly", {}), ("observe", {"wings": 2})]:
    answered.add(over_http(name, arguments) if door == "http" else over_mcp(connection, name, arguments))


def send():
    if over_http(*LONG[MODE]) == "busy":
        is_full.set()


for _ in range(AT_ONCE):
    threading.Thread(target=send, daemon=True).start()
if MODE == "primitive":
    # From now on whoever looks at the project finds the session's queue full.
    assert is_full.wait(60)
    answered.add("busy" if door == "http" else over_mcp(connection, *LONG[MODE]))
print(json.dumps({"door": door, "codes": sorted(answered)}), flush=True)
os._exit(0)
