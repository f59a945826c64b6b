"""Faults of a server's benchmark: looking at them and handing patches in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import quote

from . import _types as t
from ._errors import Problem
from ._transport import Transport


class Bugs:
    """The benchmark of a server that was started with `--bench`; `Client.bugs`."""

    def __init__(self, transport: Transport, judge_token: str | None) -> None:
        self._transport = transport
        self._judge_token = judge_token

    def list(self) -> t.BugList:
        """Which instances there are.

        Raises:
            Problem: When the server has no benchmark.
        """
        return cast("t.BugList", self._transport.call("GET", "/bugs").json())

    def get(self, instance: str, *, representation: t.Representation = "ir", slice: bool = False) -> t.BugView:  # noqa: A002
        """One instance: what is seen, what should be, and the project as a text.

        Args:
            instance: Its id.
            representation: How the project is written: nested JSON, notation, or project.json.
            slice: Whether scripts are left out that the report has nothing to do with.
        """
        query = {"representation": representation, **({"slice": "true"} if slice else {})}
        return cast("t.BugView", self._transport.call("GET", _at(instance), query=query).json())

    def project(self, instance: str) -> bytes:
        """The buggy project, as an .sb3 file."""
        return self._transport.call("GET", _at(instance, "/project")).content

    def submit(
        self, instance: str, patch: Sequence[Mapping[str, Any]], *, explanation: str = "", judge: bool = False
    ) -> t.HandedIn:
        """Hand a patch in; the last one of an instance counts.

        Args:
            instance: Its id.
            patch: Edits, made in their order, all or none (docs/SCRATCHEVAL.md).
            explanation: What is wrong, in a sentence; 8 KiB at most.
            judge: Whether it is judged at once in place of being kept; needs a researcher's token.
        """
        headers = {}
        if judge:
            if self._judge_token is None:
                hint = "give judge_token=…, or set SCRATCHBED_JUDGE_TOKEN"
                raise Problem(403, "judge_token_required", "verdicts need a researcher's token", hint)
            headers = {"Authorization": f"Bearer {self._judge_token}"}
        body = {"patch": [dict(edit) for edit in patch], "explanation": explanation}
        reply = self._transport.call("POST", _at(instance, "/patch"), json=body, headers=headers)
        return cast("t.HandedIn", reply.json())


def _at(instance: str, rest: str = "") -> str:
    return f"/bugs/{quote(instance, safe='')}{rest}"
