"""What can go wrong, by who has to act.

`ActionFailed`: the agent asked for something that the editor could not do; observe and try something else.
`Problem`: the call was wrong or refused; its `code` says why.
`Infrastructure`: the testbed or the way to it broke; never count it as the agent's failure, try again.
"""

from __future__ import annotations

__all__ = ["ActionFailed", "Error", "Infrastructure", "Problem", "ServerFailed"]


class Error(Exception):
    """Base of every error of this package.

    Attributes:
        code: Stable, machine-readable name of the situation.
        message: What happened.
        hint: What to do about it, when that is known.
    """

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(f"{code}: {message}" + (f" ({hint})" if hint else ""))
        self.code = code
        self.message = message
        self.hint = hint


class ActionFailed(Error):
    """The action was not possible; the editor is there and the session goes on.

    Attributes:
        api: The action's name.
    """

    def __init__(self, api: str, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(code, message, hint)
        self.api = api


class Problem(Error):
    """The server refused the call with a problem document (RFC 9457).

    Attributes:
        status: The HTTP status.
        retry_after: Seconds after which the same call may succeed, where the server says so.
        request_id: Name of the request in the server's log.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        hint: str | None = None,
        *,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(code, message, hint)
        self.status = status
        self.retry_after = retry_after
        self.request_id = request_id


class Infrastructure(Problem):
    """The testbed broke, or could not be reached (`status` is 0 then); not the caller's fault.

    `status` is 200 when it broke under an action: `browser_lost` and `page_lost` say that a browser died, or a page
    alone. The session goes on with its project in a new page, but what was open in the editor is gone.
    """


class ServerFailed(Error):
    """A server of our own could not be started."""
