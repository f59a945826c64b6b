"""A server of one's own, for as long as a `with` block lasts."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ._errors import ServerFailed

__all__ = ["Server", "serve"]

# The server gives calls in flight ten seconds and then ends its browsers.
_STOP_SECONDS = 30.0


@dataclass(frozen=True)
class Server:
    """A running server.

    Attributes:
        url: Where it listens.
        judge_token: What it wants to see for verdicts; keep it from agents.
        pid: Its process.
    """

    url: str
    judge_token: str
    pid: int


@contextmanager
def serve(
    binary: str | Path | None = None,
    *,
    root: str | Path | None = None,
    max_sessions: int = 8,
    warm: int = 1,
    arguments: Sequence[str] = (),
) -> Iterator[Server]:
    """Start `scratchbed serve` on a free port of this machine, and stop it at the end.

    Args:
        binary: The program; else the variable `SCRATCHBED_BIN`, else `scratchbed` on the path.
        root: The checkout that it works in; else found from the working directory.
        max_sessions: How many sessions may live at once.
        warm: Ready pages to keep in reserve.
        arguments: More arguments of `scratchbed serve`.

    Raises:
        ServerFailed: When there is no such program, or it does not start; the code is the program's own.
    """
    command = [_find(binary), "--json", *(["--root", str(root)] if root else []), "serve", "--port", "0"]
    command += ["--max-sessions", str(max_sessions), "--warm", str(warm), *arguments]
    judge_token = secrets.token_urlsafe(24)
    # In the environment, since everybody on the machine can read the arguments of a process.
    environment = {**os.environ, "SCRATCHBED_JUDGE_TOKEN": judge_token}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment) as process:
        try:
            yield Server(_address(process), judge_token, process.pid)
        finally:
            _stop(process)


def _find(binary: str | Path | None) -> str:
    wanted = binary or os.environ.get("SCRATCHBED_BIN") or "scratchbed"
    found = shutil.which(wanted)
    if found is None:
        message = f"there is no program `{wanted}`"
        raise ServerFailed("binary_missing", message, "build it with `make build` and set SCRATCHBED_BIN to it")
    return found


def _address(process: subprocess.Popen[bytes]) -> str:
    """Wait for the line that tells the address; it comes when the server listens, or the process ends."""
    line = process.stdout.readline() if process.stdout else b""
    try:
        answer = json.loads(line)
    except ValueError:
        message = f"the server said {line!r} and ended with status {process.wait()}"
        raise ServerFailed("server_not_started", message, "see what it wrote to standard error") from None
    if "url" not in answer:
        error = answer.get("error", {})
        raise ServerFailed(error.get("code", "server_not_started"), error.get("message", ""), error.get("hint"))
    return str(answer["url"])


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
