"""Tries all that it must not, says how that was answered, and leaves processes behind. Arguments: files to read, and
then `--`, what to do at the end (`done`, `limit` or `hang`), and for how many seconds the two processes sleep that it
leaves behind, by which they are told from those of others."""

import json
import subprocess
import sys
import time

from testbed import HERE, Mcp, call

files, (how, *left) = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
stranger = "/sessions/" + "0" * 32
tries = {
    "other mode": ("POST", f"{HERE}/primitive/click", {"x": 5, "y": 5}),
    "other mode by name": ("POST", f"{HERE}/act/primitive", {"api": "observe"}),
    "other mode's picture": ("GET", f"{HERE}/observation/primitive", None),
    "screenshot": ("GET", f"{HERE}/screenshot", None),
    "second session": ("POST", "/sessions", {"task": "stuck_ferry"}),
    "other session": ("POST", f"{stranger}/composite/done", {}),
    "tasks": ("GET", "/tasks", None),
    "task": ("GET", "/tasks/stuck_ferry", None),
    "verdict": ("POST", "/tasks/stuck_ferry/verdict", {}),
    "runs": ("GET", "/runs", None),
    "metrics": ("GET", "/metrics", None),
    "log": ("GET", f"{HERE}/events", None),
    "project": ("GET", f"{HERE}/project", None),
    "reset": ("POST", f"{HERE}/reset", {}),
    "end of the session": ("DELETE", HERE, None),
}
answers = {}
for what, (method, path, body) in tries.items():
    status, answer = call(method, path, body)
    answers[what] = [status, answer["code"]]
connections = {mode: Mcp(mode) for mode in ["primitive", "composite"]}
for mode, tool, arguments in [
    ("primitive", "click", {"x": 5, "y": 5}),
    ("composite", "start_task", {"task": "stuck_ferry"}),
    ("composite", "list_tasks", {}),
    ("composite", "end_session", {}),
    ("composite", "observe", {"session": "0" * 32}),
]:
    text, failed = connections[mode].tool(tool, arguments)
    answers[f"mcp {tool}"] = [failed, json.loads(text)["code"]]
answers["mcp resource"] = connections["composite"].ask("resources/read", {"uri": "task://stuck_ferry"})["message"]
for file in files:
    try:
        with open(file) as opened:
            answers[file] = opened.read()
    except PermissionError:
        answers[file] = "PermissionError"
print(json.dumps(answers), flush=True)
own, foreign = left or ["4321", "4322"]
subprocess.Popen(["sleep", own])
subprocess.Popen(["sleep", foreign], start_new_session=True)
if how == "done":
    assert call("POST", f"{HERE}/composite/done", {})[0] == 200
    status, late = call("POST", f"{HERE}/composite/add_block", {"blockType": "motion_movesteps"})
    assert (status, late["code"]) == (409, "attempt_ended"), late
    assert late["hint"] == "nothing is left to do: end the program", late
    text, failed = connections["composite"].tool("add_block", {"blockType": "motion_movesteps"})
    assert failed and json.loads(text)["hint"] == "no more actions are carried out: end the program", text
elif how == "limit":
    while True:
        call("POST", f"{HERE}/composite/add_block", {"blockType": "no_such_block"})
time.sleep(600)
