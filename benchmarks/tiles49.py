"""A game for measuring: five seats, 49 tiles, and an action moves troops and tanks between two neighbouring tiles.

It hides nothing, never ends and lets every seat act at any time, so a load can run for as long as it likes. In
`TURNS` the seats act one after the other.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from warroom_games.api import GameInfo, IllegalActionError, Result, Seat, Step
from warroom_games.rng import Rng

WIDTH: Final = 7
TILES: Final = WIDTH * WIDTH
SEATS: Final = 5
TURN_MS: Final = 3_600_000

Tile = Annotated[int, Meta(ge=0, lt=TILES)]
Amount = Annotated[int, Meta(ge=0, le=120)]


class Move(Struct, frozen=True, tag_field="type", tag="move", forbid_unknown_fields=True):
    """Move *n* troops and *k* tanks from tile *f* to tile *t*."""

    f: Tile
    t: Tile
    n: Amount
    k: Amount


class Pass(Struct, frozen=True, tag_field="type", tag="pass", forbid_unknown_fields=True):
    """Do nothing."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """There are none."""


class Field(Struct, frozen=True):
    """One tile."""

    owner: int
    troops: int
    tanks: int


class State(Struct, frozen=True):
    """The board, and how many actions were played."""

    version: int
    tiles: tuple[Field, ...]


Action = Move | Pass


def _neighbours(tile: int) -> frozenset[int]:
    x, y = tile % WIDTH, tile // WIDTH
    near = ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
    return frozenset(row * WIDTH + column for column, row in near if 0 <= column < WIDTH and 0 <= row < WIDTH)


_NEIGHBOURS: Final = tuple(map(_neighbours, range(TILES)))
_ALL: Final = frozenset(range(SEATS))
_ONE: Final = tuple(frozenset((seat,)) for seat in range(SEATS))


class Tiles:
    """The rules; *in_turn* says whether seats act one after the other."""

    state_type = State
    action_type = Action
    options_type = Options

    def __init__(self, name: str, *, in_turn: bool) -> None:
        self._in_turn = in_turn
        self.info = GameInfo(
            id=name,
            name=name,
            summary="49 tiles",
            rules_version=1,
            min_seats=SEATS,
            max_seats=SEATS,
            usual_seats=SEATS,
            turn_ms=TURN_MS,
            complete=False,
            clock_action=None,
        )

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Give each seat one or more rows."""
        return State(0, tuple(Field(min(tile // WIDTH, SEATS - 1), 1000, 60) for tile in range(TILES)))

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seats that may act."""
        return _ONE[state.version % SEATS] if self._in_turn else _ALL

    def turn(self, state: State) -> int:
        """Return the number of the turn."""
        return state.version if self._in_turn else 0

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Offer to pass; moves are too many to list."""
        return (Pass(),)

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse moves of other seats' troops, and moves to tiles that are not next to each other."""
        if type(action) is Pass:
            return
        assert isinstance(action, Move)
        source = state.tiles[action.f]
        if source.owner != seat or action.t not in _NEIGHBOURS[action.f]:
            raise IllegalActionError("tiles.illegal", "a move goes from an own tile to one beside it")
        if source.troops <= action.n or source.tanks < action.k:
            raise IllegalActionError("tiles.enough", "there are not so many, or the tile would be empty")
        if state.tiles[action.t].owner != seat:
            raise IllegalActionError("tiles.attack", "a move goes to an own tile")

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Move."""
        if type(action) is Pass:
            return Step(State(state.version + 1, state.tiles))
        assert isinstance(action, Move)
        tiles = list(state.tiles)
        source, target = tiles[action.f], tiles[action.t]
        tiles[action.f] = Field(source.owner, source.troops - action.n, source.tanks - action.k)
        tiles[action.t] = Field(target.owner, target.troops + action.n, target.tanks + action.k)
        return Step(State(state.version + 1, tuple(tiles)))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Pass."""
        return Pass()

    def remove(self, state: State, seat: Seat) -> Step:
        """Go on without a seat that left."""
        return Step(state)

    def result(self, state: State) -> Result | None:
        """Go on for ever."""
        return None

    def public(self, state: State) -> State:
        """Show everything."""
        return state

    def private(self, state: State, seat: Seat) -> None:
        """Hide nothing."""

    def imagine(self, public: Any, private: Any, seat: Seat | None, rng: Rng) -> State:
        """Return the state that everybody sees."""
        return msgspec.convert(public, State)

    def draw(self, public: Any, private: Any) -> str:
        """Draw nothing: nobody looks at it."""
        return ""


GAME: Final = Tiles("tiles49", in_turn=False)
TURNS: Final = Tiles("tiles49_turns", in_turn=True)
