"""What an action of the Gymnasium environment can be: the spaces, the calls they stand for, and masks over them.

Nothing here knows a session. Needs the extra `gym`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from . import _types as t

WIDTH, HEIGHT = 1280, 720
ENDS = ("done", "failed")
_PRINTABLE = "".join(chr(code) for code in range(32, 127))
_SCOPES: tuple[t.Scope, ...] = ("sprite", "all")
_BUTTONS: tuple[t.Button, ...] = ("left", "right", "middle")
_DIRECTIONS: tuple[t.Direction, ...] = ("up", "down", "left", "right")
_PLACEMENTS: tuple[t.PlacementKind, ...] = ("stack_before", "stack_after", "statement_into", "value_into", "wrap")
# Blocks and elements in one project or page; those that are not there fail as an action, and masks leave them out.
_INDEXES = 1000

Mask = tuple[NDArray[np.int8], tuple[dict[str, NDArray[np.int8] | None], ...]]
"""Which of the choices are possible, and for each of them a mask of its arguments as `spaces.Dict.sample` takes it."""


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

    @property
    def indexes(self) -> list[str]:
        """The arguments that are indexes of elements or blocks."""
        found = self.space.spaces.items()
        return [name for name, space in found if isinstance(space, spaces.Discrete) and name not in self.options]

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


class ActionSpace(spaces.OneOf[Any]):
    """One of the choices of a mode, with its arguments.

    `OneOf` can't leave a choice out. This one can: `sample(mask=…)` also takes a `Mask`.
    """

    def __init__(self, mode: t.Mode, *, extended: bool = False) -> None:
        self.choices = _choices(mode, extended=extended)
        self._first = 1 if mode == "composite" else 0
        super().__init__([choice.space for choice in self.choices])

    def sample(self, mask: Any = None, probability: Any = None) -> tuple[int, Any]:
        """Any choice, or one that the mask has.

        Raises:
            ValueError: When the mask has none.
        """
        if mask is None or len(mask) == len(self.spaces):
            return super().sample(mask, probability)
        possible, arguments = cast("Mask", mask)
        if not possible.any():
            message = "the mask leaves no choice"
            raise ValueError(message)
        number = self.np_random.choice(np.flatnonzero(possible))
        return number, self.spaces[number].sample(mask=arguments[number])

    def mask(self, indexes: Collection[int], *, ends: bool) -> Mask:
        """What is possible where only these elements or blocks are, with or without ending the episode."""
        there = np.zeros(_INDEXES, dtype=np.int8)
        there[[index - self._first for index in indexes if 0 <= index - self._first < _INDEXES]] = 1
        possible = [len(choice.indexes) <= there.sum() and (ends or choice.api not in ENDS) for choice in self.choices]
        arguments = (
            {name: there if name in choice.indexes else None for name in choice.space.spaces} for choice in self.choices
        )
        return np.array(possible, dtype=np.int8), tuple(arguments)


def _choice(api: str, **arguments: spaces.Space[Any] | tuple[str, ...]) -> Choice:
    options = {name: given for name, given in arguments.items() if isinstance(given, tuple)}
    found = {
        name: spaces.Discrete(len(given)) if isinstance(given, tuple) else given for name, given in arguments.items()
    }
    return Choice(api, spaces.Dict(found), options)


def _pixel(size: int) -> spaces.Box:
    return spaces.Box(0, size - 1, shape=(), dtype=np.float32)


def _choices(mode: t.Mode, *, extended: bool) -> tuple[Choice, ...]:
    text, name = AnyText(200), AnyText(64)
    ends = tuple(_choice(api, reason=text) for api in ENDS)
    if mode == "composite":
        block = spaces.Discrete(_INDEXES, start=1)
        extras = (
            _choice("add_script", script=AnyText(2000)),
            _choice("green_flag", seconds=spaces.Box(0, 10, shape=(), dtype=np.float32)),
            _choice("stop"),
        )
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
            *(extras if extended else ()),
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
