"""Liar's Dice for tests: hidden dice, open bids. The games beside it tell everybody what is under the cups.

Every seat rolls its dice under a cup. In turn each bids higher than the last bid (how many dice of a face all have
together), or doubts it. Then all dice are shown, the one who was wrong loses one, everybody rolls again, and the next
seat bids. A seat without dice is out, and the last one left wins.
"""

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.codec import check_seats
from warroom_games.rng import Rng

FACES = 6
NOTHING = (0, 0)

Hand: TypeAlias = tuple[int, ...]


class Bid(Struct, frozen=True, tag_field="type", tag="bid", forbid_unknown_fields=True):
    """Claim that there are so many dice of a face under all cups."""

    count: Annotated[int, Meta(ge=1, le=12)]
    face: Annotated[int, Meta(ge=1, le=FACES)]


class Doubt(Struct, frozen=True, tag_field="type", tag="doubt", forbid_unknown_fields=True):
    """Deny the last bid."""


Action: TypeAlias = Bid | Doubt


class Options(Struct, frozen=True):
    """What a room may choose."""

    dice: Annotated[int, Meta(ge=1, le=3, description="dice of each seat")] = 2


class Table(Struct, frozen=True):
    """The public view."""

    options: Options
    counts: tuple[int, ...]
    """By seat, how many dice it has."""
    seat: Seat
    turn: int = 1
    bid: tuple[int, int] = NOTHING
    """The last bid: how many, and of which face."""
    bidder: Seat | None = None
    shown: tuple[Hand, ...] = ()
    """By seat, what was under the cups in the last round."""
    out: tuple[Seat, ...] = ()


class State(Struct, frozen=True):
    """The table, what is under each cup, and the generator."""

    table: Table
    hands: tuple[Hand, ...]
    rng: Rng


