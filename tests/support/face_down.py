"""Cards laid face down, for tests. The views count them; a game beside it names them in its events.

Each seat has a hand. In turn each lays a card face down on its own pile, until all hands are empty. Then the piles are
shown, and the highest sum wins. A seat that leaves ranks below all that stayed, and its cards stay where they are.
"""

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.codec import check_seats
from warroom_games.rng import Rng

Cards: TypeAlias = tuple[int, ...]


class Lay(Struct, frozen=True, tag_field="type", tag="lay", forbid_unknown_fields=True):
    """Lay a card face down."""

    card: Annotated[int, Meta(ge=1, le=20)]


class Options(Struct, frozen=True):
    """What a room may choose."""

    cards: Annotated[int, Meta(ge=1, le=5, description="cards of each seat")] = 3


class Table(Struct, frozen=True):
    """The public view."""

    hands: tuple[int, ...]
    """By seat, how many cards it has in hand."""
    piles: tuple[int, ...]
    """By seat, how many cards it has laid."""
    seat: Seat = 0
    turn: int = 1
    out: tuple[Seat, ...] = ()
    shown: tuple[Cards, ...] = ()
    """By seat, the cards of its pile, once the match is over."""


class Holding(Struct, frozen=True):
    """The private view: the cards in hand and on the own pile."""

    hand: Cards
    pile: Cards = ()


class State(Struct, frozen=True):
    """The table, and the cards of each seat."""

    table: Table
    holdings: tuple[Holding, ...]


class FaceDown:
    """The rules, in contract order."""

    info = GameInfo(
        id="face_down",
        name="Face Down",
        summary="Lay cards that nobody sees",
        rules_version=1,
        min_seats=2,
        max_seats=4,
        usual_seats=3,
        turn_ms=20_000,
        complete=True,
        has_draws=True,
    )
    state_type = State
    action_type: Any = Lay
    options_type = Options

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Deal all cards."""
        check_seats(self, seats)
        deck, _ = rng.shuffle(range(1, seats * options.cards + 1))
        table = Table((options.cards,) * seats, (0,) * seats)
        return State(table, tuple(Holding(tuple(sorted(deck[seat::seats]))) for seat in range(seats)))

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return whose turn it is."""
        return frozenset() if state.table.shown else frozenset({state.table.seat})

    def turn(self, state: State) -> int:
        """Return the number of the turn."""
        return state.table.turn

    def legal_actions(self, state: State, seat: Seat) -> Iterator[Lay]:
        """Yield each card in hand."""
        if seat in self.to_act(state):
            yield from map(Lay, state.holdings[seat].hand)

    def check(self, state: State, seat: Seat, action: Lay) -> None:
        """Refuse what is not listed."""
        if action not in list(self.legal_actions(state, seat)):
            raise IllegalActionError("card.illegal", "lay a card of your hand, in your turn")

    def apply(self, state: State, seat: Seat, action: Lay) -> Step:
        """Lay the card, and tell the seat alone which one it is."""
        hand, pile = state.holdings[seat].hand, state.holdings[seat].pile
        laid = Holding(tuple(card for card in hand if card != action.card), (*pile, action.card))
        holdings = (*state.holdings[:seat], laid, *state.holdings[seat + 1 :])
        event = Event({"type": "laid", "seat": seat}, ((seat, {"type": "laid", "seat": seat, "card": action.card}),))
        return Step(_next_turn(State(state.table, holdings), seat), (event,))

    def default_action(self, state: State, seat: Seat) -> Lay:
        """Return the lowest card."""
        return Lay(state.holdings[seat].hand[0])

    def remove(self, state: State, seat: Seat) -> Step:
        """Go on without a seat."""
        table = state.table
        if table.shown or seat in table.out:
            return Step(state)
        left = replace(state, table=replace(table, out=(*table.out, seat)))
        is_last = len(left.table.out) == len(table.hands) - 1
        after = _next_turn(left, seat) if is_last or seat == table.seat else left
        return Step(after, (Event({"type": "left", "seat": seat}),))

    def result(self, state: State) -> Result | None:
        """Rank by the sums of the piles."""
        table = state.table
        if not table.shown:
            return None
        keys = [
            (0, table.out.index(seat)) if seat in table.out else (1, sum(pile)) for seat, pile in enumerate(table.shown)
        ]
        return Result(tuple(1 + sum(other > key for other in keys) for key in keys), "victory")

    def public(self, state: State) -> View:
        """Return the table."""
        return state.table

    def private(self, state: State, seat: Seat) -> View | None:
        """Return the own cards."""
        return state.holdings[seat]

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Deal anew what the viewer has not seen."""
        table = msgspec.convert(public, Table)
        own = None if seat is None else msgspec.convert(private, Holding)
        known = {card for pile in table.shown for card in pile} | set(() if own is None else own.hand + own.pile)
        unseen, _ = rng.shuffle([card for card in range(1, sum(table.hands + table.piles) + 1) if card not in known])
        rest, holdings = list(unseen), []
        for other, (hand, pile) in enumerate(zip(table.hands, table.piles, strict=True)):
            if own is not None and other == seat:
                holdings.append(own)
                continue
            cards = table.shown[other] if table.shown else tuple(rest.pop() for _ in range(pile))
            holdings.append(Holding(tuple(sorted(rest.pop() for _ in range(hand))), cards))
        return State(table, tuple(holdings))

    def draw(self, public: View, private: View | None) -> str:
        """Return the table in a line."""
        return f"{public} {private}"


class Named(FaceDown):
    """Names every card that is laid face down."""

    def apply(self, state: State, seat: Seat, action: Lay) -> Step:
        """Lay the card, and tell everybody which one it is."""
        step = super().apply(state, seat, action)
        return replace(step, events=(Event({"type": "laid", "seat": seat, "card": action.card}),))


class Recalled(FaceDown):
    """Names the cards on top of all piles with the next card that is laid.

    It imagines no state with piles that looks like the real one, so only a walk of two steps finds the leak.
    """

    def apply(self, state: State, seat: Seat, action: Lay) -> Step:
        """Lay the card, and tell everybody which cards were laid before it."""
        step = super().apply(state, seat, action)
        tops = [holding.pile[-1:] for holding in state.holdings]
        return replace(step, events=(Event({"type": "laid", "seat": seat, "tops": tops}),))

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Deal anew, and where there are piles, in any other turn."""
        state = super().imagine(public, private, seat, rng)
        later, _ = rng.below(1_000_000)
        turn = state.table.turn + (later + 1 if any(state.table.piles) else 0)
        return replace(state, table=replace(state.table, turn=turn))


def _next_turn(state: State, seat: Seat) -> State:
    """Give the turn to the next seat in play that has cards, or show the piles."""
    hands = tuple(len(holding.hand) for holding in state.holdings)
    piles = tuple(len(holding.pile) for holding in state.holdings)
    table, seats = replace(state.table, hands=hands, piles=piles), len(hands)
    order = [other % seats for other in range(seat + 1, seat + 1 + seats)]
    following = [other for other in order if hands[other] and other not in table.out]
    if not following or len(table.out) == seats - 1:
        shown = tuple(holding.pile for holding in state.holdings)
        return replace(state, table=replace(table, shown=shown))
    return replace(state, table=replace(table, seat=following[0], turn=table.turn + 1))


HONEST = FaceDown()
NAMED = Named()
RECALLED = Recalled()
