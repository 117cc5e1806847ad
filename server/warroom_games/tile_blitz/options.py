"""The options of a room: docs/rules/tile_blitz.md, section 11."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Losses, the use of stamina, the first player, the balance between colours, and the limit of rounds."""

    losses: Annotated[
        Literal["document", "attrition"],
        Meta(description="attacker's losses: power minus defence (document), or as much as the defence (attrition)"),
    ] = "document"
    march: Annotated[bool, Meta(description="allow marches, which cost stamina")] = True
    rotate_first: Annotated[bool, Meta(description="another player starts each round")] = True
    beginner: Annotated[
        Literal["red", "lot"], Meta(description="who starts the first round: red, or a random colour")
    ] = "red"
    purple_gold: Annotated[
        int,
        Meta(ge=0, le=5, description="purple's gold at the start; 1 makes up for its start in the middle"),
    ] = 0
    max_rounds: Annotated[int, Meta(ge=1, le=100, description="round limit; most tiles win")] = 40
