"""One method an action, for both modes; a test compares them with the server's registry.

Arguments have the names of docs/API.md in Python's spelling (`blockType` is `block_type`), and those left out are not
sent. Every method also takes `observation`, the id of the observation that the action was decided on: when that is no
longer the newest, the action is refused instead of hitting what has taken the place of what was seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from . import _types as t
from ._observation import Observation


class _Acting(Protocol):
    """Carries out an action and returns its data, or raises."""

    def __call__(self, mode: t.Mode, api: str, args: dict[str, Any], observation: str | None) -> dict[str, Any]: ...


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


def _given(args: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in args.items() if value is not None}


class Primitive:
    """Mouse and keyboard on the 1280 x 720 pixels of the editor.

    A place is either `x` and `y` or the index of an element of the last observation.
    """

    def __init__(self, acting: _Acting) -> None:
        self._acting = acting

    def _do(self, api: str, observation: str | None, **args: Any) -> dict[str, Any]:
        return self._acting("primitive", api, _given(args), observation)

    def observe(
        self,
        *,
        picture: t.PictureFormat | None = None,
        quality: int | None = None,
        crop: t.Rect | None = None,
        scale: float | None = None,
        elements: t.ElementsMode | None = None,
        types: Sequence[t.ElementType] | None = None,
        region: t.Rect | None = None,
        ocr: t.OcrMode | None = None,
        observation: str | None = None,
    ) -> Observation:
        """Look at the page: a picture, and the numbered elements in it.

        Args:
            picture: The picture's format; `off` leaves it out.
            quality: Of a JPEG or WebP picture, 1 to 100.
            crop: Take a picture of this part only.
            scale: Pixels of the picture for one of the viewport, 0.1 to 1.
            elements: All, those that changed since the last observation, or none.
            types: List only elements of these types.
            region: List only elements that reach into this part.
            ocr: Read text that the page itself does not tell, all text, or none.
            observation: See the module.
        """
        data = self._do(
            "observe",
            observation,
            picture=picture,
            quality=quality,
            crop=crop,
            scale=scale,
            elements=elements,
            types=list(types) if types is not None else None,
            region=region,
            ocr=ocr,
        )
        return Observation.of(data)

    def click(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        index: int | None = None,
        button: t.Button | None = None,
        observation: str | None = None,
    ) -> None:
        """Click at a point or on an element, with the left button by default."""
        self._do("click", observation, x=x, y=y, index=index, button=button)

    def double_click(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        index: int | None = None,
        button: t.Button | None = None,
        observation: str | None = None,
    ) -> None:
        """Double-click at a point or on an element."""
        self._do("double_click", observation, x=x, y=y, index=index, button=button)

    def drag_and_drop(
        self,
        start_x: float | None = None,
        start_y: float | None = None,
        end_x: float | None = None,
        end_y: float | None = None,
        *,
        start_index: int | None = None,
        end_index: int | None = None,
        duration: float | None = None,
        observation: str | None = None,
    ) -> None:
        """Press the left button at the start, move in a straight line, let go at the end; `duration` in seconds."""
        self._do(
            "drag_and_drop",
            observation,
            start_x=start_x,
            start_y=start_y,
            end_x=end_x,
            end_y=end_y,
            start_index=start_index,
            end_index=end_index,
            duration=duration,
        )

    def scroll(
        self,
        direction: t.Direction,
        amount: float | None = None,
        *,
        at: Mapping[str, float] | None = None,
        x: float | None = None,
        y: float | None = None,
        index: int | None = None,
        observation: str | None = None,
    ) -> None:
        """Turn the mouse wheel by `amount` pixels, where the pointer is or at a place (`at` is its nested form)."""
        self._do("scroll", observation, direction=direction, amount=amount, at=at, x=x, y=y, index=index)

    def type(self, text: str, *, observation: str | None = None) -> None:
        """Type text into the focused field, key by key; a line break presses Enter."""
        self._do("type", observation, text=text)

    def key(self, key: str, *, observation: str | None = None) -> None:
        """Press and release one key: a name such as `Enter`, or one character."""
        self._do("key", observation, key=key)

    def hotkey(self, keys: Sequence[str], *, observation: str | None = None) -> None:
        """Press several keys together, such as `["ctrl", "z"]`."""
        self._do("hotkey", observation, keys=list(keys))

    def done(self, reason: str | None = None, *, observation: str | None = None) -> None:
        """Mark the task as completed."""
        self._do("done", observation, reason=reason)

    def failed(self, reason: str | None = None, *, observation: str | None = None) -> None:
        """Mark the task as one that can't be done."""
        self._do("failed", observation, reason=reason)


