"""Client for scratchbed, a testbed for AI agents that program in Scratch.

`Client` and its sessions speak to a running server, `serve` starts one, `scratchbed.gym` has the Gymnasium environment.
"""

from ._actions import Composite, Primitive
from ._client import Client, Project, Reply, Session
from ._errors import ActionFailed, Error, Infrastructure, Problem, ServerFailed
from ._observation import Observation
from ._server import Server, serve
from ._types import CompositeObservation, Creation, Element, Mode, Placement, TaskView, Verdict

__all__ = [
    "ActionFailed",
    "Client",
    "Composite",
    "CompositeObservation",
    "Creation",
    "Element",
    "Error",
    "Infrastructure",
    "Mode",
    "Observation",
    "Placement",
    "Primitive",
    "Problem",
    "Project",
    "Reply",
    "Server",
    "ServerFailed",
    "Session",
    "TaskView",
    "Verdict",
    "serve",
]
