"""A Gymnasium environment: one task, one mode, one session. Needs the extra `gym`.

Actions are calls of the action API. `ScratchEnv.step` takes them in two forms:

- as the API has them, `{"api": "click", "args": {"x": 912, "y": 600}}`, which is what language models write;
- as elements of `ScratchEnv.action_space`, pairs of a number and arguments: the number says which of
  `ScratchEnv.choices`, the arguments are a dictionary of numbers, choices and texts. Arguments that only some calls
  need, such as a slot's name, are left out when their text is empty.

Observations are the picture and the table of elements in primitive mode, and the text of the program in composite mode.
Both only hold what an agent may see. The step returns nothing of how the project is judged before the episode ends.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, SupportsFloat, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from PIL import Image

from . import _types as t
from ._client import Client, Session
from ._errors import Problem

__all__ = ["AnyText", "Choice", "ScratchEnv"]

WIDTH, HEIGHT = 1280, 720
# Observations are shorter by far; a space has to name a bound.
_LONGEST_TEXT = 1 << 20
_PRINTABLE = "".join(chr(code) for code in range(32, 127))
_SCOPES: tuple[t.Scope, ...] = ("sprite", "all")
_BUTTONS: tuple[t.Button, ...] = ("left", "right", "middle")
_DIRECTIONS: tuple[t.Direction, ...] = ("up", "down", "left", "right")
_PLACEMENTS: tuple[t.PlacementKind, ...] = ("stack_before", "stack_after", "statement_into", "value_into", "wrap")
# Blocks and elements in one project or page; those that are not there fail as an action.
_INDEXES = 1000


class AnyText(spaces.Text):
    """Text of any characters, as projects may have them; samples are printable ASCII."""

    def __init__(self, max_length: int, *, min_length: int = 0) -> None:
        super().__init__(max_length, min_length=min_length, charset=_PRINTABLE)

    def contains(self, x: Any) -> bool:
        """Whether it is text of a length that fits."""
        return isinstance(x, str) and self.min_length <= len(x) <= self.max_length


@dataclass(frozen=True)
class Choice:
    """One of the things an action can be.

    Attributes:
        api: The action.
        space: Its arguments.
        options: What a number among the arguments stands for, by its name.
    """

    api: str
    space: spaces.Dict
    options: Mapping[str, tuple[str, ...]]

    def args(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the API has them."""
        args: dict[str, Any] = {}
        for name, value in values.items():
            if name in self.options:
                args[name] = self.options[name][int(value)]
            elif isinstance(value, str):
                if value or self.api != "add_block":
                    args[name] = value
            elif isinstance(value, np.ndarray):
                args[name] = float(value.item())
            else:
                args[name] = int(value)
        return _nested(self.api, args)


def _nested(api: str, args: dict[str, Any]) -> dict[str, Any]:
    """Gathers what the API has as an object of its own."""
    if api == "connect_blocks":
        placement = {"kind": args.pop("kind")}
        if name := args.pop("inputName"):
            placement["inputName"] = name
        args["placement"] = placement
    elif api == "add_block":
        creation = {name: args.pop(name) for name in list(args) if name != "blockType"}
        if creation:
            args["creation"] = creation
    elif api == "hotkey":
        args["keys"] = args["keys"].split("+")
    return args


def _choice(api: str, **arguments: spaces.Space[Any] | tuple[str, ...]) -> Choice:
    options = {name: given for name, given in arguments.items() if isinstance(given, tuple)}
    found = {
        name: spaces.Discrete(len(given)) if isinstance(given, tuple) else given for name, given in arguments.items()
    }
    return Choice(api, spaces.Dict(found), options)


def _pixel(size: int) -> spaces.Box:
    return spaces.Box(0, size - 1, shape=(), dtype=np.float32)


def _choices(mode: t.Mode) -> tuple[Choice, ...]:
    text, name = AnyText(200), AnyText(64)
    ends = (_choice("done", reason=text), _choice("failed", reason=text))
    if mode == "composite":
        block = spaces.Discrete(_INDEXES, start=1)
        return (
            _choice("select_sprite", name=name),
            _choice("select_stage"),
            _choice("add_variable", name=name, scope=_SCOPES),
            _choice("add_list", name=name, scope=_SCOPES),
            _choice(
                "add_block", blockType=name, variableName=name, listName=name, procedureName=name, argumentName=name
            ),
            _choice("connect_blocks", sourceBlockIndex=block, targetBlockIndex=block, kind=_PLACEMENTS, inputName=name),
            _choice("detach_blocks", blockIndex=block),
            _choice("set_block_field", blockIndex=block, fieldName=name, value=text),
            _choice("delete_block", blockIndex=block),
            *ends,
        )
    x, y, index = _pixel(WIDTH), _pixel(HEIGHT), spaces.Discrete(_INDEXES)
    return (
        _choice("click", x=x, y=y, button=_BUTTONS),
        _choice("click", index=index, button=_BUTTONS),
        _choice("double_click", x=x, y=y, button=_BUTTONS),
        _choice("double_click", index=index, button=_BUTTONS),
        _choice("drag_and_drop", start_x=x, start_y=y, end_x=x, end_y=y),
        _choice("drag_and_drop", start_index=index, end_index=index),
        _choice("scroll", direction=_DIRECTIONS, amount=spaces.Box(1, 2000, shape=(), dtype=np.float32), x=x, y=y),
        _choice("type", text=text),
        _choice("key", key=name),
        # Joined by `+`, such as `ctrl+z`.
        _choice("hotkey", keys=name),
        *ends,
    )


