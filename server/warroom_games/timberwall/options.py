"""What a room may choose: docs/rules/timberwall.md, section 11."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

TURNS_PER_ROW = 30


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The board, its fog, and the limits of a match."""

    size: Annotated[Literal[10, 20, 30], Meta(description="rows and columns of the board")] = 10
    forests: Annotated[int, Meta(ge=1, le=20, description="how many forests there are")] = 10
    fog: Annotated[bool, Meta(description="whether players see only what is near their own")] = True
    base_hit_spends_unit: Annotated[bool, Meta(description="whether a unit that hits a base is gone")] = False
    reserve_rounds: Annotated[int, Meta(ge=1, le=10, description="how many rounds bring each player a reserve")] = 1
    max_turns: Annotated[
        int, Meta(ge=0, le=300, description="single turns in a match that is to be short; 0: 30 for each row")
    ] = 0

    @property
    def last_turn(self) -> int:
        """The number of the last turn."""  # §9.3
        return self.max_turns or TURNS_PER_ROW * self.size
