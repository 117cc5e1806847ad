"""Liar's Dice, by RULES.md beside this module; the section marks point there.

The state has three parts: the table, which everybody sees; the hands, each seen by its own seat; and the generator,
which nobody sees.
"""

from collections.abc import Iterator
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.codec import check_seats
from warroom_games.hints import BY_SEAT, HIDDEN, SEAT, symbols
from warroom_games.rng import Rng
from warroom_games.sentences import sentence

FACES = 6
MOST_DICE = 36

Face: TypeAlias = Annotated[int, Meta(ge=1, le=FACES), symbols("", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅")]
Dice: TypeAlias = tuple[Face, ...]
"""Faces from 1 to 6, in order."""


class Bid(Struct, frozen=True, tag_field="type", tag="bid", forbid_unknown_fields=True):
    """Claim that all hands together have at least this many dice of a face."""  # §2.2

    count: Annotated[int, Meta(ge=1, le=MOST_DICE)]
    face: Face


class Doubt(Struct, frozen=True, tag_field="type", tag="doubt", forbid_unknown_fields=True):
    """Doubt the last bid, so that all hands are shown."""  # §2.3


Action: TypeAlias = Bid | Doubt


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a room may choose."""

    dice: Annotated[int, Meta(ge=1, le=6, description="dice of each player")] = 5
    wild: Annotated[bool, Meta(description="ones count as every face")] = True


class Table(Struct, frozen=True, kw_only=True):
    """The public view."""

    options: Options
    held: Annotated[tuple[int, ...], Meta(title="dice"), BY_SEAT]
    """By seat: how many dice it has; none: it is out."""
    seat: Annotated[Seat, HIDDEN] = 0
    """Whose turn it is."""
    turn: Annotated[int, HIDDEN] = 1
    bid: Bid | None = None
    bidder: Annotated[Seat, SEAT] | None = None
    out: Annotated[tuple[Seat, ...], HIDDEN] = ()
    """The seats that are out, in the order of leaving."""
    shown: Annotated[tuple[Dice, ...], Meta(title="last shown"), BY_SEAT] = ()
    """All hands of the last round that ended by a doubt."""

    @property
    def is_over(self) -> bool:
        """Whether only one seat has dice."""
        return len(self.out) == len(self.held) - 1

    def after(self, seat: Seat) -> Seat:
        """Return the next seat with dice."""  # §2.1
        order: list[Seat] = [*range(seat + 1, len(self.held)), *range(seat + 1)]
        return next(other for other in order if self.held[other])


class Hand(Struct, frozen=True):
    """The private view of a seat."""

    dice: Dice = ()


class State(Struct, frozen=True):
    """All that is true."""

    table: Table
    hands: tuple[Hand, ...]
    rng: Rng


class LiarsDice:
    """The rules, in the order of the contract."""

    info = GameInfo(
        id="liars_dice",
        name="Liar's Dice",
        summary="Bid on dice that nobody sees all of, and call the lies of others",
        rules_version=1,
        min_seats=2,
        max_seats=6,
        usual_seats=4,
        turn_ms=20_000,
        complete=True,
    )
    state_type = State
    view_type = Table
    private_view_type = Hand
    action_type = Action
    options_type = Options
    sentences = (
        sentence("bid", "{@seat bids} {count} x {face}"),
        sentence("doubted", "{@seat doubts} {@bidder's} bid: {matching die dice} of that face, so {@loser loses} one"),
        sentence("left", "{@seat leaves}"),
        sentence("rolled", "New dice: {dice}"),
    )

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Roll the first hands."""  # §1.1
        check_seats(self, seats)
        return _roll(Table(options=options, held=(options.dice,) * seats), rng, [])

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is."""  # §2.1
        return frozenset() if state.table.is_over else frozenset((state.table.seat,))

    def turn(self, state: State) -> int:
        """Return the number of the turn: every action is one."""
        return state.table.turn

    def legal_actions(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield the doubt, if there is a bid, then every higher bid."""
        table = state.table
        if seat not in self.to_act(state):
            return
        if table.bid is not None:
            yield Doubt()
        bids = (Bid(count, face) for count in range(1, sum(table.held) + 1) for face in range(1, FACES + 1))
        yield from (bid for bid in bids if _is_higher(bid, table.bid))

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse an action out of turn, a doubt of nothing, and a bid that is too low or impossible."""
        table = state.table
        if table.is_over:
            raise IllegalActionError("match.over", "the match is over")
        if seat != table.seat:
            raise IllegalActionError("turn.not_yours", f"it is seat {table.seat}'s turn")  # §2.1
        match action:
            case Doubt():
                if table.bid is None:
                    raise IllegalActionError("doubt.nothing", "there is no bid to doubt")  # §2.3
            case Bid(count):
                if count > sum(table.held):
                    raise IllegalActionError("bid.impossible", f"there are only {sum(table.held)} dice")  # §2.2
                if not _is_higher(action, table.bid):
                    raise IllegalActionError("bid.too_low", f"the bid must be higher than {_words(table.bid)}")  # §2.2

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Make the bid, or show all hands and take a die from the loser."""
        table, events = state.table, list[Event]()
        if isinstance(action, Bid):
            events.append(Event({"type": "bid", "seat": seat, "count": action.count, "face": action.face}))
            turn = {"seat": table.after(seat), "turn": table.turn + 1}
            return Step(replace(state, table=replace(table, bid=action, bidder=seat, **turn)), tuple(events))
        assert table.bid is not None, "a checked doubt has a bid"
        assert table.bidder is not None, "a bid has a bidder"
        shown = tuple(hand.dice for hand in state.hands)
        matching = count_dice(shown, table.bid.face, wild=table.options.wild)
        loser = table.bidder if matching < table.bid.count else seat  # §2.4
        events.append(
            Event({"type": "doubted", "seat": seat, "bidder": table.bidder, "matching": matching, "loser": loser})
        )
        table = _with_dice(replace(table, shown=shown), loser, table.held[loser] - 1)
        return Step(_roll(_next_turn(table, seat), state.rng, events), tuple(events))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the doubt, or the lowest bid if there is none to doubt."""  # §2.6
        return next(self.legal_actions(state, seat))

    def remove(self, state: State, seat: Seat) -> Step:
        """Take the seat's dice and roll all others again."""  # §3.3
        table = state.table
        if table.is_over or not table.held[seat]:
            return Step(state)
        events = [Event({"type": "left", "seat": seat})]
        table = _with_dice(table, seat, 0)
        # If it was not the seat's turn, the seat whose turn it is begins the round.
        table = _next_turn(table, seat) if seat == table.seat else replace(table, turn=table.turn + 1)
        return Step(_roll(table, state.rng, events), tuple(events))

    def result(self, state: State) -> Result | None:
        """Rank the last seat with dice first, and the others by how long they stayed."""  # §3.1, §3.2
        table = state.table
        if not table.is_over:
            return None
        seats = len(table.held)
        return Result(
            tuple(1 if held else seats - table.out.index(seat) for seat, held in enumerate(table.held)), "victory"
        )

    def public(self, state: State) -> View:
        """Return the table."""
        return state.table

    def private(self, state: State, seat: Seat) -> View | None:
        """Return the seat's own dice."""
        return state.hands[seat]

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Roll the dice that the viewer does not see, and keep its own."""
        table = msgspec.convert(public, Table)
        state = _roll(table, rng, [])
        if seat is None:
            return state
        own = msgspec.convert(private, Hand)
        return replace(state, hands=(*state.hands[:seat], own, *state.hands[seat + 1 :]))

    def evaluate(self, public: View, private: View | None, seat: Seat) -> int:
        """Return how the seat's number of dice compares with the strongest rival's."""
        held = list(msgspec.convert(public, Table).held)
        own = held.pop(seat)
        return 1000 * (own - max(held)) // (own + max(held))

    def draw(self, public: View, private: View | None) -> str:
        """Return the bid, the number of dice of each seat, and the viewer's own."""
        table = msgspec.convert(public, Table)
        lines = [f"bid: {_words(table.bid)}"]
        lines += [
            f"{'>' if seat == table.seat else ' '} seat {seat}: {'*' * held or 'out'}"
            for seat, held in enumerate(table.held)
        ]
        if private is not None:
            lines.append(f"your dice: {' '.join(map(str, msgspec.convert(private, Hand).dice))}".rstrip())
        return "\n".join(lines)


def count_dice(hands: tuple[Dice, ...], face: int, *, wild: bool) -> int:
    """Return how many dice of all hands count as a face."""  # §2.5
    return sum(die == face or (wild and die == 1) for dice in hands for die in dice)


def _is_higher(bid: Bid, than: Bid | None) -> bool:
    """Whether a bid has more dice, or as many of a higher face."""  # §2.2
    return than is None or (bid.count, bid.face) > (than.count, than.face)


def _roll(table: Table, rng: Rng, events: list[Event]) -> State:
    """Roll a hand for each seat that has dice; nobody rolls after the end."""  # §1.1, §2.4
    hands = []
    for seat, held in enumerate(table.held):
        dice = []
        for _ in range(0 if table.is_over else held):
            die, rng = rng.below(FACES)
            dice.append(die + 1)
        hands.append(Hand(tuple(sorted(dice))))
        if dice:
            events.append(Event(None, ((seat, {"type": "rolled", "dice": hands[seat].dice}),)))
    return State(table, tuple(hands), rng)


def _with_dice(table: Table, seat: Seat, held: int) -> Table:
    """Return the table of the next round, with another number of dice of one seat."""
    out = table.out if held else (*table.out, seat)
    counts = (*table.held[:seat], held, *table.held[seat + 1 :])
    return replace(table, held=counts, out=out, bid=None, bidder=None)


def _next_turn(table: Table, seat: Seat) -> Table:
    """Begin the turn of the seat after this one."""  # §2.1
    return replace(table, seat=table.after(seat), turn=table.turn + 1)


def _words(bid: Bid | None) -> str:
    return "none" if bid is None else f"{bid.count} x {bid.face}"


GAME = LiarsDice()