class Composite:
    """Operations on the blocks of the open target.

    Every edit returns the blocks as they are now, as `pseudocode`; indexes of later calls refer to its numbering. In a
    session with reports it is left out, and `Session.last_report` tells what is different. `add_script`, `green_flag`,
    `stop` and the picture of the stage are for extended sessions.
    """

    def __init__(self, acting: _Acting) -> None:
        self._acting = acting

    def _do(self, api: str, observation: str | None, **args: Any) -> Any:
        wire = {_camel(name): value for name, value in _given(args).items()}
        return self._acting("composite", api, wire, observation)

    def observe(self, *, stage: bool | None = None, observation: str | None = None) -> t.CompositeObservation:
        """See the open target, variables and lists in scope, all targets, and the blocks as numbered pseudocode.

        Args:
            stage: Take a picture of the stage too; in extended sessions.
            observation: See the module.
        """
        return cast("t.CompositeObservation", self._do("observe", observation, stage=stage))

    def select_sprite(self, name: str, *, observation: str | None = None) -> t.Selected:
        """Open the named sprite."""
        return cast("t.Selected", self._do("select_sprite", observation, name=name))

    def select_stage(self, *, observation: str | None = None) -> t.Selected:
        """Open the Stage."""
        return cast("t.Selected", self._do("select_stage", observation))

    def add_variable(self, name: str, scope: t.Scope, *, observation: str | None = None) -> t.AddedVariable:
        """Create a variable for the open sprite or for all; it starts at 0."""
        return cast("t.AddedVariable", self._do("add_variable", observation, name=name, scope=scope))

    def add_list(self, name: str, scope: t.Scope, *, observation: str | None = None) -> t.AddedVariable:
        """Create a list for the open sprite or for all; it starts empty."""
        return cast("t.AddedVariable", self._do("add_list", observation, name=name, scope=scope))

    def add_block(
        self, block_type: str, creation: t.Creation | None = None, *, observation: str | None = None
    ) -> t.AddedBlock:
        """Create a loose block with its default values, last in the numbering."""
        return cast("t.AddedBlock", self._do("add_block", observation, block_type=block_type, creation=creation))

    def connect_blocks(
        self,
        source_block_index: int,
        target_block_index: int,
        placement: t.Placement,
        *,
        observation: str | None = None,
    ) -> t.Connected:
        """Connect a block, with all below it, to another: above, below, into one of its slots, or around it."""
        data = self._do(
            "connect_blocks",
            observation,
            source_block_index=source_block_index,
            target_block_index=target_block_index,
            placement=placement,
        )
        return cast("t.Connected", data)

    def detach_blocks(self, block_index: int, *, observation: str | None = None) -> t.Detached:
        """Detach a block and what follows it into a new script."""
        return cast("t.Detached", self._do("detach_blocks", observation, block_index=block_index))

    def set_block_field(
        self, block_index: int, field_name: str, value: str | float | bool, *, observation: str | None = None
    ) -> t.FieldSet:
        """Set a field or value slot of a block."""
        data = self._do("set_block_field", observation, block_index=block_index, field_name=field_name, value=value)
        return cast("t.FieldSet", data)

    def delete_block(self, block_index: int, *, observation: str | None = None) -> t.Deleted:
        """Delete a block with everything in its slots and below it."""
        return cast("t.Deleted", self._do("delete_block", observation, block_index=block_index))

    def block_catalogue(
        self, extensions: Sequence[str] | None = None, *, observation: str | None = None
    ) -> t.Catalogue:
        """List every block type that `add_block` can make here; `extensions` (`pen`, `music`) are loaded first."""
        names = list(extensions) if extensions is not None else None
        return cast("t.Catalogue", self._do("block_catalogue", observation, extensions=names))

    def add_script(
        self,
        script: str,
        target_block_index: int | None = None,
        placement: t.Placement | None = None,
        *,
        warp: bool | None = None,
        observation: str | None = None,
    ) -> t.AddedScript:
        """Add scripts in scratchblocks notation to the open target in one step, in extended sessions.

        Args:
            script: A block a line, scripts with an empty line between.
            target_block_index: The block to connect the one script to; loose without it.
            placement: How, as in `connect_blocks`; below it by default.
            warp: Whether blocks of one's own that it defines run without screen refresh.
            observation: See the module.
        """
        data = self._do(
            "add_script",
            observation,
            script=script,
            target_block_index=target_block_index,
            placement=placement,
            warp=warp,
        )
        return cast("t.AddedScript", data)

    def green_flag(self, seconds: float | None = None, *, observation: str | None = None) -> t.Run:
        """Click the green flag, wait up to 10 seconds (1 if not said), see the stage; in extended sessions."""
        return cast("t.Run", self._do("green_flag", observation, seconds=seconds))

    def stop(self, *, observation: str | None = None) -> t.Stopped:
        """Stop all scripts; in extended sessions."""
        return cast("t.Stopped", self._do("stop", observation))

    def done(self, reason: str | None = None, *, observation: str | None = None) -> None:
        """Mark the task as completed."""
        self._do("done", observation, reason=reason)

    def failed(self, reason: str | None = None, *, observation: str | None = None) -> None:
        """Mark the task as one that can't be done."""
        self._do("failed", observation, reason=reason)
