"""The client of a server, and sessions on it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, cast
from urllib.parse import quote

from . import _types as t
from ._actions import Composite, Primitive
from ._bugs import Bugs
from ._errors import ActionFailed, Infrastructure, Problem
from ._experiments import Experiments
from ._transport import Transport

# The media type of .sb3 files.
_PROJECT = "application/x.scratch.sb3"

Project = bytes | str | Path
"""An .sb3 file: its bytes, or where it lies."""


@dataclass(frozen=True)
class Reply:
    """The answer to an action, failed or not.

    Attributes:
        success: Whether the action was carried out in full.
        data: What it returns.
        executed: The call as it was carried out: defaults filled in, indexes resolved.
        error: Why it failed; None on success.
        timing: Where the time went.
        steps_left: How many actions the attempt has left in this mode; None where they are not bounded.
    """

    success: bool
    data: dict[str, Any]
    executed: dict[str, Any]
    error: ActionFailed | None
    timing: t.Timing
    steps_left: int | None = None

    @property
    def report(self) -> t.Report | None:
        """What the action met and changed, if that was asked for."""
        return cast("t.Report | None", self.data.get("report"))


class Client:
    """A server.

    Args:
        url: Where it listens; else the variable `SCRATCHBED_URL`, else http://127.0.0.1:8601.
        token: What it asks of its callers; else the variable `SCRATCHBED_TOKEN`, if it is set.
        judge_token: What it asks of researchers; else `SCRATCHBED_JUDGE_TOKEN`. Sent for verdicts and experiments only.
        timeout: Seconds that a call may take.
        patience: Seconds in all that a call is repeated while the server is full.

    Attributes:
        experiments: The experiments of its ledger.
        bugs: The faults of its benchmark.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        judge_token: str | None = None,
        timeout: float = 120.0,
        patience: float = 60.0,
    ) -> None:
        self.url = (url or os.environ.get("SCRATCHBED_URL") or "http://127.0.0.1:8601").rstrip("/")
        token = token or os.environ.get("SCRATCHBED_TOKEN")
        self._judge_token = judge_token or os.environ.get("SCRATCHBED_JUDGE_TOKEN")
        self._transport = Transport(self.url, token, timeout, patience)
        self.experiments = Experiments(self._transport, self._judge_token, patience)
        self.bugs = Bugs(self._transport, self._judge_token)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; sessions go on."""
        self._transport.close()

    @property
    def judges(self) -> bool:
        """Whether this client has a token for verdicts."""
        return self._judge_token is not None

    def health(self) -> t.Health:
        """Whether the server takes calls, and what it has."""
        return cast("t.Health", self._transport.call("GET", "/health").json())

    def tasks(self) -> list[t.TaskView]:
        """The tasks that a session can be created for."""
        return cast("list[t.TaskView]", self._transport.call("GET", "/tasks").json()["tasks"])

    def task(self, name: str) -> t.TaskView:
        """One task with its instruction and limits."""
        return cast("t.TaskView", self._transport.call("GET", f"/tasks/{quote(name, safe='')}").json())

    def sessions(self) -> list[t.SessionInfo]:
        """The living sessions, oldest first."""
        return cast("list[t.SessionInfo]", self._transport.call("GET", "/sessions").json()["sessions"])

    def session(
        self,
        task: str | None = None,
        *,
        project: Project | None = None,
        lease_s: float | None = None,
        extended: bool = False,
        report: bool = False,
    ) -> Session:
        """Create a session: for a task, from a project file, or with the editor's default project.

        Use it in a `with` block, which ends it. Waits while the server is full.

        Args:
            task: The task's name.
            project: What to start from instead.
            lease_s: Seconds without a call after which it ends, for agents that think long; as the server says when
                absent.
            extended: Whether whole scripts can be added, the project run and the stage seen in composite mode.
            report: Whether every action is answered with a report, `Session.last_report`.

        Raises:
            Problem: When there is no such task, the file does not load, or the server stays full.
        """
        options: dict[str, Any] = {} if lease_s is None else {"lease_s": lease_s}
        # Named only where they are wanted: a server of before knows neither.
        options |= {name: True for name, wanted in {"extended": extended, "report": report}.items() if wanted}
        if project is None:
            body = {"task": task, **options} if task else options
            reply = self._transport.call("POST", "/sessions", json=body)
        elif task is None:
            reply = self._transport.call(
                "POST",
                "/sessions",
                content=_bytes(project),
                query=_in_query(options),
                headers={"Content-Type": _PROJECT},
            )
        else:
            message = "a session starts with a task or with a project, not with both"
            raise ValueError(message)
        return Session(self, self._transport, reply.json())

    def attach(self, session_id: str | None = None) -> Session:
        """A session that lives already; in a program of `scratchbed run`, the attempt's own when absent."""
        session_id = session_id or os.environ.get("SCRATCHBED_SESSION")
        if not session_id:
            message = "name the session, or set SCRATCHBED_SESSION, as `scratchbed run --via http` does"
            raise ValueError(message)
        reply = self._transport.call("GET", f"/sessions/{quote(session_id, safe='')}")
        return Session(self, self._transport, reply.json())

    def verdict(
        self, task: str, project: Project, *, seed: int | None = None, clock: t.Clock | None = None
    ) -> t.Verdict:
        """Judge a project for a task; needs a researcher's token.

        Args:
            task: The task's name.
            project: What to judge.
            seed: Of the random streams; the task's first one when absent.
            clock: The time that project and script run in; virtual when absent.
        """
        if self._judge_token is None:
            hint = "give judge_token=…, or set SCRATCHBED_JUDGE_TOKEN"
            raise Problem(403, "judge_token_required", "verdicts need a researcher's token", hint)
        query = {name: value for name, value in {"seed": seed, "clock": clock}.items() if value is not None}
        headers = {"Authorization": f"Bearer {self._judge_token}", "Content-Type": _PROJECT}
        path = f"/tasks/{quote(task, safe='')}/verdict"
        reply = self._transport.call("POST", path, content=_bytes(project), query=query, headers=headers)
        return cast("t.Verdict", reply.json())


