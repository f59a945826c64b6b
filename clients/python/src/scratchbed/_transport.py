"""One way over the network: the token, patience with a full server, and problems as exceptions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from ._errors import Infrastructure, Problem

# What a busy server is asked for when it does not say how long to wait.
_PAUSE_SECONDS = 1.0
# How long a stream may be silent; the server says something every 15 seconds.
_SILENCE_SECONDS = 60.0


class Transport:
    """Calls of one server.

    Args:
        url: Where the server listens.
        token: What it asks of its callers, if anything.
        timeout: Seconds that a call may take; some wait for their turn behind others of the same session.
        patience: Seconds in all that a call is repeated while the server answers 429.
    """

    def __init__(self, url: str, token: str | None, timeout: float, patience: float) -> None:
        self._made_of = (url, token, timeout, patience)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        # A connection that can't be made has changed nothing, so that it may be tried again.
        transport = httpx.HTTPTransport(retries=2)
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout, transport=transport, trust_env=False)
        self._patience = patience

    def __reduce__(self) -> tuple[type[Transport], tuple[str, str | None, float, float]]:
        """Copies and other processes get connections of their own."""
        return Transport, self._made_of

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        content: bytes | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Make a call, repeated while the server is full.

        Raises:
            Problem: When the server refuses it.
            Infrastructure: When the server breaks, or can't be reached.
        """
        until = time.monotonic() + self._patience
        while True:
            try:
                reply = self._http.request(
                    method, path, json=json, content=content, params=query or None, headers=headers
                )
            except httpx.HTTPError as error:
                raise _unreachable(self._made_of[0], error) from error
            if reply.is_success:
                return reply
            problem = _problem(reply)
            pause = problem.retry_after or _PAUSE_SECONDS
            if problem.status != 429 or time.monotonic() + pause > until:
                raise problem
            time.sleep(pause)

    def lines(self, path: str, headers: Mapping[str, str]) -> Iterator[str]:
        """The lines of a reply that comes bit by bit; something must come every minute.

        Raises:
            Problem: When the server refuses the call.
            Infrastructure: When the server breaks, or can't be reached any more.
        """
        timeout = httpx.Timeout(self._made_of[2], read=_SILENCE_SECONDS)
        try:
            with self._http.stream("GET", path, headers=headers, timeout=timeout) as reply:
                if not reply.is_success:
                    reply.read()
                    raise _problem(reply)
                yield from reply.iter_lines()
        except httpx.HTTPError as error:
            raise _unreachable(self._made_of[0], error) from error


def _unreachable(url: str, error: httpx.HTTPError) -> Infrastructure:
    cause = str(error) or type(error).__name__
    # A server that takes long was reached.
    if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
        hint = "it may have much to do; a longer `timeout` may help"
        return Infrastructure(0, "timed_out", f"{url} did not answer in time: {cause}", hint)
    code = "timed_out" if isinstance(error, httpx.ConnectTimeout) else "unreachable"
    return Infrastructure(0, code, f"{url} can't be reached: {cause}", "is `scratchbed serve` running there?")


def _problem(reply: httpx.Response) -> Problem:
    try:
        document = reply.json()
        code, detail, hint = document["code"], document["detail"], document.get("hint")
    except (ValueError, KeyError, TypeError):
        # Something between us and the server answered.
        code, detail, hint = "unknown", f"{reply.status_code} {reply.reason_phrase}", None
    kind = Infrastructure if reply.status_code >= 500 else Problem
    seconds, request = reply.headers.get("retry-after", ""), reply.headers.get("x-request-id")
    retry_after = float(seconds) if seconds.isdigit() else None
    return kind(reply.status_code, code, detail, hint, retry_after=retry_after, request_id=request)
