"""Steers generated requests to what lives: sessions that exist, tasks that exist, files that load.

Without it nearly every request would end at "no such session". What a case is steered to depends on the case alone, so
that a failure can be reproduced. Read by schemathesis, see run.py.
"""

from __future__ import annotations

import ast
import atexit
import collections
import json
import os
import re
import threading
import zlib
from pathlib import Path
from typing import Any

import requests
import schemathesis

SESSIONS: list[str] = json.loads(os.environ["FUZZ_SESSIONS"])
PROJECT = Path(os.environ["FUZZ_PROJECT"]).read_bytes()
PROJECT_TYPE = "application/x.scratch.sb3"
AUTHORIZATION = {"Authorization": f"Bearer {os.environ['FUZZ_TOKEN']}"}
TASK = "stuck_ferry"
# Drags may last half a minute and texts have two thousand keys: valid, but a run has better things to do than wait.
LONGEST_DRAG = 0.05
LONGEST_TEXT = 40
# So may calls that wait for something to happen.
LONGEST_WAIT_MS = 50

ACTION = re.compile(r"/sessions/\{id\}/(act/)?(primitive|composite)(/\w+)?")
NAMES = json.loads(os.environ["FUZZ_ACTIONS"])

# Generated edits make a project grow; it is loaded anew after so many requests of a session.
RENEW_AFTER = 60

# CPython 3.11 counts the depth of a syntax tree in a state that its threads share, and breaks off when two of them
# build one at the same time (python/cpython#106905). The generator parses sources to name what it calls.
_parsing = threading.Lock()
_parse = ast.parse


def _parse_alone(*args: Any, **kwargs: Any) -> Any:
    with _parsing:
        return _parse(*args, **kwargs)


ast.parse = _parse_alone

uses: collections.Counter[str] = collections.Counter()
tally: collections.Counter[str] = collections.Counter()
# Sessions that generated requests created; requests that delete sessions get them.
spares: list[str] = []


def chance(case: schemathesis.Case, salt: str) -> float:
    """A number from 0 to 1 that is the same for the same case."""
    text = f"{salt} {case.operation.label} {case.path_parameters!r} {case.query!r} {case.body!r}"
    return zlib.crc32(text.encode("utf-8", "backslashreplace")) / 2**32


@schemathesis.serializer(PROJECT_TYPE)
def send_as_it_is(_context: Any, value: Any) -> Any:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "backslashreplace")


@schemathesis.hook
def before_call(_context: Any, case: schemathesis.Case, _kwargs: dict[str, Any]) -> None:
    path, method = case.operation.path, case.method.upper()
    if path.startswith("/sessions/{id}"):
        steer_session(case, path, method)
    elif path.startswith("/tasks/{id}") and chance(case, "task") < 0.8:
        case.path_parameters["id"] = TASK
    hurry(case, path)
    if path.endswith(("/project", "/verdict")) and method in {"PUT", "POST"} and chance(case, "project") < 0.08:
        case.body = PROJECT if chance(case, "project") < 0.04 else damaged(case)
        case.media_type = PROJECT_TYPE
    if isinstance(case.body, dict):
        shorten(case)
        if "/act/" in path and "api" in case.body and chance(case, "api") < 0.9:
            names = NAMES[path.rpartition("/")[2]]
            case.body["api"] = names[int(chance(case, "name") * len(names))]


def damaged(case: schemathesis.Case) -> bytes:
    """The project with its end cut off, or with one byte of it altered."""
    at = int(chance(case, "damage") * len(PROJECT))
    if chance(case, "cut") < 0.3:
        return PROJECT[:at]
    return PROJECT[:at] + bytes([PROJECT[at] ^ 0x55]) + PROJECT[at + 1 :]


def steer_session(case: schemathesis.Case, path: str, method: str) -> None:
    if method == "DELETE" and path == "/sessions/{id}":
        # Never one of ours, which the generator has seen in lists.
        if spares or case.path_parameters["id"] in SESSIONS:
            case.path_parameters["id"] = spares.pop() if spares else "0" * 32
    # A reset takes a fresh page, which is seconds of work.
    elif chance(case, "session") < (0.2 if path.endswith("/reset") else 0.9):
        case.path_parameters["id"] = SESSIONS[int(chance(case, "which") * len(SESSIONS))]


def hurry(case: schemathesis.Case, path: str) -> None:
    query = case.query or {}
    wait = query.get("wait_ms")
    if isinstance(wait, int | float) and LONGEST_WAIT_MS < wait <= 30_000:
        query["wait_ms"] = LONGEST_WAIT_MS
    if path.endswith("/stream") and query.get("follow", True) in (True, "true"):
        case.query = {**query, "follow": "false"}


def shorten(case: schemathesis.Case) -> None:
    arguments = case.body.get("args", case.body)
    if not isinstance(arguments, dict):
        return
    duration, text = arguments.get("duration"), arguments.get("text")
    if isinstance(duration, int | float) and LONGEST_DRAG < duration <= 10:
        arguments["duration"] = LONGEST_DRAG
    if isinstance(text, str) and len(text) <= 300 and chance(case, "text") < 0.98:
        arguments["text"] = text[:LONGEST_TEXT]


@schemathesis.hook
def after_call(_context: Any, case: schemathesis.Case, response: schemathesis.Response) -> None:
    tally[str(response.status_code)] += 1
    session = (case.path_parameters or {}).get("id")
    uses[session] += session in SESSIONS
    if uses[session] == RENEW_AFTER:
        uses[session] = 0
        url, headers = f"{os.environ['FUZZ_URL']}/sessions/{session}/project", {"Content-Type": PROJECT_TYPE}
        requests.put(url, data=PROJECT, headers={**headers, **AUTHORIZATION}, timeout=60).raise_for_status()
    if response.status_code == 201:
        spares.append(response.json()["id"])
    if response.status_code == 200 and ACTION.fullmatch(case.operation.path):
        tally["actions carried out"] += bool(response.json()["success"])


@atexit.register
def report() -> None:
    """Leave the figures where run.py finds them."""
    Path(os.environ["FUZZ_FIGURES"]).write_text(json.dumps(tally))
