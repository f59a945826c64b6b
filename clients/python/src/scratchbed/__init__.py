"""Client for scratchbed, a testbed for AI agents that program in Scratch.

`Client` and its sessions speak to a running server, `serve` starts one, `scratchbed.gym` has the Gymnasium environment.
"""

from ._actions import Composite, Primitive
from ._client import Client, Project, Reply, Session
from ._errors import ActionFailed, Error, Infrastructure, Problem, ServerFailed
from ._observation import Observation, State, name_of, state_of
from ._server import Server, serve
from ._types import (
    CompositeObservation,
    Creation,
    Element,
    ElementType,
    Mode,
    Placement,
    Rect,
    Report,
    Run,
    TaskView,
    Verdict,
)

__all__ = [
    "ActionFailed",
    "Client",
    "Composite",
    "CompositeObservation",
    "Creation",
    "Element",
    "ElementType",
    "Error",
    "Infrastructure",
    "Mode",
    "Observation",
    "Placement",
    "Primitive",
    "Problem",
    "Project",
    "Rect",
    "Reply",
    "Report",
    "Run",
    "Server",
    "ServerFailed",
    "Session",
    "State",
    "TaskView",
    "Verdict",
    "name_of",
    "serve",
    "state_of",
]
