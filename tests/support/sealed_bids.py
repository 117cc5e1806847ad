"""Sealed bids: a small game with everything that a game can hide, for tests only.

Each seat is dealt some of its own cards 1 to n. Each round a prize is turned up from a shuffled deck and joins the row;
every seat commits one card in secret, and the last commit turns all of them up. The single highest card takes the
row; when the highest is tied the row stays for the next round. Before it commits, a seat may peek at the next prize.

Who has committed, who has peeked, the hands and the deck are hidden. docs: the rules are the numbered lines here.

1.1 Seats are dealt `rounds` of their own cards 1 to `cards`; the prizes are 1 to `rounds`, shuffled.
2.1 All seats in play bid at once, one card each, from the hand.
2.2 The last bid resolves the round: bids are turned up and spent, the single highest takes the row.
2.3 A tie for the highest leaves the row on the table; what lies there after the last round goes to nobody.
3.1 A seat that has not bid yet may look at the next prize, once a round and `peeks` times in all.
4.1 After the last round the highest score wins. A seat that leaves ranks below all that stayed, a later one higher.
4.2 The last seat in play wins at once.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from warroom_games.api import Event, GameInfo, IllegalActionError, OptionsError, Result, Seat, Step, View
from warroom_games.codec import check_seats
from warroom_games.rng import Rng


class Bid(Struct, frozen=True, tag_field="type", tag="bid", forbid_unknown_fields=True):
    """Commit a card for this round's row."""

    card: Annotated[int, Meta(ge=1, le=20)]


class Peek(Struct, frozen=True, tag_field="type", tag="peek", forbid_unknown_fields=True):
    """Look at the next prize in secret."""


