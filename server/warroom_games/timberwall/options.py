"""The options of a room: docs/rules/timberwall.md, section 11."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

TURNS_PER_ROW = 30


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The board, its fog, and the limits of a match."""

    size: Annotated[Literal[10, 20, 30], Meta(description="rows and columns of the board")] = 10
    forests: Annotated[int, Meta(ge=1, le=20, description="number of forests")] = 10
    fog: Annotated[bool, Meta(description="fog: players see only what is near their units and base")] = True
    base_hit_spends_unit: Annotated[bool, Meta(description="a unit that hits a base is spent")] = False
    reserve_rounds: Annotated[int, Meta(ge=1, le=10, description="rounds between two reserves")] = 1
    max_turns: Annotated[int, Meta(ge=0, le=300, description="turn limit; 0: 30 turns per row")] = 0

    @property
    def last_turn(self) -> int:
        """The number of the last turn."""  # §9.3
        return self.max_turns or TURNS_PER_ROW * self.size
