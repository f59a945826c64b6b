"""Client for scratchbed, a testbed for AI agents that program in Scratch."""

from ._errors import ActionFailed, Error, Infrastructure, Problem, ServerFailed
from ._server import Server, serve

__all__ = ["ActionFailed", "Error", "Infrastructure", "Problem", "Server", "ServerFailed", "serve"]
