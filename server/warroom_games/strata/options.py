"""The options of a room: docs/rules/strata.md, section 10."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The length of the match, and how strict the duties are."""

    max_turns: Annotated[int, Meta(ge=2, le=400, description="turn limit; dominion decides")] = 300
    mandatory_move: Annotated[bool, Meta(description="a turn cannot end while a move is possible")] = True
