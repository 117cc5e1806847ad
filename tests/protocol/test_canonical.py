"""The canonical form of a view, and its checksum."""

import zlib
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from warroom_protocol.canonical import canonical, checksum, plain

scalars = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=40)
views = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=4), inner), max_leaves=20
)


class Piece(Struct, frozen=True):
    strength: int
    color: str


def by_hand(view: Any) -> Any:
    """Return the view with its keys in the order of their UTF-8 bytes, for an encoder that keeps the order."""
    if isinstance(view, dict):
        return {key: by_hand(view[key]) for key in sorted(view, key=str.encode)}
    return [by_hand(item) for item in view] if isinstance(view, list) else view


@given(views)
def test_an_independent_encoder_makes_the_same_bytes(view: object) -> None:
    assert canonical(view) == msgpack.packb(by_hand(view))


def test_keys_stand_in_the_order_of_their_bytes_and_not_of_utf16() -> None:
    assert (
        canonical({"\U0001f3b2": 1, "\uffff": 2, "a": 3})
        == b"\x83\xa1a\x03\xa3\xef\xbf\xbf\x02\xa4\xf0\x9f\x8e\xb2\x01"
    )


def test_a_struct_and_the_map_of_its_fields_are_one_view() -> None:
    view = (Piece(3, "red"), [Piece(1, "blue")])
    assert plain(view) == [{"strength": 3, "color": "red"}, [{"strength": 1, "color": "blue"}]]
    assert canonical(view) == canonical(plain(view))


@pytest.mark.parametrize(
    ("view", "size"),
    [
        (127, 1),
        (128, 2),
        (255, 2),
        (256, 3),
        (65_536, 5),
        (2**32, 9),
        (-32, 1),
        (-33, 2),
        (-129, 3),
        ("x" * 31, 32),
        ("x" * 32, 34),
    ],
)
def test_values_are_in_their_shortest_form(view: object, size: int) -> None:
    assert len(canonical(view)) == size


def test_the_checksum_is_the_crc_of_the_canonical_bytes() -> None:
    assert checksum({"b": 1, "a": 2}) == zlib.crc32(b"\x82\xa1a\x02\xa1b\x01")
    assert checksum(None) == zlib.crc32(b"\xc0") == 1231433021
