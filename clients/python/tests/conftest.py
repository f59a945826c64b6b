"""One real server with real browsers for all tests; nothing is faked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import scratchbed

CHECKOUT = Path(__file__).resolve().parents[3]

# Tests may run as root, in a container; servers that they start would refuse to.
os.environ["SCRATCHBED_ALLOW_ROOT"] = "1"


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
