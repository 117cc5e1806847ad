"""What a room may choose: docs/rules/graph_battle.md, section 8."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rule that each part of the game follows, and its limits."""

    board: Annotated[Literal["standard"], Meta(description="how the board is made")] = "standard"
    attack: Annotated[Literal["document"], Meta(description="how an attack is fought")] = "document"
    reinforcement: Annotated[Literal["border_even"], Meta(description="where reinforcements go")] = "border_even"
    order: Annotated[Literal["fixed"], Meta(description="who plays after whom")] = "fixed"
    victory: Annotated[Literal["conquest"], Meta(description="what wins the match")] = "conquest"
    handicap: Annotated[bool, Meta(description="with 2 to 4 players, give later seats more strength")] = True
    max_rounds: Annotated[int, Meta(ge=1, le=1000, description="after this many rounds most nodes win")] = 100
