"""Sends generated requests to a real server, as its OpenAPI document describes them: `make fuzz-api`.

Starts a server with room for four sessions, creates three, and has schemathesis call every operation with data that
fits the document and data that does not, project files and damaged ones among them. Beside it, listeners follow the
sessions' streams and go away in their midst. Fails on any 5xx, on any reply whose status, media type, headers or body
the document does not allow, and when the server takes more memory than it may.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import httpx

import scratchbed

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[2]
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
)


# Streams that are followed at the same time.
LISTENERS = 4
# The longest that a listener stays, in seconds.
LISTENS = 2.0
# What the server itself, without its browsers, may take at its largest, in megabytes.
MEMORY_MB = 1000


def listen(http: httpx.Client, sessions: list[str], until: threading.Event, heard: Counter[str], seed: int) -> None:
    """Follows streams one after another, never to their end."""
    chance = random.Random(seed)
    while not until.is_set():
        path = f"/sessions/{chance.choice(sessions)}/" + chance.choice(["events/stream", "live"])
        leave = time.monotonic() + chance.random() * LISTENS
        try:
            with http.stream("GET", path) as reply:
                heard[f"{reply.status_code} on a stream"] += 1
                for _ in reply.iter_raw():
                    if time.monotonic() > leave or until.is_set():
                        break
        except httpx.TimeoutException:
            heard["silent streams"] += 1


def peak_mb(pid: int) -> float:
    """The most memory that the process has had."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1000
    return 0.0


def actions(http: httpx.Client) -> dict[str, list[str]]:
    """The names of the actions of each mode, as the document has them."""
    names: dict[str, list[str]] = {"primitive": [], "composite": []}
    for path in http.get("/openapi.json").json()["paths"]:
        match path.split("/"):
            case ["", "sessions", "{id}", "primitive" | "composite" as mode, name]:
                names[mode].append(name)
    return names


def main() -> int:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schemathesis", required=True, help="the program")
    parser.add_argument("--examples", type=int, default=250, help="generated requests an operation, at most")
    parser.add_argument("--seed", type=int, default=1, help="seed of the generator")
    parser.add_argument("--workers", type=int, default=4, help="requests at the same time")
    given, further = parser.parse_known_args()
    # In CI it runs as root, in a container.
    os.environ["SCRATCHBED_ALLOW_ROOT"] = "1"
    with (
        tempfile.TemporaryDirectory() as folder,
        scratchbed.serve(root=CHECKOUT, max_sessions=4, warm=1) as server,
        httpx.Client(base_url=server.url, timeout=60) as http,
    ):
        created = [http.post("/sessions", json=body).json() for body in ({}, {"task": "stuck_ferry"}, {})]
        sessions = [session["id"] for session in created]
        project = Path(folder, "project.sb3")
        project.write_bytes(http.get(f"/sessions/{sessions[1]}/project").content)
        figures = Path(folder, "figures.json")
        environment = {
            **os.environ,
            "SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"),
            "FUZZ_SESSIONS": json.dumps(sessions),
            "FUZZ_PROJECT": str(project),
            "FUZZ_URL": server.url,
            "FUZZ_TOKEN": server.judge_token,
            "FUZZ_ACTIONS": json.dumps(actions(http)),
            "FUZZ_FIGURES": str(figures),
        }
        command = [given.schemathesis, "run", f"{server.url}/openapi.json", "--checks", ",".join(CHECKS)]
        command += ["--phases", "examples,coverage,fuzzing", "--continue-on-failure", "--no-shrink"]
        command += ["--max-examples", str(given.examples), "--seed", str(given.seed), "--workers", str(given.workers)]
        command += ["--header", f"Authorization:Bearer {server.judge_token}", "--suppress-health-check", "all"]
        command += ["--request-timeout", "120", "--generation-database", "none", *further]
        started = time.monotonic()
        done, heard = threading.Event(), Counter[str]()
        headers = {"Authorization": f"Bearer {server.judge_token}"}
        following = httpx.Client(base_url=server.url, headers=headers, timeout=30)
        listeners = [
            threading.Thread(target=listen, args=(following, sessions, done, heard, number))
            for number in range(LISTENERS)
        ]
        for listener in listeners:
            listener.start()
        status = subprocess.run(command, env=environment, cwd=folder, check=False).returncode
        done.set()
        for listener in listeners:
            listener.join()
        following.close()
        took = time.monotonic() - started
        peak = peak_mb(server.pid)
        tally = json.loads(figures.read_text())
        alive = {session["id"] for session in http.get("/sessions").json()["sessions"]}
    print(f"{sum(count for name, count in tally.items() if name.isdigit())} requests in {took:.0f} s: {tally}")
    print(f"beside it {dict(heard)}; the server took {peak:.0f} MB at most")
    broken = [name for name in heard if name[0] == "5"]
    if broken or peak > MEMORY_MB:
        print(f"not as it must be: {broken or f'more than {MEMORY_MB} MB'}")
        status = status or 1
    lost = set(sessions) - alive
    if lost:
        print(f"sessions that did not live to the end: {sorted(lost)}")
    return status or bool(lost)


if __name__ == "__main__":
    sys.exit(main())
