"""Where the time of `make test` goes: seconds of its phases and of its slowest tests.

times.py run -- COMMAND...         run a command with a new record, then print the table of that record
times.py phase NAME -- COMMAND...  run a command and record its seconds
times.py runner EXE ARGS...        run an executable as cargo's test runner and record the seconds of its tests

The record is a folder named by the environment variable SCRATCHBED_TEST_TIMES. Without it, `phase` and `runner` record
nothing. The exit code is that of the command.
"""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

RECORD = "SCRATCHBED_TEST_TIMES"
PHASE = "SCRATCHBED_TEST_PHASE"
RECORDS = Path(__file__).resolve().parent.parent / ".cache" / "test-times"
SLOWEST = 20

Entry = dict[str, Any]

# Built by cargo with the test harness: others, such as `cargo run` and examples in the documentation, have no digest.
TEST_EXECUTABLE = re.compile(r"/deps/(?P<target>[^/]+)-[0-9a-f]{16}$")
NAME = re.compile(r"test (\S+)(?: - should panic.*?)? \.\.\. ")
RESULT = re.compile(r"(?:ok|FAILED) <([0-9.]+)s>$")
COLOUR = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z]|\([A-Z0-9])")


class TestLines:
    """Finds names and seconds of tests in what libtest prints, also where a test prints to the same line."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._rest = b""
        self._name: str | None = None

    def feed(self, chunk: bytes) -> None:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._line(COLOUR.sub("", line.decode(errors="replace")).rstrip())

    def _line(self, text: str) -> None:
        for name in NAME.finditer(text):
            self._name = name[1]
        result = RESULT.search(text)
        if result and self._name:
            self.seconds[self._name] = float(result[1])
            self._name = None


def record(kind: str, entry: Entry) -> None:
    folder = os.environ.get(RECORD)
    if folder and Path(folder).is_dir():
        with tempfile.NamedTemporaryFile("w", dir=folder, prefix=f"{kind}-", suffix=".json", delete=False) as file:
            json.dump(entry, file)


def entries(folder: Path, kind: str) -> list[Entry]:
    """What was recorded, in the order of its beginning."""
    found = []
    for file in folder.glob(f"{kind}-*.json"):
        try:
            found.append(json.loads(file.read_text()))
        except ValueError:
            continue  # Its writer was killed.
    return sorted(found, key=lambda entry: entry["began"])


def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a command that this process outlives, to record it: an interrupt reaches both from the terminal."""
    signal.signal(signal.SIGINT, lambda *_: None)
    try:
        # Open files are passed on: make has its job server among them.
        child = subprocess.Popen(command, close_fds=False, **options)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    return child


def exit_code(child: subprocess.Popen[bytes]) -> int:
    code = child.wait()
    return code if code >= 0 else 128 - code


def run(command: list[str]) -> int:
    folder = RECORDS / str(os.getpid())
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        code = exit_code(start(command, env={**os.environ, RECORD: str(folder)}))
        print(f"\n{table(entries(folder, 'phase'), entries(folder, 'tests'))}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return code


def phase(name: str, command: list[str]) -> int:
    began = time.time()
    code = exit_code(start(command, env={**os.environ, PHASE: name}))
    record("phase", {"name": name, "began": began, "seconds": time.time() - began, "code": code})
    return code


def runner(command: list[str]) -> int:
    executable = TEST_EXECUTABLE.search(command[0])
    is_run = not {"--list", "--help", "-h"}.intersection(command)
    if not (executable and is_run and os.environ.get(RECORD)):
        os.execv(command[0], command)
    timed = [*command, "-Zunstable-options", "--report-time"]
    if sys.stdout.isatty() and not any(word.startswith("--color") for word in command):
        timed.append("--color=always")
    began, lines = time.time(), TestLines()
    # Stable releases of the test harness take unstable options from processes with this variable.
    child = start(timed, stdout=subprocess.PIPE, env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
    stream(child, lines.feed)
    code = exit_code(child)
    package = os.environ.get("CARGO_PKG_NAME", "")
    figures = {"began": began, "seconds": time.time() - began, "tests": lines.seconds}
    record("tests", {"phase": os.environ.get(PHASE), "package": package, "target": executable["target"], **figures})
    return code


def stream(child: subprocess.Popen[bytes], feed: Callable[[bytes], None]) -> None:
    """Passes on what the child prints. Its own children may keep the pipe open, so its end is not waited for."""
    assert child.stdout is not None
    source = child.stdout.fileno()
    while True:
        has_ended = child.poll() is not None
        is_readable = bool(select.select([source], [], [], 0 if has_ended else 0.1)[0])
        chunk = os.read(source, 1 << 16) if is_readable else b""
        if chunk:
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
            feed(chunk)
        elif is_readable or has_ended:
            return


def table(phases: list[Entry], executables: list[Entry]) -> str:
    rows = [row("seconds", "phase")]
    for name, parts in groups(phases, lambda entry: entry["name"]).items():
        failed = next((f", failed with {part['code']}" for part in parts if part["code"]), "")
        rows.append(row(total(parts), name + failed))
        inner = [one for one in executables if one["phase"] == name and one["tests"]]
        rows += [row(total(some), f"  {what}") for what, some in groups(inner, described).items()]
    rows += [row(total(phases), "sum"), "", row("seconds", "slowest tests")]
    tests = [(f"{one['target']} {name}", taken) for one in executables for name, taken in one["tests"].items()]
    tests.sort(key=lambda test: -test[1])
    rows += [row(taken, name) for name, taken in tests[:SLOWEST]]
    return "\n".join(rows)


def row(figure: float | str, name: str) -> str:
    return f"{figure if isinstance(figure, str) else f'{figure:.1f}':>9}  {name}"


def described(executable: Entry) -> str:
    package, target = executable["package"], executable["target"]
    is_unit = target.replace("-", "_") == package.replace("-", "_")
    return f"unit tests of {package}" if is_unit else f"integration tests of {package}: {target}"


def groups(some: Iterable[Entry], key: Callable[[Entry], str]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in some:
        found.setdefault(key(entry), []).append(entry)
    return found


def total(some: Iterable[Entry]) -> float:
    return float(sum(entry["seconds"] for entry in some))


def main(words: list[str]) -> int:
    match words:
        case ["run", "--", *command] if command:
            return run(command)
        case ["phase", name, "--", *command] if command:
            return phase(name, command)
        case ["runner", *command] if command:
            return runner(command)
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