Action = Mapping[str, Any] | tuple[SupportsFloat, Mapping[str, Any]]
Seen = dict[str, Any] | str


class ScratchEnv(gymnasium.Env[Any, Any]):
    """A task as an environment.

    An episode ends with the action `done` or `failed`, and is cut off at the task's limit of steps. When the client
    has the judge's token the project is judged then: the reward of the last step is the share of the tests that passed,
    or with `reward="success"` 1 for all of them and else 0. All other rewards are 0.

    What `step` returns as information:
        steps: Actions taken so far.
        error: `{"code", "message", "hint"}` when the action was not possible, else None.
        outcome: At the end `passed`, `failed` or, at the limit of steps, `limit`; None before, and without a judge.
        verdict: The whole verdict at the end, else None.

    A testbed that breaks raises `scratchbed.Infrastructure`: such an episode is nobody's result.

    Args:
        task: The task's name; None works on the editor's empty project, without limit and verdict.
        mode: `primitive` (mouse and keyboard) or `composite` (operations on blocks).
        client: The server; one with the defaults of `Client` when absent, which is then closed with the environment.
        max_steps: Another limit of steps than the task's for the mode.
        reward: What the last reward is.
        ocr: Which text is read from the picture in primitive mode.
        render_mode: `rgb_array` or None.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012 (Gymnasium's)

    def __init__(
        self,
        task: str | None = None,
        *,
        mode: t.Mode = "primitive",
        client: Client | None = None,
        max_steps: int | None = None,
        reward: Literal["partial", "success"] = "partial",
        ocr: t.OcrMode = "unexplained",
        render_mode: Literal["rgb_array"] | None = None,
    ) -> None:
        self.mode, self.task, self.render_mode = mode, task, render_mode
        self._client, self._own_client = client or Client(), client is None
        self._reward, self._ocr = reward, ocr
        view = self._client.task(task) if task else None
        self.instruction = view["instruction"] if view else ""
        self._max_steps = max_steps or (view["limits"]["steps"][mode] if view else None)
        self._session: Session | None = None
        self._steps = 0
        self.choices = _choices(mode)
        self.action_space: spaces.OneOf[Any] = spaces.OneOf([choice.space for choice in self.choices])
        text = AnyText(_LONGEST_TEXT)
        image = spaces.Box(0, 255, shape=(HEIGHT, WIDTH, 3), dtype=np.uint8)
        self.observation_space = text if mode == "composite" else spaces.Dict({"image": image, "table": text})

    @property
    def session(self) -> Session:
        """The session of the running episode.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        if self._session is None:
            message = "call reset first"
            raise gymnasium.error.ResetNeeded(message)
        return self._session

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start from the task's initial project, in a fresh page. The editor has no chance in it: seeds change nothing.

        Raises:
            Problem: When the server stays full.
        """
        super().reset(seed=seed, options=options)
        self._steps = 0
        try:
            if self._session is not None:
                self._session.reset()
        except Problem as problem:
            # It ended meanwhile, since nobody called it.
            if problem.status not in {404, 410}:
                raise
            self._session = None
        if self._session is None:
            self._session = self._client.session(self.task)
        return self._look(), {"steps": 0, "error": None, "outcome": None, "verdict": None}

    def step(self, action: Action) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out an action and look. One that is not possible takes a step, too."""
        call = self.call_of(action)
        reply = self.session.act(self.mode, call["api"], call["args"])
        self._steps += 1
        terminated = reply.success and call["api"] in {"done", "failed"}
        truncated = not terminated and self._max_steps is not None and self._steps >= self._max_steps
        verdict = self._judge() if terminated or truncated else None
        error = reply.error
        info = {
            "steps": self._steps,
            "error": {"code": error.code, "message": error.message, "hint": error.hint} if error else None,
            "outcome": ("limit" if truncated else verdict["outcome"]) if verdict else None,
            "verdict": verdict,
        }
        return self._look(), self._rewarded(verdict), terminated, truncated, info

    def call_of(self, action: Action) -> dict[str, Any]:
        """The call that an action stands for: `{"api", "args"}`."""
        if isinstance(action, Mapping):
            return {"api": action["api"], "args": dict(action.get("args", {}))}
        number, values = action
        choice = self.choices[int(cast("int", number))]
        return {"api": choice.api, "args": choice.args(values)}

    def render(self) -> NDArray[np.uint8] | None:
        """The page as it is now, if `render_mode` is `rgb_array`."""
        return _pixels(self.session.screenshot()) if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """End the session."""
        if self._session is not None:
            self._session.close()
            self._session = None
        if self._own_client:
            self._client.close()

    def _look(self) -> Seen:
        if self.mode == "composite":
            return self.session.composite.observe()["text"]
        seen = self.session.primitive.observe(ocr=self._ocr)
        return {"image": _pixels(seen.picture), "table": seen.table}

    def _judge(self) -> t.Verdict | None:
        return self.session.verdict() if self.task and self._client.judges else None

    def _rewarded(self, verdict: t.Verdict | None) -> float:
        if verdict is None or not verdict["total_tests"]:
            return 0.0
        if self._reward == "success":
            return float(verdict["outcome"] == "passed")
        return verdict["passed_tests"] / verdict["total_tests"]


def _pixels(picture: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(picture)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8).copy()


# The picture is one of a living browser: two pages with the same project were seen to differ in it, though rarely.
gymnasium.register("scratchbed/Scratch-v0", entry_point="scratchbed.gym:ScratchEnv", nondeterministic=True)
