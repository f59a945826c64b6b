"""A Gymnasium environment: one task, one mode, one session. Needs the extra `gym`.

Actions are calls of the action API. `ScratchEnv.step` takes them in two forms:

- as the API has them, `{"api": "click", "args": {"x": 912, "y": 600}}`, which is what language models write;
- as elements of `ScratchEnv.action_space`, pairs of a number and arguments: the number says which of
  `ScratchEnv.choices`, the arguments are a dictionary of numbers, choices and texts. Arguments that only some calls
  need, such as a slot's name, are left out when their text is empty.

Observations are dictionaries: the task's instruction as `goal`, with the picture as `image` and the table of elements
as `table` in primitive mode, and the text of the program as `text` in composite mode. They only hold what an agent may
see. The step returns nothing of how the project is judged before the episode ends.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Literal, SupportsFloat, cast
from weakref import WeakKeyDictionary

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from PIL import Image

from . import _types as t
from ._choices import ENDS, HEIGHT, WIDTH, ActionSpace, AnyText, Choice, Mask
from ._client import Client, Session
from ._errors import Error, Problem
from ._observation import Observation

__all__ = ["ActionSpace", "AnyText", "Choice", "Mask", "ScratchEnv"]

# Observations are shorter by far; a space has to name a bound.
_LONGEST_TEXT = 1 << 20

# The share of its tests that each task's initial project passes; each client judges it once.
_START_SHARES: WeakKeyDictionary[Client, dict[str, float]] = WeakKeyDictionary()

Action = Mapping[str, Any] | tuple[SupportsFloat, Mapping[str, Any]]
Seen = dict[str, Any]


class ScratchEnv(gymnasium.Env[Seen, Any]):
    """A task as an environment.

    An episode ends with the action `done` or `failed`, and is cut off at the task's limit of steps or of time. When the
    client has the judge's token the project is judged then, and the last step is rewarded; all other rewards are 0:

    - `reward="partial"`: `max(0, (share - start) / (1 - start))`, where `share` is the share of the tests that the
      project passes and `start` that of the task's initial project (`start_share`, judged once at the first reset).
      Doing nothing pays 0, a solution 1.
    - `reward="success"`: 1 when all tests pass, else 0.
    - `failed` gives up, and pays 0 either way.

    What `reset` and `step` return as information. Keys with "if" are absent otherwise:
        instruction: What the task asks for, as in the observation's `goal`; empty without a task.
        steps: Actions taken so far.
        observation: Id of the observation. A call may name it as `"observation"` beside `"api"` and `"args"`.
        count: Elements on the page, or blocks of the open target.
        elements: The elements as dictionaries, if they are listed.
        changes: What changed since the last observation, if only that is listed.
        action_mask: What is possible now, for `action_space.sample(mask=…)`: a pair of an int8 array, 1 for each of
            `choices` that is possible, and for each choice a mask of its arguments. It leaves out indexes of elements
            or blocks that are not there and, unless `mask_ends` is False, `done` and `failed`, so that random episodes
            last.
        error: `{"code", "message", "hint"}`, if the action was not possible.
        outcome: At the end `passed`, `failed` or, at a limit, `limit`; None before, and without a judge.
        reply: What the action returned, if it returned anything: in an extended environment what was said and shown
            after `green_flag`, and with `report` what the action met and changed.
        verdict: The whole verdict, if the episode has ended and was judged.

    A testbed that breaks raises `scratchbed.Infrastructure`: such an episode is nobody's result.

    Args:
        task: The task's name; None works on the editor's empty project, without limit and verdict.
        mode: `primitive` (mouse and keyboard) or `composite` (operations on blocks).
        client: The server; one with the defaults of `Client` when absent, which is then closed with the environment.
        max_steps: A lower limit of steps than the task's for the mode; the server holds agents to that one.
        reward: What the last reward is.
        picture: How the picture of primitive mode travels; `off` leaves `image` out of the observations.
        scale: Pixels of the picture for one of the page, 0.1 to 1. Coordinates in actions stay those of the page.
        elements: In primitive mode, whether `table` has all elements or what changed; `off` leaves it out.
        ocr: Which text is read from the picture in primitive mode.
        mask_ends: Whether `action_mask` leaves out `done` and `failed`.
        extended: Whether composite mode has `add_script`, `green_flag` and `stop` too.
        report: Whether `reply` has a report of what each action met and changed.
        render_mode: `rgb_array` or None.

    Attributes:
        instruction: What the task asks for; `env.unwrapped.instruction` after `gymnasium.make`.
        choices: What the number of an element of `action_space` stands for.
        start_share: The share of the tests that the initial project passes; None before the first reset, and where it
            is not needed.
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
        picture: t.PictureFormat = "png",
        scale: float = 1.0,
        elements: t.ElementsMode = "full",
        ocr: t.OcrMode = "unexplained",
        mask_ends: bool = True,
        extended: bool = False,
        report: bool = False,
        render_mode: Literal["rgb_array"] | None = None,
    ) -> None:
        self.mode, self.task, self.render_mode = mode, task, render_mode
        self._client, self._own_client = client or Client(), client is None
        self._reward, self._mask_ends = reward, mask_ends
        self._extended, self._report = extended, report
        self._reply: dict[str, Any] = {}
        self._picture, self._scale, self._elements, self._ocr = picture, scale, elements, ocr
        view = self._client.task(task) if task else None
        self.instruction = view["instruction"] if view else ""
        self._max_steps = max_steps or (view["limits"]["steps"][mode] if view else None)
        self.start_share: float | None = None
        self._session: Session | None = None
        self._steps = 0
        # The elements that can be named by index.
        self._indexes: set[int] = set()
        self.action_space: ActionSpace = ActionSpace(mode, extended=extended)
        self.choices = self.action_space.choices
        self.observation_space = spaces.Dict(self._seen_spaces())

    def _seen_spaces(self) -> dict[str, spaces.Space[Any]]:
        text = AnyText(_LONGEST_TEXT)
        if self.mode == "composite":
            return {"goal": text, "text": text}
        shape = (round(HEIGHT * self._scale), round(WIDTH * self._scale), 3)
        image = spaces.Box(0, 255, shape=shape, dtype=np.uint8)
        seen: dict[str, spaces.Space[Any]] = {"goal": text}
        if self._picture != "off":
            seen["image"] = image
        if self._elements != "off":
            seen["table"] = text
        return seen

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

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Start from the task's initial project, in a fresh page. The editor has no chance in it: seeds change nothing.

        Raises:
            Problem: When the server stays full.
        """
        super().reset(seed=seed, options=options)
        self._steps = 0
        self._begin()
        if self._reward == "partial":
            self.start_share = self._measured_start()
        seen, info = self._look()
        return seen, {**info, "steps": 0, "outcome": None}

    def _begin(self) -> None:
        try:
            if self._session is not None:
                self._session.reset()
        except Problem as problem:
            # It ended meanwhile, since nobody called it.
            if problem.status not in {404, 410}:
                raise
            self._session = None
        if self._session is None:
            self._session = self._client.session(self.task, extended=self._extended, report=self._report)

    def step(self, action: Action) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Carry out an action and look. One that is not possible takes a step, too."""
        call = self.call_of(action)
        error, is_over = self._act(call)
        self._steps += 1
        terminated = error is None and call["api"] in ENDS
        is_over |= self._max_steps is not None and self._steps >= self._max_steps
        truncated = is_over and not terminated
        verdict = self._judged() if terminated or truncated else None
        seen, info = self._look()
        info |= {"steps": self._steps, "outcome": None}
        if self._reply:
            info["reply"] = self._reply
        if error:
            info["error"] = {"code": error.code, "message": error.message, "hint": error.hint}
        if verdict:
            info |= {"outcome": "limit" if truncated else verdict["outcome"], "verdict": verdict}
        gave_up = terminated and call["api"] == "failed"
        reward = self._rewarded(verdict) if verdict and not gave_up else 0.0
        return seen, reward, terminated, truncated, info

    def _act(self, call: Mapping[str, Any]) -> tuple[Error | None, bool]:
        """Why the call was not possible, if it was not, and whether the server takes no more of them."""
        self._reply = {}
        try:
            reply = self.session.act(self.mode, call["api"], call["args"], observation=call.get("observation"))
        except Problem as problem:
            if problem.code != "limit_reached":
                raise
            return problem, True
        if self._extended or self._report:
            self._reply = reply.data
        return reply.error, False

    def call_of(self, action: Action) -> dict[str, Any]:
        """The call that an action stands for: `{"api", "args"}`, and `observation` where a call names one."""
        if isinstance(action, Mapping):
            return {**action, "args": dict(action.get("args", {}))}
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

    def _look(self) -> tuple[Seen, dict[str, Any]]:
        """What is there now, as observation and as information."""
        info: dict[str, Any] = {"instruction": self.instruction}
        seen: Seen = {"goal": self.instruction}
        if self.mode == "composite":
            program = self.session.composite.observe()
            seen["text"] = program["text"]
            count = program["sizes"]["blocks"]
            self._indexes = set(range(1, count + 1))
            info |= {"observation": program["id"], "count": count}
        else:
            page = self.session.primitive.observe(
                picture=self._picture, scale=self._scale, elements=self._elements, ocr=self._ocr
            )
            if page.picture:
                seen["image"] = _pixels(page.picture)
            if self._elements != "off":
                seen["table"] = page.table
            self._note(page)
            info |= {"observation": page.id, "count": page.sizes["elements"]["present"]}
            told = {"elements": page.elements, "changes": page.changes}
            info |= {name: value for name, value in told.items() if value is not None}
        info["action_mask"] = self.action_space.mask(self._indexes, ends=not self._mask_ends)
        return seen, info

    def _note(self, page: Observation) -> None:
        """Keep the indexes that stand for something."""
        if page.changes is not None:
            self._indexes -= set(page.changes["removed"])
            self._indexes |= {element["index"] for element in page.changes["added"]}
        else:
            self._indexes = {element["index"] for element in page.elements or []}

    def _judged(self) -> t.Verdict | None:
        return self.session.verdict() if self.task and self._client.judges else None

    def _measured_start(self) -> float | None:
        """How much the project as it is now, which is the initial one, passes; judged unless it is known."""
        known = _START_SHARES.setdefault(self._client, {})
        if self.task and self.task not in known and (verdict := self._judged()):
            known[self.task] = _share(verdict)
        return known.get(self.task or "")

    def _rewarded(self, verdict: t.Verdict) -> float:
        start = self.start_share or 0.0
        if self._reward == "success" or start >= 1:
            return float(verdict["outcome"] == "passed")
        return max(0.0, (_share(verdict) - start) / (1 - start))


def _share(verdict: t.Verdict) -> float:
    return verdict["passed_tests"] / verdict["total_tests"] if verdict["total_tests"] else 0.0


def _pixels(picture: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(picture)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8).copy()


# The picture is one of a living browser: two pages with the same project were seen to differ in it, though rarely.
gymnasium.register("scratchbed/Scratch-v0", entry_point="scratchbed.gym:ScratchEnv", nondeterministic=True)
