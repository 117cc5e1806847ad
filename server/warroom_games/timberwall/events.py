"""The events of a match, with everything that a client needs to animate them. `telling` decides who gets which form.

Each event is a map whose `type` names it. Spots are column and row. A part that a seat did not see is nil.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.timberwall.actions import Side
from warroom_games.timberwall.state import Ending, Spot


class Deployed(Struct, frozen=True, tag_field="type", tag="deploy"):
    """A unit was deployed from the reserves."""

    seat: Seat
    target: Spot
    points: int


class Converted(Struct, frozen=True, tag_field="type", tag="convert"):
    """Wood became reserves."""

    seat: Seat
    wood: int
    reserves: int


class WallBuilt(Struct, frozen=True, tag_field="type", tag="wall_built"):
    """A wall was built on an edge."""

    seat: Seat
    x: int
    y: int
    side: Side


class WallRemoved(Struct, frozen=True, tag_field="type", tag="wall_removed"):
    """A wall was removed by its owner."""

    seat: Seat
    x: int
    y: int
    side: Side


class WallHit(Struct, frozen=True, tag_field="type", tag="wall_hit"):
    """A unit at *source* hit a wall, which lost *damage* of its HP and falls when *hp* is 0."""

    seat: Seat
    source: Spot | None
    x: int
    y: int
    side: Side
    damage: int
    hp: int


class Unavailable(Struct, frozen=True, tag_field="type", tag="unavailable"):
    """An action failed because of something unseen: the edge is cooling, or the own wall is gone."""

    seat: Seat
    action: Literal["build_wall", "remove_wall"]
    x: int
    y: int
    side: Side
    ready_round: int | None
    """For an edge that is cooling: the round from which it may have a wall again."""


class Moved(Struct, frozen=True, tag_field="type", tag="move"):
    """A unit moved."""

    seat: Seat
    source: Spot | None
    target: Spot | None
    points: int


class Merged(Struct, frozen=True, tag_field="type", tag="merge"):
    """A unit merged into another: the points at the target, and those that stayed at the source."""

    seat: Seat
    source: Spot | None
    target: Spot | None
    points: int | None
    rest: int | None


class Attacked(Struct, frozen=True, tag_field="type", tag="attack"):
    """A fight: the strength of both, the rolls, and the remaining points."""

    seat: Seat
    source: Spot
    target: Spot
    attacker: int
    defender: int
    roll: int
    luck: int
    shield: int
    support: int
    draw: int | None
    attacker_left: int
    defender_left: int


class BaseHit(Struct, frozen=True, tag_field="type", tag="base_hit"):
    """A unit hit the enemy base."""

    seat: Seat
    source: Spot
    damage: int
    hp: int
    is_spent: bool


class Income(Struct, frozen=True, tag_field="type", tag="income"):
    """The income of a seat at the end of its turn."""

    seat: Seat
    wood: int
    reserves: int


class TurnEnded(Struct, frozen=True, tag_field="type", tag="turn_end"):
    """A turn is over: the forests that each seat holds, and how many own turns in a row it held all."""

    seat: Seat
    turn: int
    held: int
    streak: int


class TurnBegan(Struct, frozen=True, tag_field="type", tag="turn"):
    """The other seat's turn began."""

    seat: Seat
    turn: int
    round: int


class Ended(Struct, frozen=True, tag_field="type", tag="end"):
    """The match is over: the rank of each seat, and the reason."""

    ranks: tuple[int, ...]
    reason: Ending


GameEvent: TypeAlias = (
    Deployed | Converted | WallBuilt | WallRemoved | WallHit | Unavailable | Moved | Merged | Attacked | BaseHit
    | Income | TurnEnded | TurnBegan | Ended
)  # fmt: skip
"""All events, in their public and private forms."""