class Session:
    """One editor with one project; its calls are carried out one after another.

    Attributes:
        id: Its name on the server.
        task: The task it was created for, if any.
        instruction: What its task asks for; empty without a task.
        load_report: What loading its project showed.
        last_report: What the last action met and changed, if a report was asked for; else None.
        primitive: Mouse and keyboard.
        composite: Operations on blocks.
    """

    def __init__(self, client: Client, transport: Transport, info: t.SessionInfo) -> None:
        self.id = info["id"]
        self.task = info.get("task")
        self.instruction = info.get("instruction") or ""
        self.load_report = info["load"]
        self.last_report: t.Report | None = None
        self.primitive = Primitive(self._act_or_raise)
        self.composite = Composite(self._act_or_raise)
        self._client = client
        self._transport = transport
        self._path = f"/sessions/{self.id}"

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Session({self.id!r}, task={self.task!r})"

    def close(self) -> None:
        """End it on the server; one that has ended is fine. That of an attempt inside a run is left to the run."""
        # The run would refuse it, and count that among what its program was refused.
        if self.id == os.environ.get("SCRATCHBED_SESSION"):
            return
        try:
            self._transport.call("DELETE", self._path)
        except Problem as problem:
            if problem.status not in {404, 410}:
                raise

    def info(self) -> t.SessionInfo:
        """What the server knows about it; does not count as a use of it."""
        return cast("t.SessionInfo", self._transport.call("GET", self._path).json())

    def act(
        self,
        mode: t.Mode,
        api: str,
        args: Mapping[str, Any] | None = None,
        *,
        observation: str | None = None,
        note: str | None = None,
        report: bool | None = None,
    ) -> Reply:
        """Carry out an action by name, such as one that a model asked for. A failed action is a reply, too.

        Args:
            mode: How to act.
            api: The action's name.
            args: Its arguments.
            observation: The observation that it was decided on; refused when it is no longer the newest.
            note: Why, in the agent's own words: shown live and in the record, and nothing depends on it.
            report: Whether `Reply.report` is to tell what the action met and changed; as the session says when absent.

        Raises:
            Problem: When there is no such action.
            Infrastructure: When the testbed broke.
        """
        call: dict[str, Any] = {"api": api, "args": dict(args or {})}
        if observation is not None:
            call["observation"] = observation
        if note is not None:
            call["note"] = note
        if report is not None:
            call["report"] = report
        reply = self._transport.call("POST", f"{self._path}/act/{mode}", json=call).json()
        failure = reply.get("error")
        if failure and failure["infrastructure"]:
            raise Infrastructure(200, failure["code"], failure["message"], failure.get("hint"))
        error = ActionFailed(api, failure["code"], failure["message"], failure.get("hint")) if failure else None
        self.last_report = reply["data"].get("report")
        return Reply(
            reply["success"], reply["data"], reply["executed_action"], error, reply["timing"], reply.get("steps_left")
        )

    def _act_or_raise(self, mode: t.Mode, api: str, args: dict[str, Any], observation: str | None) -> dict[str, Any]:
        reply = self.act(mode, api, args, observation=observation)
        if reply.error is not None:
            raise reply.error
        return reply.data

    def report_usage(self, calls: int = 1, **tokens: int) -> None:
        """Add what the agent's models needed, for the record of a run.

        Args:
            calls: Requests to models since the last report.
            **tokens: Counts such as `input_tokens` and `output_tokens`; the API's documentation names all.
        """
        self._transport.call("POST", f"{self._path}/usage", json={"calls": calls, **tokens})

    def export(self) -> bytes:
        """The project as it is now, as an .sb3 file."""
        return self._transport.call("GET", f"{self._path}/project").content

    def load(self, project: Project) -> t.LoadReport:
        """Load a project file in place of the current project; a bad one leaves it as it is."""
        path, headers = f"{self._path}/project", {"Content-Type": _PROJECT}
        reply = self._transport.call("PUT", path, content=_bytes(project), headers=headers)
        return cast("t.LoadReport", reply.json())

    def reset(self) -> t.LoadReport:
        """Go back to the last file that was loaded, in a fresh page."""
        return cast("t.LoadReport", self._transport.call("POST", f"{self._path}/reset").json())

    def screenshot(self) -> bytes:
        """The page as it is now, as a PNG. No observation: indexes stay as they are."""
        return self._transport.call("GET", f"{self._path}/screenshot").content

    def verdict(self, *, seed: int | None = None, clock: t.Clock | None = None) -> t.Verdict:
        """Judge the project as it is now for the session's task; needs a researcher's token."""
        if self.task is None:
            message = "the session has no task; use Client.verdict"
            raise ValueError(message)
        return self._client.verdict(self.task, self.export(), seed=seed, clock=clock)


def _in_query(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: "true" if value is True else value for name, value in options.items()}


def _bytes(project: Project) -> bytes:
    return project if isinstance(project, bytes) else Path(project).read_bytes()
