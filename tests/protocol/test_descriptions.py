"""The texts of messages come from their source."""

import msgspec
import pytest
from msgspec import Struct

from warroom_protocol.descriptions import described, field_texts, meaning
from warroom_protocol.messages import Act, Position, RoomNumber


class Told(Struct):
    """A message about a *room*, and *more*."""

    room: RoomNumber
    other: RoomNumber
    """another
    room"""
    more: RoomNumber | None


def test_a_field_means_what_stands_under_it_else_what_its_type_says() -> None:
    room, other, _ = msgspec.structs.fields(Told)
    assert field_texts(Told) == {"other": "another room"}
    assert (meaning(Told, room), meaning(Told, other)) == ("the room", "another room")


def test_a_field_without_any_text_is_refused_by_name() -> None:
    _, _, more = msgspec.structs.fields(Told)
    with pytest.raises(ValueError, match=r"Told\.more has no text"):
        meaning(Told, more)


def test_a_docstring_marks_its_fields_as_code() -> None:
    assert described(Told) == "A message about a `room`, and `more`."
    assert described(Act).endswith("its `id` names it.")
    assert described(Position) == "How far a viewer has come in a room."
