"""Client for scratchbed, a testbed for AI agents that program in Scratch.

`Client` and its sessions speak to a running server, `serve` starts one, `scratchbed.gym` has the Gymnasium environment.
"""

from ._actions import Composite, Primitive
from ._bugs import Bugs
from ._client import Client, Project, Reply, Session
from ._errors import ActionFailed, Error, Infrastructure, Problem, ServerFailed
from ._experiments import CellsChanged, Change, ExperimentFile, Experiments, StatusChanged
from ._observation import Observation, State, name_of, state_of
from ._server import Server, serve
from ._types import (
    BugView,
    CompositeObservation,
    Creation,
    Element,
    ElementType,
    ExperimentDetails,
    ExperimentStatus,
    HandedIn,
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
    "BugView",
    "Bugs",
    "CellsChanged",
    "Change",
    "Client",
    "Composite",
    "CompositeObservation",
    "Creation",
    "Element",
    "ElementType",
    "Error",
    "ExperimentDetails",
    "ExperimentFile",
    "ExperimentStatus",
    "Experiments",
    "HandedIn",
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
    "StatusChanged",
    "TaskView",
    "Verdict",
    "name_of",
    "serve",
    "state_of",
]
