"""The options of a room: docs/rules/graph_battle.md, section 8."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rule for each part of the game, and the limits."""

    board: Annotated[Literal["standard", "full_grid", "hex"], Meta(description="how the board is generated")] = (
        "standard"
    )
    attack: Annotated[Literal["document", "quick", "dice"], Meta(description="how combat works")] = "document"
    dice_percent: Annotated[
        int, Meta(ge=10, le=90, description="with attack `dice`: the attacker's chance in each roll, in percent")
    ] = 60
    reinforcement: Annotated[
        Literal["border_even", "capital", "none"], Meta(description="where reinforcements go")
    ] = "border_even"  # fmt: skip
    order: Annotated[Literal["fixed", "random_each_round"], Meta(description="turn order")] = "fixed"
    victory: Annotated[Literal["conquest", "majority", "rounds"], Meta(description="how to win, besides conquest")] = (
        "conquest"
    )
    majority_percent: Annotated[
        int, Meta(ge=51, le=100, description="with victory `majority`: the share of nodes that wins, in percent")
    ] = 60
    victory_rounds: Annotated[
        int,
        Meta(
            ge=1, le=300, description="with victory `rounds`: the match ends after this many rounds and most nodes win"
        ),
    ] = 30
    handicap: Annotated[bool, Meta(description="with 2 to 4 players: give later seats more strength")] = True
    max_rounds: Annotated[int, Meta(ge=1, le=300, description="round limit; most nodes win")] = 100
