"""What a client may put into an action or an option."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from warroom_protocol.limits import MAX_INTEGER

# No type can be recursive and bounded, so each level is spelt out.
_Key: TypeAlias = Annotated[str, Meta(max_length=64)]
_Scalar: TypeAlias = bool | Annotated[int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)] | str | None
_Inner: TypeAlias = _Scalar | list[_Scalar] | dict[_Key, _Scalar]
_Middle: TypeAlias = _Scalar | list[_Inner] | dict[_Key, _Inner]
_Outer: TypeAlias = _Scalar | list[_Middle] | dict[_Key, _Middle]
Plain: TypeAlias = dict[_Key, _Scalar | list[_Outer] | dict[_Key, _Outer]]

PLAIN_WORDS = (
    "a map with text keys of at most 64 characters; in it whole numbers of 53 bits, text, true, false, null, "
    "lists and maps, at most 4 deep"
)
"""The same in words, for people."""

PLAIN_FIELDS = frozenset({"action", "options", "room_options"})
"""The fields that hold such a map."""
