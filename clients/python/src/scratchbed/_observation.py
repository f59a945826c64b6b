"""What an agent in primitive mode sees."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ._types import Element, ElementChanges, ElementType, Picture, Settle, Sizes

if TYPE_CHECKING:
    from PIL import Image


State = Literal["selected", "disabled", "checked", "unchecked"]

# Ends of texts, and beginnings of those of check boxes, by which lists tell a state.
_ENDS: tuple[State, ...] = ("selected", "disabled")
_BEGINNINGS: tuple[State, ...] = ("checked", "unchecked")


def name_of(element: Element) -> str:
    """What an element is called, whether or not it is selected: its text without its state."""
    return _parts(element)[0]


def state_of(element: Element) -> State | None:
    """The state that an element's text tells of: `selected` or `disabled`, of a check box `checked` or `unchecked`."""
    return _parts(element)[1]


def _parts(element: Element) -> tuple[str, State | None]:
    text = element["text"]
    for state in _ENDS:
        if text.endswith(f" ({state})"):
            return text.removesuffix(f" ({state})"), state
    first, _, rest = text.partition(" ")
    for state in _BEGINNINGS:
        if element["type"] == "inputs" and first == state:
            return rest, state
    return text, None


@dataclass(frozen=True)
class Observation:
    """One look at the page.

    Attributes:
        id: Name of the observation; actions may say that they were decided on it.
        number: Number within the session, from 1.
        picture: The picture's file, empty when switched off.
        place: What the picture is and how it lies in the viewport; None when switched off.
        elements: The elements by index; None when switched off or when only changes are listed.
        changes: What changed, when that was asked for and possible.
        table: The elements as text for prompts; empty when switched off.
        reading: Whether text was read from the picture.
        settle: Whether the page was at rest.
        sizes: How much each part takes.
    """

    id: str
    number: int
    picture: bytes = field(repr=False)
    place: Picture | None
    elements: list[Element] | None = field(repr=False)
    changes: ElementChanges | None = field(repr=False)
    table: str = field(repr=False)
    reading: Literal["read", "off", "unavailable"]
    settle: Settle
    sizes: Sizes

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Observation:
        """Read the data of an `observe` reply."""
        return cls(
            id=data["id"],
            number=data["number"],
            picture=base64.b64decode(data.get("screenshot", "")),
            place=data.get("picture"),
            elements=data.get("elements"),
            changes=data.get("changes"),
            table=data.get("table") or "",
            reading=data["reading"],
            settle=data["settle"],
            sizes=data["sizes"],
        )

    def find(self, text: str, type: ElementType | None = None) -> Element:  # noqa: A002 (the wire's name)
        """The first element with this text, and of this type if one is given.

        The state that the list writes with some texts may be left out: `Ticket` is found as `Ticket (selected)`, too.

        Raises:
            LookupError: When there is none.
        """
        for element in self.elements or []:
            if text in {element["text"], name_of(element)} and type in {None, element["type"]}:
                return element
        message = f"no element {text!r}" + (f" of type {type}" if type else "")
        raise LookupError(message)

    def image(self) -> Image.Image:
        """The picture for Pillow, which comes with the extra `gym`."""
        from PIL import Image  # noqa: PLC0415 (an extra)

        return Image.open(io.BytesIO(self.picture))
