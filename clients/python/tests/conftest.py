"""One real server with real browsers for all tests; nothing is faked."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

import scratchbed

CHECKOUT = Path(__file__).resolve().parents[3]

T = TypeVar("T")

# Tests may run as root, in a container; servers that they start would refuse to.
os.environ["SCRATCHBED_ALLOW_ROOT"] = "1"


def of_the_day(items: Sequence[T], count: int) -> list[T]:
    """So many neighbours, which the date chooses, so that each has its day; with `SCRATCHBED_TESTS=all` all of them."""
    if os.environ.get("SCRATCHBED_TESTS") == "all":
        return list(items)
    first = int(time.time()) // (24 * 60 * 60) * count
    return [items[(first + place) % len(items)] for place in range(count)]


@pytest.fixture(scope="session")
def binary() -> str:
    """The program under test; `make test-python` sets it."""
    found = os.environ.get("SCRATCHBED_BIN")
    if not found:
        pytest.fail("set SCRATCHBED_BIN to the program, or run `make test-python`", pytrace=False)
    return found


@pytest.fixture(scope="session")
def server(binary: str) -> Iterator[scratchbed.Server]:
    """A server with room for two sessions."""
    with scratchbed.serve(binary, root=CHECKOUT, max_sessions=2, arguments=["--structured"]) as running:
        yield running
