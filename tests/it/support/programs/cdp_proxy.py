#!/usr/bin/env python3
"""Stands in for Chromium: starts the real one and carries the DevTools frames, not always well.

`faults.json` beside this file says what goes wrong, of the frames that Chromium sends:
  delay_ms  the longest that a frame is held back, drawn for each
  drop      {"method of the command": how many of its answers are lost}
  garbage   one frame in so many is followed by one that is no JSON
  silent    after so many frames nothing gets through any more
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

faults = json.loads(Path(__file__).with_name("faults.json").read_text())
chance = random.Random(faults.get("seed", 1))
drops = dict(faults.get("drop", {}))
methods = {}


def frames(descriptor):
    """Whole frames without their NUL."""
    kept = b""
    while piece := os.read(descriptor, 1 << 20):
        *whole, kept = (kept + piece).split(b"\0")
        yield from whole


def write(descriptor, frame):
    """A frame with its NUL."""
    left = memoryview(frame + b"\0")
    while left:
        left = left[os.write(descriptor, left) :]


def commands(to_chromium):
    """From the testbed to Chromium."""
    for frame in frames(3):
        command = json.loads(frame)
        methods[command["id"], command.get("sessionId")] = command["method"]
        write(to_chromium, frame)
    os.close(to_chromium)


def is_lost(answer):
    """Whether this answer is one of those that don't arrive."""
    method = methods.pop((answer.get("id"), answer.get("sessionId")), None)
    if drops.get(method, 0) > 0:
        drops[method] -= 1
        return True
    return False


def answers(from_chromium):
    """From Chromium to the testbed."""
    for number, frame in enumerate(frames(from_chromium)):
        if number >= faults.get("silent", 1 << 60):
            continue
        if is_lost(json.loads(frame)):
            continue
        time.sleep(chance.random() * faults.get("delay_ms", 0) / 1000)
        write(4, frame)
        if faults.get("garbage") and number % faults["garbage"] == 0:
            write(4, b'{"id": 1, "result": {"half')


theirs_to_read, to_chromium = os.pipe()
from_chromium, theirs_to_write = os.pipe()


def hand_over():
    """Puts the pipe where Chromium looks for it."""
    # Out of the way first: either may be one of the two numbers.
    read, wrote = os.dup(theirs_to_read), os.dup(theirs_to_write)
    os.dup2(read, 3)
    os.dup2(wrote, 4)


chromium = subprocess.Popen([faults["chromium"], *sys.argv[1:]], preexec_fn=hand_over, close_fds=False)
os.close(theirs_to_read)
os.close(theirs_to_write)
for work, descriptor in ((commands, to_chromium), (answers, from_chromium)):
    threading.Thread(target=work, args=(descriptor,), daemon=True).start()
sys.exit(chromium.wait())
