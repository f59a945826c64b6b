"""Experiments of a server, for researchers: creating and watching them, and giving orders."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from . import _types as t
from ._errors import Infrastructure
from ._transport import Transport

# The media type of TOML.
_TOML = "application/toml"
# Between two attempts to reach a server that is gone.
_PAUSE_SECONDS = 0.5

ExperimentFile = str | Path
"""The file of an experiment: its text, or where it lies."""

Statuses = list[t.ExperimentStatus]
Points = list[t.CurvePoint]


@dataclass(frozen=True)
class CellsChanged:
    """Cells that changed, as they are now.

    Attributes:
        cells: Their arms and items are places in the lists of `Experiments.cells`.
        cursor: From where `Experiments.watch` goes on.
    """

    cells: list[t.ExperimentCell]
    cursor: str


@dataclass(frozen=True)
class StatusChanged:
    """How far the experiment is now.

    Attributes:
        details: As `Experiments.get` gives it.
        cursor: From where `Experiments.watch` goes on.
    """

    details: t.ExperimentDetails
    cursor: str


Change = CellsChanged | StatusChanged
"""What a watcher is told."""


class Experiments:
    """The experiments of a server's ledger; `Client.experiments`.

    Every call needs a researcher's token where the server has tokens.
    """

    def __init__(self, transport: Transport, token: str | None, patience: float) -> None:
        self._transport = transport
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._patience = patience

    def plan(self, file: ExperimentFile) -> t.PlannedExperiment:
        """What a file asks for: arms, cells, prices. Nothing is begun.

        Raises:
            Problem: When the file is wrong, names what it must not name, or the server runs no experiments.
        """
        return cast("t.PlannedExperiment", self._post_file(file, {"dry_run": "true"}))

    def create(self, file: ExperimentFile) -> t.CreatedExperiment:
        """Create an experiment, which the server runs; returns once its ledger has it.

        Args:
            file: The text of its file, or where it lies on this machine. It may name neither files and programs of the
                server nor keys that its operator has not allowed.

        Raises:
            Problem: As for `plan`; when there is one of this name, or the server runs as many as it may.
        """
        return cast("t.CreatedExperiment", self._post_file(file, {}))

    def list(self) -> Statuses:
        """How far all experiments are, newest first."""
        return cast("Statuses", self._get("/experiments")["experiments"])

    def get(self, name: str) -> t.ExperimentDetails:
        """How far an experiment is: arms, lanes, spend, failures, workers, orders."""
        return cast("t.ExperimentDetails", self._get(_at(name)))

    def cells(self, name: str) -> t.CellList:
        """All cells of an experiment, and a cursor for `watch`."""
        return cast("t.CellList", self._get(_at(name, "/cells")))

    def curves(self, name: str) -> Points:
        """How spend and decided cells grew, as at most 300 points."""
        return cast("Points", self._get(_at(name, "/curves"))["points"])

    def watch(self, name: str, *, after: str | None = None) -> Iterator[Change]:
        """Follow an experiment until it is closed.

        A lost connection is made again, from the last change on: nothing is missed, and some changes may come twice.

        Args:
            name: The experiment.
            after: The cursor of the last change that is known, or of `cells`; all cells are told when absent.

        Raises:
            Problem: When there is no such experiment, or the token does not suffice.
            Infrastructure: When the server stays away for the client's `patience`.
        """
        cursor, until = after, time.monotonic() + self._patience
        while True:
            headers = self._headers | ({"Last-Event-ID": cursor} if cursor else {})
            try:
                for kind, data, event_id in _events(self._transport, _at(name, "/events"), headers):
                    cursor, until = event_id or cursor, time.monotonic() + self._patience
                    change = _change(kind, data, cursor or "")
                    if change is None:
                        continue
                    yield change
                    if isinstance(change, StatusChanged) and change.details["status"]["state"] == "closed":
                        return
            except Infrastructure:
                if time.monotonic() + _PAUSE_SECONDS > until:
                    raise
            time.sleep(_PAUSE_SECONDS)

    def pause(
        self, name: str, *, arm: str | None = None, lane: str | None = None, why: str | None = None
    ) -> t.ExperimentOrder:
        """Release no more cells of the experiment, an arm or a lane; what runs goes on."""
        return self._order(name, "pause", arm=arm, lane=lane, why=why)

    def hold(
        self, name: str, *, arm: str | None = None, lane: str | None = None, why: str | None = None
    ) -> t.ExperimentOrder:
        """As `pause`, and let what runs ask no model."""
        return self._order(name, "hold", arm=arm, lane=lane, why=why)

    def resume(
        self, name: str, *, arm: str | None = None, lane: str | None = None, why: str | None = None
    ) -> t.ExperimentOrder:
        """Go on."""
        return self._order(name, "resume", arm=arm, lane=lane, why=why)

    def drain(
        self, name: str, *, arm: str | None = None, lane: str | None = None, why: str | None = None
    ) -> t.ExperimentOrder:
        """Let what runs end, and stop then."""
        return self._order(name, "drain", arm=arm, lane=lane, why=why)

    def set(
        self, name: str, limit: t.ExperimentLimit, value: float | None, *, lane: str | None = None
    ) -> t.ExperimentOrder:
        """Change a limit.

        Args:
            name: The experiment.
            limit: Which one; the last three are a lane's.
            value: Dollars for `usd`, seconds for `wall`; None takes the limit away.
            lane: Whose limit it is, for those of a lane.
        """
        # A value must be said, even if it is none.
        body: dict[str, object] = {
            "order": "set",
            "limit": limit,
            "value": value,
            **({} if lane is None else {"lane": lane}),
        }
        return self._give(name, body)

    def requeue(
        self,
        name: str,
        *,
        cells: Sequence[str] | None = None,
        code: str | None = None,
        void: str | None = None,
        reason: str | None = None,
    ) -> t.ExperimentOrder:
        """Want cells again; give one of the three.

        Args:
            name: The experiment.
            cells: Dead cells, by their ids.
            code: Dead cells whose last attempt failed with this code.
            void: A decided cell, whose verdict is kept but no longer counts, for a `reason`.
            reason: Why the verdict does not count.
        """
        wanted = None if cells is None else [*cells]
        return self._order(name, "requeue", cells=wanted, code=code, void=void, reason=reason)

    def _order(self, name: str, order: str, **parts: object) -> t.ExperimentOrder:
        return self._give(name, {"order": order, **{key: part for key, part in parts.items() if part is not None}})

    def _give(self, name: str, body: dict[str, object]) -> t.ExperimentOrder:
        reply = self._transport.call("POST", _at(name, "/orders"), json=body, headers=self._headers)
        return cast("t.ExperimentOrder", reply.json()["order"])

    def _get(self, path: str) -> Any:
        return self._transport.call("GET", path, headers=self._headers).json()

    def _post_file(self, file: ExperimentFile, query: dict[str, str]) -> Any:
        content = file.read_bytes() if isinstance(file, Path) else file.encode()
        headers = self._headers | {"Content-Type": _TOML}
        return self._transport.call("POST", "/experiments", content=content, query=query, headers=headers).json()


def _at(name: str, part: str = "") -> str:
    return f"/experiments/{quote(name, safe='')}{part}"


def _events(transport: Transport, path: str, headers: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """The events of a stream: kind, data, id. Comments, which keep the connection alive, are left out."""
    kind, data, event_id = "message", list[str](), ""
    for line in transport.lines(path, headers):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            kind = value
        elif field == "data":
            data.append(value)
        elif field == "id":
            event_id = value
        elif not line and data:
            yield kind, "\n".join(data), event_id
            kind, data = "message", []


def _change(kind: str, data: str, cursor: str) -> Change | None:
    """An event as a change; a newer server may have other kinds."""
    if kind == "cells":
        return CellsChanged(json.loads(data)["cells"], cursor)
    if kind == "status":
        return StatusChanged(json.loads(data), cursor)
    return None
