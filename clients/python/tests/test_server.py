"""Starting and stopping a server of one's own."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

import scratchbed


def test_it_listens_while_the_block_lasts(server: scratchbed.Server) -> None:
    assert httpx.get(f"{server.url}/health").json()["status"] == "ok"


def test_a_missing_program_is_told_with_a_hint() -> None:
    with pytest.raises(scratchbed.ServerFailed) as caught, scratchbed.serve("/no/such/program"):
        pass
    assert caught.value.code == "binary_missing"
    assert "make build" in str(caught.value.hint)


def test_a_server_that_does_not_start_says_why(binary: str, tmp_path: Path) -> None:
    with pytest.raises(scratchbed.ServerFailed) as caught, scratchbed.serve(binary, root=tmp_path):
        pass
    assert caught.value.code == "no_checkout", caught.value
