"""The actions: docs/rules/timberwall.md, section 3."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Column: TypeAlias = Annotated[int, Meta(ge=0, lt=30, description="the column of a tile, from 0 in the west")]
Row: TypeAlias = Annotated[int, Meta(ge=0, lt=30, description="the row of a tile, from 0 in the north")]
Side: TypeAlias = Annotated[Literal["east", "south"], Meta(description="the edge east or south of the tile")]
Direction: TypeAlias = Annotated[
    Literal["n", "ne", "e", "se", "s", "sw", "w", "nw"], Meta(description="one of the eight tiles around")
]
Straight: TypeAlias = Annotated[Literal["n", "e", "s", "w"], Meta(description="one of the four edges of the tile")]
Points: TypeAlias = Annotated[int, Meta(ge=1, le=500, description="a level of the table of units")]


class Deploy(Struct, frozen=True, gc=False, tag_field="type", tag="deploy", forbid_unknown_fields=True):
    """Turn reserves into a unit near the own base."""  # §5.2

    x: Column
    y: Row
    points: Points


class Convert(Struct, frozen=True, gc=False, tag_field="type", tag="convert", forbid_unknown_fields=True):
    """Turn 20 wood into a reserve."""  # §5.3


class ConvertAll(Struct, frozen=True, gc=False, tag_field="type", tag="convert_all", forbid_unknown_fields=True):
    """Turn as much wood into reserves as possible."""  # §5.3


class BuildWall(Struct, frozen=True, gc=False, tag_field="type", tag="build_wall", forbid_unknown_fields=True):
    """Build a wall on an edge of a tile with an own unit."""  # §7.2

    x: Column
    y: Row
    side: Side


class RemoveWall(Struct, frozen=True, gc=False, tag_field="type", tag="remove_wall", forbid_unknown_fields=True):
    """Remove an own wall."""  # §7.6

    x: Column
    y: Row
    side: Side


class Move(Struct, frozen=True, gc=False, tag_field="type", tag="move", forbid_unknown_fields=True):
    """Move a unit to an empty tile next to it."""  # §4.1

    x: Column
    y: Row
    direction: Direction


class Attack(Struct, frozen=True, gc=False, tag_field="type", tag="attack", forbid_unknown_fields=True):
    """Attack a neighbouring enemy unit, or the enemy base."""  # §6.1

    x: Column
    y: Row
    direction: Direction


class Merge(Struct, frozen=True, gc=False, tag_field="type", tag="merge", forbid_unknown_fields=True):
    """Move a unit into an own unit of the same tier."""  # §4.4

    x: Column
    y: Row
    direction: Direction


class HitWall(Struct, frozen=True, gc=False, tag_field="type", tag="hit_wall", forbid_unknown_fields=True):
    """Hit a wall on an edge of the unit's tile."""  # §7.4

    x: Column
    y: Row
    direction: Straight


class Pass(Struct, frozen=True, gc=False, tag_field="type", tag="pass", forbid_unknown_fields=True):
    """End the turn without an ending action."""  # §3.3


Stepping: TypeAlias = Move | Attack | Merge | HitWall
"""What a unit does towards a neighbouring tile; each of these ends the turn."""

Ending: TypeAlias = Stepping | Pass
Preparing: TypeAlias = Deploy | Convert | ConvertAll | BuildWall | RemoveWall
"""The actions before the one that ends the turn."""  # §3.2

Action: TypeAlias = Ending | Preparing
