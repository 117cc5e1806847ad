"""The actions: docs/rules/tile_blitz.md, sections 5 to 8."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

TileId: TypeAlias = Annotated[int, Meta(ge=0, lt=1024, description="the id of a tile, from 1 to 49")]
CardId: TypeAlias = Annotated[int, Meta(ge=0, lt=2**20, description="the id of a card in the hand")]
Count: TypeAlias = Annotated[int, Meta(ge=0, lt=2**20, description="a number of units")]


class BuildInfantry(Struct, frozen=True, gc=False, tag_field="type", tag="build_infantry", forbid_unknown_fields=True):
    """Buy infantry for an own tile, one gold each."""  # §5.1

    tile: TileId
    count: Count


class BuildTank(Struct, frozen=True, gc=False, tag_field="type", tag="build_tank", forbid_unknown_fields=True):
    """Turn two cards of the same value into a tank on an own tile."""  # §5.3

    tile: TileId
    cards: Annotated[tuple[CardId, CardId], Meta(description="two different cards in the hand, in any order")]


class Move(Struct, frozen=True, gc=False, tag_field="type", tag="move", forbid_unknown_fields=True):
    """Move units between own tiles that share an edge."""  # §6.1

    source: TileId
    target: TileId
    troops: Count
    tanks: Count


class March(Struct, frozen=True, gc=False, tag_field="type", tag="march", forbid_unknown_fields=True):
    """Spend 1 stamina to move units between own tiles joined by a path of own tiles."""  # §7.1

    source: TileId
    target: TileId
    troops: Count
    tanks: Count


class Attack(Struct, frozen=True, gc=False, tag_field="type", tag="attack", forbid_unknown_fields=True):
    """Attack a neighbouring tile of another holder with all units of an own tile."""  # §8.1

    source: TileId
    target: TileId


class EndTurn(Struct, frozen=True, gc=False, tag_field="type", tag="end_turn", forbid_unknown_fields=True):
    """End the turn before its time is up."""  # §3.3


Action: TypeAlias = BuildInfantry | BuildTank | Move | March | Attack | EndTurn
