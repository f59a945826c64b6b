#!/usr/bin/env python3
"""Stands in for Chromium: starts the real one and carries the DevTools frames, not always well.

Frames are CBOR: an envelope (tag 24, a byte string with its length in four bytes) around a map.

`faults.json` beside this file says what goes wrong, of the frames that Chromium sends:
  delay_ms  the longest that a frame is held back, drawn for each
  drop      {"method of the command": how many of its answers are lost}
  garbage   one frame in so many is followed by one of the right length that is no message
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


HEADER = 7


def whole(descriptor, length):
    """So many bytes, or None at the end."""
    kept = b""
    while len(kept) < length:
        if not (piece := os.read(descriptor, length - len(kept))):
            return None
        kept += piece
    return kept


def frames(descriptor):
    """Whole frames."""
    while head := whole(descriptor, HEADER):
        yield head + whole(descriptor, int.from_bytes(head[3:], "big"))


def write(descriptor, frame):
    """All of a frame."""
    left = memoryview(frame)
    while left:
        left = left[os.write(descriptor, left) :]


def length_at(frame, at):
    """The number in a head, and where what follows it begins."""
    small = frame[at] & 31
    size = {24: 1, 25: 2, 26: 4}.get(small, 0)
    number = int.from_bytes(frame[at + 1 : at + 1 + size], "big") if size else small
    return number, at + 1 + size


def names(frame):
    """The entries of a message that are texts and numbers."""
    found, at, key = {}, HEADER + 1, None
    while frame[at] != 0xFF:
        if frame[at] == 0xD8:
            # An envelope, with or without the number of its tag, is left out.
            length, start = length_at(frame, at + (2 if frame[at + 1] == 0x18 else 1))
            value, at = None, start + length
        elif frame[at] >> 5 in (2, 3):
            length, start = length_at(frame, at)
            value, at = frame[start : start + length].decode(errors="replace"), start + length
        else:
            value, at = length_at(frame, at)
        if key is None:
            key = value
        else:
            found[key], key = value, None
    return found


def commands(to_chromium):
    """From the testbed to Chromium."""
    for frame in frames(3):
        command = names(frame)
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
        if is_lost(names(frame)):
            continue
        time.sleep(chance.random() * faults.get("delay_ms", 0) / 1000)
        write(4, frame)
        if faults.get("garbage") and number % faults["garbage"] == 0:
            write(4, b"\xd8\x18\x5a\0\0\0\x06\xbf\x62id\x01\x1c")


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
