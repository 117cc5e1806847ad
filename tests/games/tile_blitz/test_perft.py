"""The number of histories from small openings, by the rules and by a count that shares nothing with them.

The independent count below is written from docs/rules/tile_blitz.md alone: maps of cells instead of tuples of tiles,
lists of what can be done instead of a check of what is asked for.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

import pytest
from perft_cases import cases
from tile_blitz_positions import position

from warroom_games.law import refusal
from warroom_games.tile_blitz.actions import Action, Attack, BuildInfantry, BuildTank, EndTurn, March, Move
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import State

DECK = "1c 1d 2c 2d 3c 3d 4c 4d 5c 5d 6c 6d"


def opening(entry: dict[str, Any]) -> State:
    by_seat: dict[str, Any] = {
        name: dict(enumerate(entry[name])) for name in ("gold", "stamina", "hands") if name in entry
    }
    fields = {name: entry[name] for name in ("seat", "first", "round") if name in entry}
    options = Options(losses=entry.get("losses", "document"))
    return position(entry["picture"], deck=entry.get("deck", DECK), options=options, **by_seat, **fields)


# --- by the rules -----------------------------------------------------------------------------------------------


def histories(state: State, depth: int) -> int:
    if depth == 0 or not GAME.to_act(state):
        return 1
    seat = state.table.seat
    allowed = [action for action in candidates(state) if refusal(GAME, state, seat, action) is None]
    assert set(GAME.legal_actions(state, seat)) <= set(allowed)
    return sum(histories(GAME.apply(state, seat, action).state, depth - 1) for action in allowed)


def candidates(state: State) -> Iterator[Action]:
    """Every action near the tiles that are held, with more units than there are, and cards that nobody has."""
    table = state.table
    held = [number for number, tile in enumerate(table.tiles, start=1) if tile.color]
    near = sorted({number + step for number in held for step in (-7, -1, 0, 1, 7)} | {0, 25, 50})
    most_troops = max(tile.troops for tile in table.tiles)
    most_tanks = max(tile.tanks for tile in table.tiles)
    for source, target in product(held, near):
        if target >= 0:
            yield Attack(source, target)
            for troops, tanks in product(range(most_troops + 1), range(most_tanks + 2)):
                yield Move(source, target, troops, tanks)
                yield March(source, target, troops, tanks)
    hand = [card.id for card in state.secrets[table.seat].hand]
    for tile in (tile for tile in near if tile >= 0):
        yield from (BuildInfantry(tile, count) for count in range(table.players[table.seat].gold + 2))
        yield from (BuildTank(tile, pair) for pair in combinations([*hand, 9999], 2))
    yield EndTurn()


# --- and independently ------------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """Whose it is, and the units on it."""

    who: str
    troops: int
    tanks: int


class World(NamedTuple):
    """Cells by (x, y); by player gold, stamina and hand (values alone); and the course of the match."""

    cells: dict[tuple[int, int], Cell]
    players: str
    gold: dict[str, int]
    stamina: dict[str, int]
    hands: dict[str, tuple[int, ...]]
    deck: tuple[int, ...]
    mover: str
    waiting: str
    first: str
    round: int
    losses: str


def counted(world: World | None, depth: int) -> int:
    """Count histories; None is a match that is over."""
    if depth == 0 or world is None:
        return 1
    return sum(counted(following, depth - 1) for following in moves(world))


def moves(world: World) -> Iterator[World | None]:
    mine = {place: cell for place, cell in world.cells.items() if cell.who == world.mover}
    for place, cell in mine.items():
        yield from builds(world, place)
        for goal in mine:
            yield from walks(world, mine, place, goal)
        for goal in ((x, y) for x in range(7) for y in range(7)):
            if touching(place, goal) and goal not in mine and cell.troops > 1:
                yield from conquests(world, place, goal)
    yield from ended(world)


def builds(world: World, place: tuple[int, int]) -> Iterator[World]:
    me, cell = world.mover, world.cells[place]
    for count in range(1, world.gold[me] + 1):
        gold = {**world.gold, me: world.gold[me] - count}
        yield put(world, {place: cell._replace(troops=cell.troops + count)})._replace(gold=gold)
    for one, other in combinations(range(len(world.hands[me])), 2):
        if world.hands[me][one] == world.hands[me][other]:
            rest = tuple(card for index, card in enumerate(world.hands[me]) if index not in (one, other))
            tank = put(world, {place: cell._replace(tanks=cell.tanks + 1)})
            yield tank._replace(hands={**world.hands, me: rest})


def walks(
    world: World, mine: dict[tuple[int, int], Cell], place: tuple[int, int], goal: tuple[int, int]
) -> Iterator[World]:
    me = world.mover
    for after in shifts(world, place, goal):
        if touching(place, goal):
            yield after
        if world.stamina[me] and joined(mine, place, goal):
            yield after._replace(stamina={**world.stamina, me: world.stamina[me] - 1})


def put(world: World, changes: dict[tuple[int, int], Cell]) -> World:
    return world._replace(cells={**world.cells, **changes})


def touching(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def joined(mine: dict[tuple[int, int], Cell], place: tuple[int, int], goal: tuple[int, int]) -> bool:
    reached = {place}
    while more := {cell for cell in mine if cell not in reached and any(touching(cell, old) for old in reached)}:
        reached |= more
    return goal in reached and goal != place


def shifts(world: World, place: tuple[int, int], goal: tuple[int, int]) -> Iterator[World]:
    here, there = world.cells[place], world.cells[goal]
    for left, tanks in product(range(1, here.troops + 1), range(here.tanks + 1)):
        gone = here.troops - left
        if place != goal and gone + tanks > 0:
            yield put(
                world,
                {
                    place: here._replace(troops=left, tanks=here.tanks - tanks),
                    goal: there._replace(troops=there.troops + gone, tanks=there.tanks + tanks),
                },
            )


def conquests(world: World, place: tuple[int, int], goal: tuple[int, int]) -> Iterator[World | None]:
    here, there = world.cells[place], world.cells.get(goal)
    power = here.troops + 2 * here.tanks
    against = 1 if there is None else there.troops + 2 * there.tanks
    if power <= against:
        return
    points = power - against if world.losses == "document" else against
    troops, tanks = here.troops, here.tanks
    while points > 1 and tanks > 0:
        points, tanks = points - 2, tanks - 1
    troops = max(troops - points, 1)
    after = put(world, {place: Cell(world.mover, 1, 0), goal: Cell(world.mover, troops - 1, tanks)})
    alive = {cell.who for cell in after.cells.values()}
    if len(alive) == 1:
        yield None
    else:
        yield after._replace(players="".join(player for player in world.players if player in alive))


def ended(world: World) -> Iterator[World | None]:
    """Pass on: *waiting* holds who is still to play in this round, *first* who began it."""
    waiting = [player for player in world.waiting if player in world.players]
    round_, first = world.round, world.first
    if not waiting:
        if round_ == 40:
            yield None
            return
        circle = "RGYOP"
        start = circle.index(first) + 1
        waiting = [player for player in circle[start:] + circle[:start] if player in world.players]
        round_, first = round_ + 1, waiting[0]
    me, *rest = waiting
    yield world._replace(
        gold={**world.gold, me: world.gold[me] + 2},
        stamina={**world.stamina, me: min(2, world.stamina[me] + 1)},
        hands={**world.hands, me: world.hands[me] + world.deck[:2]},
        deck=world.deck[2:],
        mover=me,
        waiting="".join(rest),
        first=first,
        round=round_,
    )


def written(entry: dict[str, Any]) -> World:
    cells = {}
    for word in entry["picture"].split():
        number, held = word.split(":")
        troops, *tanks = held[1:].split("+")
        cells[divmod(int(number) - 1, 7)] = Cell(held[0], int(troops), sum(map(int, tanks)))
    alive = {cell.who for cell in cells.values()}
    seats = "RO" if alive <= set("RO") else "RGYOP"
    first = seats[entry.get("first", 0)]
    order = (seats + seats)[seats.index(first) :][: len(seats)]
    mover = seats[entry.get("seat", 0)]

    def by_player(name: str, nothing: Any) -> dict[str, Any]:
        return dict(zip(seats, entry.get(name, [nothing] * len(seats)), strict=True))

    return World(
        cells=cells,
        players="".join(player for player in seats if player in alive),
        gold=by_player("gold", 0),
        stamina=by_player("stamina", 0),
        hands={player: values(text) for player, text in by_player("hands", "").items()},
        deck=values(entry.get("deck", DECK)),
        mover=mover,
        waiting=order[order.index(mover) + 1 :],
        first=first,
        round=entry.get("round", 1),
        losses=entry.get("losses", "document"),
    )


def values(words: str) -> tuple[int, ...]:
    return tuple(int(word[:-1]) for word in words.split())


CASES = cases("tile_blitz", quick=400)


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_the_rules_make_as_many_histories_as_recorded(entry: dict[str, Any], depth: int, count: int) -> None:
    assert histories(opening(entry), depth) == count


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_an_independent_count_agrees(entry: dict[str, Any], depth: int, count: int) -> None:
    assert counted(written(entry), depth) == count