class LiarsDice:
    """The rules, in contract order."""

    info = GameInfo(
        id="liars_dice",
        name="Liar's Dice",
        summary="Bid on dice that nobody sees",
        rules_version=1,
        min_seats=2,
        max_seats=4,
        usual_seats=3,
        turn_ms=20_000,
        complete=True,
    )
    state_type = State
    action_type: Any = Action
    options_type = Options

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Let everybody roll."""
        check_seats(self, seats)
        table = Table(options, (options.dice,) * seats, 0)
        hands, rng = _rolled(table.counts, rng)
        return State(table, hands, rng)

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return whose turn it is."""
        return frozenset() if _is_over(state.table) else frozenset({state.table.seat})

    def turn(self, state: State) -> int:
        """Return the number of the turn."""
        return state.table.turn

    def legal_actions(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield every higher bid, then the doubt."""
        if seat not in self.to_act(state):
            return
        table = state.table
        bids = [(count, face) for count in range(1, sum(table.counts) + 1) for face in range(1, FACES + 1)]
        yield from (Bid(*bid) for bid in bids if bid > table.bid)
        if table.bid != NOTHING:
            yield Doubt()

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse what is not listed."""
        if action not in list(self.legal_actions(state, seat)):
            raise IllegalActionError("dice.illegal", "bid higher, or doubt, in your turn")

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Take the bid, or look under the cups."""
        table = state.table
        if isinstance(action, Doubt):
            return _doubted(state, seat)
        bid = (action.count, action.face)
        table = replace(table, bid=bid, bidder=seat, seat=_next(table, seat), turn=table.turn + 1)
        return Step(replace(state, table=table), (Event({"type": "bid", "seat": seat, "bid": bid}),))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the doubt, or the lowest bid."""
        return Bid(1, 1) if state.table.bid == NOTHING else Doubt()

    def remove(self, state: State, seat: Seat) -> Step:
        """Take the cup of a seat away; the others roll again."""
        table = state.table
        if _is_over(table) or seat in table.out:
            return Step(state)
        left = replace(table, counts=_without(table.counts, seat, table.counts[seat]), out=(*table.out, seat))
        step = _new_round(replace(state, table=left), _next(left, table.seat - 1))
        return Step(step.state, (Event({"type": "left", "seat": seat}), *step.events))

    def result(self, state: State) -> Result | None:
        """Rank the last one first, and before others who went later."""
        table = state.table
        if not _is_over(table):
            return None
        order = [*(seat for seat in range(len(table.counts)) if seat not in table.out), *reversed(table.out)]
        return Result(tuple(order.index(seat) + 1 for seat in range(len(table.counts))), "victory")

    def public(self, state: State) -> View:
        """Return the table."""
        return state.table

    def private(self, state: State, seat: Seat) -> View | None:
        """Return what is under the own cup."""
        return {"hand": state.hands[seat]}

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Roll anew under the other cups."""
        table = msgspec.convert(public, Table)
        coins, rng = rng.spawn()
        hands, _ = _rolled(table.counts, rng)
        if isinstance(private, dict):
            hands = tuple(tuple(private["hand"]) if other == seat else hand for other, hand in enumerate(hands))
        return State(table, hands, coins)

    def draw(self, public: View, private: View | None) -> str:
        """Return the table in a line."""
        return f"{public} {private}"


class Whispered(LiarsDice):
    """Whispers every hand to every seat."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Play, and tell each seat alone."""
        step = super().apply(state, seat, action)
        told = {"type": "cups", "seat": seat, "hands": step.state.hands}
        return replace(
            step, events=(*step.events, Event(None, tuple((each, told) for each in range(len(state.hands)))))
        )


class Shouted(LiarsDice):
    """Tells everybody every hand."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Play, and tell all."""
        step = super().apply(state, seat, action)
        return replace(step, events=(*step.events, Event({"type": "cups", "seat": seat, "hands": step.state.hands})))


class Overheard(LiarsDice):
    """Tells all new hands when everybody rolls again, and only then."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Play, and tell all of a roll."""
        step = super().apply(state, seat, action)
        told = Event({"type": "cups", **self.heard(step.state)})
        return replace(step, events=(*step.events, told)) if isinstance(action, Doubt) else step

    def heard(self, state: State) -> dict[str, object]:
        """Return what is told of a roll."""
        return {"hands": state.hands}


class Drowned(Overheard):
    """Tells the hands together with numbers that are nobody's secret and have nothing to do with them."""

    def heard(self, state: State) -> dict[str, object]:
        """Return a large number, coins and the hands."""
        noise, _ = state.rng.below(1_000_000)
        return {"noise": noise, "coins": [noise >> bit & 1 for bit in range(12)], "hands": state.hands}


class Written(Overheard):
    """Tells the hands as one text."""

    def heard(self, state: State) -> dict[str, object]:
        """Return a text."""
        return {"text": " / ".join(", ".join(map(str, hand)) for hand in state.hands)}


def _is_over(table: Table) -> bool:
    return len(table.out) >= len(table.counts) - 1


def _next(table: Table, seat: Seat) -> Seat:
    """Return the next seat that has dice."""
    seats = len(table.counts)
    return next(other % seats for other in range(seat + 1, seat + 1 + seats) if table.counts[other % seats])


def _without(counts: tuple[int, ...], seat: Seat, dice: int) -> tuple[int, ...]:
    return tuple(count - dice if other == seat else count for other, count in enumerate(counts))


def _luck(state: State) -> int:
    return state.rng.below(3)[0] + 7


def _rolled(counts: tuple[int, ...], rng: Rng) -> tuple[tuple[Hand, ...], Rng]:
    hands = []
    for count in counts:
        hand: Hand = ()
        for _ in range(count):
            die, rng = rng.below(FACES)
            hand = (*hand, die + 1)
        hands.append(tuple(sorted(hand)))
    return tuple(hands), rng


def _doubted(state: State, seat: Seat) -> Step:
    """Show all dice; the bidder or the doubter loses one."""
    table = state.table
    assert table.bidder is not None
    found = sum(hand.count(table.bid[1]) for hand in state.hands)
    loser = seat if found >= table.bid[0] else table.bidder
    table = replace(table, counts=_without(table.counts, loser, 1), shown=state.hands)
    if not table.counts[loser]:
        table = replace(table, out=(*table.out, loser))
    step = _new_round(replace(state, table=table), _next(table, seat))
    event = Event({"type": "shown", "seat": seat, "hands": state.hands, "loser": loser})
    return Step(step.state, (event, *step.events))


def _new_round(state: State, seat: Seat) -> Step:
    """Let everybody roll again, and tell each what it has rolled."""
    table = replace(state.table, seat=seat, bid=NOTHING, bidder=None, turn=state.table.turn + 1)
    hands, rng = _rolled(table.counts, state.rng)
    own = tuple((each, {"type": "rolled", "hand": hand}) for each, hand in enumerate(hands) if hand)
    return Step(State(table, hands, rng), (Event(None, own),))


class Lucky(Overheard):
    """Tells a roll and what came of it, which seat 0 alone sees in its view."""

    def private(self, state: State, seat: Seat) -> View | None:
        """Return what is under the own cup, and for seat 0 its luck."""
        luck = {"luck": _luck(state)} if seat == 0 else {}
        return {"hand": state.hands[seat], **luck}

    def heard(self, state: State) -> dict[str, object]:
        """Return the roll and the luck."""
        return {"roll": 10 * _luck(state), "luck": _luck(state)}


HONEST = LiarsDice()
WHISPERED = Whispered()
SHOUTED = Shouted()
OVERHEARD = Overheard()
DROWNED = Drowned()
WRITTEN = Written()
LUCKY = Lucky()