Action: TypeAlias = Bid | Peek


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose."""

    rounds: Annotated[int, Meta(ge=1, le=10, description="rounds, prizes and cards in a hand")] = 4
    cards: Annotated[int, Meta(ge=1, le=20, description="the highest card that may be dealt")] = 8
    peeks: Annotated[int, Meta(ge=0, le=5, description="how often a seat may look at the next prize")] = 2


class Round(Struct, frozen=True):
    """A resolved round; *bids* holds None for seats that were out, *winner* None for a tie."""

    row: tuple[int, ...]
    bids: tuple[int | None, ...]
    winner: Seat | None


class Secret(Struct, frozen=True):
    """What one seat knows besides: its hand, its bid of this round, its peeks left, and the next prize if it looked."""

    hand: tuple[int, ...]
    bid: int | None
    peeks: int
    next_prize: int | None


class Table(Struct, frozen=True):
    """What everybody knows."""

    options: Options
    round: int
    row: tuple[int, ...]
    scores: tuple[int, ...]
    past: tuple[Round, ...]
    out: tuple[Seat, ...]
    """Seats that left, in the order of leaving."""


class State(Struct, frozen=True):
    """The table, the secrets of each seat, and the prizes still to come."""

    table: Table
    secrets: tuple[Secret, ...]
    deck: tuple[int, ...]


class SealedBids:
    """The rules of sealed bids, in contract order."""

    info = GameInfo(
        id="sealed_bids",
        name="Sealed Bids",
        summary="Bid in secret for prizes",
        rules_version=1,
        min_seats=2,
        max_seats=4,
        usual_seats=3,
        turn_ms=10_000,
        complete=True,
        has_draws=True,
        simultaneous=True,
    )
    state_type = State
    action_type: Any = Action
    options_type = Options

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Deal the hands and turn the first prize up."""  # §1.1
        check_seats(self, seats)
        if options.cards < options.rounds:
            raise OptionsError(f"cards must be at least rounds ({options.rounds}), got {options.cards}")
        secrets = []
        for _ in range(seats):
            hand, rng = rng.sample(range(1, options.cards + 1), options.rounds)
            secrets.append(Secret(tuple(sorted(hand)), None, options.peeks, None))
        deck, _ = rng.shuffle(range(1, options.rounds + 1))
        table = Table(options, 1, deck[:1], (0,) * seats, (), ())
        return State(table, tuple(secrets), deck[1:])

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seats whose bid is still missing."""
        if _is_over(state.table):
            return frozenset()
        return frozenset(seat for seat in _in_play(state.table) if state.secrets[seat].bid is None)

    def turn(self, state: State) -> int:
        """Return the round: all bids of it share one time budget."""
        return state.table.round

    def legal_actions(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield a bid for each card in hand, then the peek if there is one."""
        if seat not in self.to_act(state):
            return
        secret = state.secrets[seat]
        yield from map(Bid, secret.hand)
        if state.deck and secret.peeks and secret.next_prize is None:
            yield Peek()

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse what the seat cannot play, by what it knows itself."""
        secret = state.secrets[seat]
        if _is_over(state.table):
            raise IllegalActionError("match.over", "the match is over")
        if seat in state.table.out:
            raise IllegalActionError("match.left", "you have left the match")
        if secret.bid is not None:
            raise IllegalActionError("bid.waiting", "your bid for this round is already in")  # §2.1
        match action:
            case Bid(card):
                if card not in secret.hand:
                    raise IllegalActionError("bid.spent", f"card {card} is not in your hand")  # §2.1
            case Peek():
                _check_peek(state, secret)

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Commit or peek; the last commit resolves the round."""
        secret = state.secrets[seat]
        match action:
            case Bid(card):
                committed = _with_secret(state, seat, msgspec.structs.replace(secret, bid=card))
                event = Event(None, ((seat, {"type": "committed", "card": card}),))
                return _resolve_if_complete(committed, (event,))
            case Peek():
                prize = state.deck[0]
                seen = msgspec.structs.replace(secret, peeks=secret.peeks - 1, next_prize=prize)
                event = Event(None, ((seat, {"type": "peeked", "prize": prize}),))
                return Step(_with_secret(state, seat, seen), (event,))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the bid of the lowest card."""
        return Bid(state.secrets[seat].hand[0])

    def remove(self, state: State, seat: Seat) -> Step:
        """Take the seat's bid back and go on without it."""  # §4.1
        if _is_over(state.table) or seat in state.table.out:
            return Step(state)
        table = msgspec.structs.replace(state.table, out=(*state.table.out, seat))
        secret = msgspec.structs.replace(state.secrets[seat], bid=None)
        left = _with_secret(msgspec.structs.replace(state, table=table), seat, secret)
        event = Event({"type": "left", "seat": seat})
        return Step(left, (event,)) if _is_over(table) else _resolve_if_complete(left, (event,))

    def result(self, state: State) -> Result | None:
        """Rank by score, and those who left below, the later the better."""  # §4.1
        table = state.table
        if not _is_over(table):
            return None
        keys = [
            (1, score) if seat not in table.out else (0, table.out.index(seat))
            for seat, score in enumerate(table.scores)
        ]
        ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
        return Result(ranks, "victory")

    def public(self, state: State) -> View:
        """Return the table."""
        return state.table

    def private(self, state: State, seat: Seat) -> View | None:
        """Return the seat's hand, bid, peeks and what it saw."""
        return state.secrets[seat]

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Deal anew what the viewer has not seen."""
        table = msgspec.convert(public, Table)
        own = None if seat is None else msgspec.convert(private, Secret)
        deck, rng = _imagined_deck(table, own, rng)
        secrets: list[Secret] = []
        for other in range(len(table.scores)):
            if own is not None and other == seat:
                secrets.append(own)
            else:
                secret, rng = _imagined_secret(table, other, deck, rng)
                secrets.append(secret)
        return State(table, _someone_waits(table, secrets, seat), deck)

    def draw(self, public: View, private: View | None) -> str:
        """Return the row, the scores and the own hand in a few lines."""
        table = msgspec.convert(public, Table)
        lines = [f"round {table.round} of {table.options.rounds}   prizes {_spaced(table.row)}"]
        for seat, score in enumerate(table.scores):
            lines.append(f"  seat {seat}: {score}{'  left' if seat in table.out else ''}")
        if private is not None:
            own = msgspec.convert(private, Secret)
            lines.append(f"hand {_spaced(own.hand)}   bid {own.bid or '-'}   next prize {own.next_prize or '?'}")
        return "\n".join(lines)

    def conserved(self, state: State) -> Mapping[str, int]:
        """Return all cards, in hands and played, and the worth of all prizes, taken or not."""
        table = state.table
        played = sum(bid is not None for past in table.past for bid in past.bids)
        return {
            "cards": played + sum(len(secret.hand) for secret in state.secrets),
            "prizes": sum((*state.deck, *table.row, *table.scores)),
        }


def _is_over(table: Table) -> bool:
    return len(table.past) == table.options.rounds or len(_in_play(table)) == 1  # §4.1, §4.2


def _in_play(table: Table) -> list[Seat]:
    return [seat for seat in range(len(table.scores)) if seat not in table.out]


def _with_secret(state: State, seat: Seat, secret: Secret) -> State:
    secrets = (*state.secrets[:seat], secret, *state.secrets[seat + 1 :])
    return State(state.table, secrets, state.deck)


def _check_peek(state: State, secret: Secret) -> None:
    if not state.deck:
        raise IllegalActionError("peek.nothing", "this is the last prize")  # §3.1
    if secret.next_prize is not None:
        raise IllegalActionError("peek.known", f"you know that the next prize is {secret.next_prize}")  # §3.1
    if not secret.peeks:
        raise IllegalActionError("peek.spent", "you have no peek left")  # §3.1


def _resolve_if_complete(state: State, events: tuple[Event, ...]) -> Step:
    if any(state.secrets[seat].bid is None for seat in _in_play(state.table)):
        return Step(state, events)
    resolved, event = _resolve(state)
    return Step(resolved, (*events, event))


def _resolve(state: State) -> tuple[State, Event]:
    """Turn the bids up, give the row to the single highest, and turn the next prize up."""  # §2.2, §2.3
    table = state.table
    bids = tuple(secret.bid for secret in state.secrets)
    highest = max(bid for bid in bids if bid is not None)
    winner = bids.index(highest) if bids.count(highest) == 1 else None
    scores = tuple(score + sum(table.row) * (seat == winner) for seat, score in enumerate(table.scores))
    past = (*table.past, Round(table.row, bids, winner))
    row = (() if winner is not None else table.row) + state.deck[:1]
    public = {"type": "resolved", "bids": bids, "winner": winner, "row": table.row}
    private = tuple((seat, {"type": "spent", "card": bid}) for seat, bid in enumerate(bids) if bid is not None)
    is_last = len(past) == table.options.rounds
    table = Table(table.options, table.round + (not is_last), row, scores, past, table.out)
    secrets = tuple(map(_without_bid, state.secrets))
    return State(table, secrets, state.deck[1:]), Event(public, private)


def _without_bid(secret: Secret) -> Secret:
    return Secret(tuple(card for card in secret.hand if card != secret.bid), None, secret.peeks, None)


def _imagined_deck(table: Table, own: Secret | None, rng: Rng) -> tuple[tuple[int, ...], Rng]:
    shown = {prize for row in (table.row, *(past.row for past in table.past)) for prize in row}
    known = () if own is None or own.next_prize is None else (own.next_prize,)
    unseen = [prize for prize in range(1, table.options.rounds + 1) if prize not in shown and prize not in known]
    rest, rng = rng.shuffle(unseen)
    return known + rest, rng


def _imagined_secret(table: Table, seat: Seat, deck: tuple[int, ...], rng: Rng) -> tuple[Secret, Rng]:
    options = table.options
    played = [past.bids[seat] for past in table.past if past.bids[seat] is not None]
    unseen = [card for card in range(1, options.cards + 1) if card not in played]
    hand, rng = rng.sample(unseen, options.rounds - len(played))
    used, rng = rng.below(min(options.peeks, len(played) + 1) + 1)
    looks, rng = rng.below(2)
    bids, rng = rng.below(2)
    card, rng = rng.choice(hand) if hand else (None, rng)
    is_in_play = seat not in table.out and not _is_over(table)
    bid = card if bids and is_in_play else None
    next_prize = deck[0] if deck and looks and used and is_in_play else None
    return Secret(tuple(sorted(hand)), bid, options.peeks - used, next_prize), rng


def _someone_waits(table: Table, secrets: list[Secret], seat: Seat | None) -> tuple[Secret, ...]:
    """Take a bid back where all are in: the round would have been resolved."""
    in_play = _in_play(table)
    if not _is_over(table) and all(secrets[other].bid is not None for other in in_play):
        late = next(other for other in in_play if other != seat)
        secrets[late] = msgspec.structs.replace(secrets[late], bid=None)
    return tuple(secrets)


def _spaced(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers)) or "-"


GAME = SealedBids()
