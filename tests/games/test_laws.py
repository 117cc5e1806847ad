"""Each law notices the games that break it: sealed bids with one thing wrong at a time."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Annotated, Any

import msgspec
import pytest
from face_down import FaceDown, Lay
from face_down import Options as FaceDownOptions
from face_down import State as FaceDownState
from msgspec import Meta, Struct
from msgspec.structs import replace
from sealed_bids import GAME, Action, Bid, Options, Peek, SealedBids, State

from warroom_games import playthrough
from warroom_games.api import Event, IllegalActionError, Result, Step, View
from warroom_games.conformance import LAWS
from warroom_games.law import LawBrokenError
from warroom_games.playthrough import EndlessMatchError, play
from warroom_games.rng import Rng
from warroom_protocol.patches import diff

KEY = b"laws are broken!"
LAW = {law.__name__: law for law in LAWS}
EVENTS = "events_tell_no_more_than_views"


class _Broken(SealedBids):
    """The base of all that is wrong here."""


class ShoutedId(_Broken):
    info = replace(GAME.info, id="Sealed Bids")


class OverTheShoulder(_Broken):
    """Lets spectators see all hands as they were when the last turn ended, which is how they are."""

    info = replace(GAME.info, watch="all", delay=1)


class FullTable(_Broken):
    """Lets spectators see all hands too early at its largest table alone."""

    info = replace(GAME.info, watch="all", delay=3, simultaneous=False)


class Interrupted(_Broken):
    """Asks seats one after the other within one turn."""

    def to_act(self, state: State) -> frozenset[int]:
        return frozenset(sorted(super().to_act(state))[:1])


class Alternating(_Broken):
    """Says that all move together, and lets one seat sit every other turn out."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        after = step.state
        if after.table.round == state.table.round or after.table.round % 2 or not self.to_act(after):
            return step
        hand = after.secrets[0].hand
        waiting = replace(after.secrets[0], hand=hand[1:], bid=hand[0])
        return replace(step, state=replace(after, secrets=(waiting, *after.secrets[1:])))


class PassedOn(_Broken):
    """Lets another seat go on with the turn of one that left."""

    info = replace(GAME.info, simultaneous=False)

    def to_act(self, state: State) -> frozenset[int]:
        return frozenset(sorted(super().to_act(state))[:1])


class UnexplainedOption(_Broken):
    class Silent(Struct, frozen=True):
        rounds: Annotated[int, Meta(ge=1, le=10)] = 4
        cards: Annotated[int, Meta(description="the highest card")] = 8
        peeks: Annotated[int, Meta(description="looks")] = 2

    options_type = Silent  # type: ignore[assignment]


class AnyTable(_Broken):
    """Takes a table for six as one for four."""

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        return super().setup(min(max(seats, 2), 4), options, rng)


class Forgetful(_Broken):
    """Deals otherwise each time."""

    dealt = 0

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        Forgetful.dealt += 1
        return super().setup(seats, options, Rng(rng.key, 1000 * Forgetful.dealt))


class ListInState(_Broken):
    """Keeps a list where the state has a tuple, which no stored state would have."""

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        state = super().setup(seats, options, rng)
        return replace(state, secrets=tuple(replace(secret, hand=list(secret.hand)) for secret in state.secrets))


class ListInDreams(_Broken):
    """Imagines a list where the state has a tuple."""

    def imagine(self, public: View, private: View | None, seat: int | None, rng: Rng) -> State:
        state = super().imagine(public, private, seat, rng)
        return replace(state, secrets=tuple(replace(secret, hand=list(secret.hand)) for secret in state.secrets))


class Stuttering(_Broken):
    """Offers the first action twice."""

    def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
        listed = list(super().legal_actions(state, seat))
        return iter([*listed[:1], *listed])


class UntypedAction(_Broken):
    class Plain(Struct, frozen=True):
        card: int

    action_type = Plain

    def legal_actions(self, state: State, seat: int) -> Iterator[Any]:
        return (self.Plain(action.card) for action in super().legal_actions(state, seat) if isinstance(action, Bid))

    def apply(self, state: State, seat: int, action: Any) -> Step:
        return super().apply(state, seat, Bid(action.card))


class LaxAction(_Broken):
    class Bid(Struct, frozen=True, tag_field="type", tag="bid"):
        card: int

    action_type = Bid

    def legal_actions(self, state: State, seat: int) -> Iterator[Any]:
        return (action for action in super().legal_actions(state, seat) if isinstance(action, Bid))


class Generous(_Broken):
    """Lists a card that nobody has."""

    def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
        yield from super().legal_actions(state, seat)
        yield Bid(20)

    def apply(self, state: State, seat: int, action: Action) -> Step:
        return super().apply(state, seat, Bid(state.secrets[seat].hand[0]) if action == Bid(20) else action)


class Unlisted(_Broken):
    """Lets the clock play a card that it does not list."""

    def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
        listed = list(super().legal_actions(state, seat))
        return iter([action for action in listed if action != self.default_action(state, seat)] or listed)


class SharedClock(_Broken):
    """Keeps an action for the clock and lists it for everybody."""

    info = replace(GAME.info, clock_action="bid")


class Restless(_Broken):
    """Offers actions to seats that wait."""

    def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
        yield from super().legal_actions(state, seat) if seat in self.to_act(state) else [Peek()]


class Permissive(_Broken):
    """Refuses nothing."""

    def check(self, state: State, seat: int, action: Action) -> None:
        return


class Vague(_Broken):
    """Refuses without a code."""

    def check(self, state: State, seat: int, action: Action) -> None:
        try:
            super().check(state, seat, action)
        except IllegalActionError as error:
            raise IllegalActionError("no", error.detail) from error


class Official(_Broken):
    """Refuses in the name of the protocol."""

    def check(self, state: State, seat: int, action: Action) -> None:
        try:
            super().check(state, seat, action)
        except IllegalActionError as error:
            raise IllegalActionError("seat.out", error.detail) from error


class Unranked(_Broken):
    """Ends without saying who won."""

    def result(self, state: State) -> Result | None:
        return None


class Biased(_Broken):
    """Ranks nobody first."""

    def result(self, state: State) -> Result | None:
        result = super().result(state)
        return result and replace(result, ranks=tuple(rank + 1 for rank in result.ranks))


class Fractional(_Broken):
    """Shows a float."""

    def public(self, state: State) -> object:
        return {"share": 0.5}


class Huge(_Broken):
    """Shows an integer that JavaScript cannot hold."""

    def public(self, state: State) -> object:
        return {"share": 2**53}


class Fickle(_Broken):
    """Shows a number that becomes a bool."""

    def public(self, state: State) -> object:
        return {"round": 1 if state.table.round == 1 else True}


class Whispering(_Broken):
    """Tells a seat that there is not."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        return replace(step, events=(*step.events, Event(None, ((9, {"type": "psst"}),))))


class Mumbling(_Broken):
    """Tells something that is not a map."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        return replace(step, events=(*step.events, Event("hm")))


class Sticky(_Broken):
    """Asks a seat again that has left."""

    def remove(self, state: State, seat: int) -> Step:
        return Step(state)


class Lingering(_Broken):
    """Lets seats leave a match that is over."""

    def remove(self, state: State, seat: int) -> Step:
        left = super().remove(state, seat)
        return left if left.events or seat in state.table.out else Step(state, (Event({"type": "left"}),))


class Mute(_Broken):
    def draw(self, public: object, private: object | None) -> str:
        return ""


class Taciturn(_Broken):
    """Says nothing at all where a note on each action is due."""

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        return []


class Verbose(_Broken):
    """Tells each choice at length."""

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        return ["costs a card, " * 9 + "and more"] * len(actions)


class Moody(_Broken):
    """Says something else each time."""

    def __init__(self) -> None:
        self._moods = count()

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        return [f"mood {next(self._moods)}" for _ in actions]


class Boastful(_Broken):
    """Takes itself for more than the winner."""

    def evaluate(self, public: View, private: View | None, seat: int) -> int:
        return 1001


class Wavering(_Broken):
    """Thinks better of itself each time."""

    def __init__(self) -> None:
        self._estimates = count()

    def evaluate(self, public: View, private: View | None, seat: int) -> int:
        return next(self._estimates)


class LostCard(_Broken):
    """Does not put a card back that somebody looked at."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        looked = isinstance(action, Peek)
        return replace(step, state=replace(step.state, deck=step.state.deck[1:])) if looked else step


class FleecedLeaver(_Broken):
    """Keeps the prizes of whoever leaves."""

    def remove(self, state: State, seat: int) -> Step:
        step = super().remove(state, seat)
        scores = tuple(0 if other == seat else score for other, score in enumerate(step.state.table.scores))
        return replace(step, state=replace(step.state, table=replace(step.state.table, scores=scores)))


class Unaccounted(_Broken):
    """Says that a peek brings a card, which it does not."""

    def sources(self, state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
        forms = [form for event in events for _, form in event.private]
        return {"cards": sum(isinstance(form, dict) and form["type"] == "peeked" for form in forms)}


class Misnamed(_Broken):
    """Tells of the coming of something that it does not count."""

    def sources(self, state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
        return {"crads": len(events)}


class Tally(Struct):
    """Counts looks, and forgets that a state must not change."""

    peeks: int = 0


class Thawed(_Broken):
    """Declares a Struct that is not frozen where no match of its own options ever puts one."""

    class State(State, frozen=True, kw_only=True):
        tally: tuple[Tally | None, ...] = ()

    state_type = State


class DeclaredDict(_Broken):
    """Declares a dict two types deep."""

    class State(State, frozen=True, kw_only=True):
        hands: frozenset[tuple[Annotated[int, Meta(ge=0)] | dict[str, int], str]] | None = None

    state_type = State


class Smuggled(_Broken):
    """Keeps a Struct that is not frozen where its type says that it has a number."""

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        state = super().setup(seats, options, rng)
        secrets = tuple(replace(secret, next_prize=(Tally(),)) for secret in state.secrets)
        return replace(state, secrets=secrets)


class Fading(_Broken):
    """Stops counting something half way."""

    def conserved(self, state: State) -> Mapping[str, int]:
        counted = super().conserved(state)
        return counted if state.table.round == 1 else {"cards": counted["cards"]}


class Uncounted(_Broken):
    """Counts, but nothing."""

    def conserved(self, state: State) -> Mapping[str, int]:
        return {}


class OpenHands(_Broken):
    """Puts the hands into the public view and back."""

    def public(self, state: State) -> object:
        return {"table": state.table, "secrets": state.secrets, "deck": state.deck}

    def imagine(self, public: Any, private: object | None, seat: int | None, rng: Rng) -> State:
        return msgspec.convert(public, State)


class PublicCommits(_Broken):
    """Shows how many bids are in."""

    def public(self, state: State) -> object:
        return {"table": state.table, "bids": sum(secret.bid is not None for secret in state.secrets)}

    def imagine(self, public: Any, private: object | None, seat: int | None, rng: Rng) -> State:
        return super().imagine(public["table"], private, seat, rng)


class TellingRefusals(_Broken):
    """Says in a refusal who has bid already."""

    def check(self, state: State, seat: int, action: Action) -> None:
        try:
            super().check(state, seat, action)
        except IllegalActionError as error:
            raise IllegalActionError(error.code, f"{error.detail}; waiting for {sorted(self.to_act(state))}") from error


class PublicTurnCounter(_Broken):
    """Counts hidden steps as turns."""

    def turn(self, state: State) -> int:
        return state.table.round * 10 + sum(secret.bid is not None for secret in state.secrets)


class NamedCards(_Broken):
    """Tells everybody which card was laid face down."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        card = action.card if isinstance(action, Bid) else None
        return replace(step, events=(Event({"type": "committed", "seat": seat, "card": card}), *step.events))


class Betrayed(_Broken):
    """Tells one rival which card was laid face down."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        rival = (seat + 1) % len(state.secrets)
        told = Event(None, ((rival, {"type": "psst", "card": getattr(action, "card", None)}),))
        return replace(step, events=(told, *step.events))


class ShownRivals(_Broken):
    """Shows everybody, with each bid, the hands of all who did not bid."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        hands = [secret.hand for other, secret in enumerate(state.secrets) if other != seat]
        return replace(step, events=(Event({"type": "committed", "hands": hands}), *step.events))


class CountedHands(_Broken):
    """Tells with each bid something that is hidden and has nothing to do with it."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        return replace(step, events=(Event({"type": "committed", "cards_left": state.deck}), *step.events))


class Winking(_Broken):
    """Tells a rival of a peek at a high prize."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        rival = (seat + 1) % len(state.secrets)
        is_high = sum(state.deck[:1]) > 2
        return replace(step, events=(*step.events, Event(None, ((rival, {"type": "wink"}),)))) if is_high else step


class Open(_Broken):
    """Tells of each action in public if the next prize is high, and in private if it is not."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step, form = super().apply(state, seat, action), {"type": "next"}
        everybody = tuple((other, form) for other in range(len(state.secrets)))
        told = Event(form) if sum(state.deck[:1]) > 2 else Event(None, everybody)
        return replace(step, events=(*step.events, told))


class Announced(_Broken):
    """Tells everybody what one seat alone has seen."""

    def apply(self, state: State, seat: int, action: Action) -> Step:
        step = super().apply(state, seat, action)
        told = Event({"type": "peeked", "prize": state.deck[0]}) if isinstance(action, Peek) else None
        return replace(step, events=(*step.events, told)) if told else step


class Farewell(_Broken):
    """Shows the cards of a seat that leaves."""

    def remove(self, state: State, seat: int) -> Step:
        step = super().remove(state, seat)
        told = tuple(Event({"type": "left", "hand": state.secrets[seat].hand}) for _ in step.events[:1])
        return replace(step, events=(*told, *step.events[1:]))


CASES = [
    (ShoutedId, "the_game_describes_itself", "lower-case name"),
    (OverTheShoulder, "the_game_describes_itself", "see all hands only 1 turns later"),
    (FullTable, "the_game_describes_itself", "see all hands only 3 turns later"),
    (UnexplainedOption, "the_game_describes_itself", "option rounds has no help text"),
    (AnyTable, "impossible_tables_are_refused", "set up for 1 seats"),
    (Forgetful, "equal_inputs_make_equal_matches", "other states"),
    (ListInState, "states_survive_the_codec", "does not survive"),
    (ListInState, "states_are_frozen", r"State.secrets\[0\].hand is a list"),
    (Thawed, "states_are_frozen", "Tally is a Struct without frozen=True"),
    (DeclaredDict, "states_are_frozen", "State.hands is declared as a dict"),
    (Smuggled, "states_are_frozen", r"State.secrets\[0\].next_prize\[0\] is a Tally, a Struct without frozen=True"),
    (UntypedAction, "actions_survive_the_codec", "has no type"),
    (LaxAction, "malformed_actions_are_refused", "no_such_field.* is accepted as an action"),
    (Generous, "offered_actions_are_legal", "is offered to seat"),
    (Stuttering, "offered_actions_are_legal", "lists an action twice"),
    (Unlisted, "offered_actions_are_legal", "is not listed"),
    (SharedClock, "offered_actions_are_legal", "bid is for the clock"),
    (Restless, "unlisted_actions_are_refused", "is not to act and is offered"),
    (Permissive, "unlisted_actions_are_refused", r"Bid\(card=\d+\) of seat"),
    (Vague, "refusals_have_codes_of_the_game", "has no dotted code"),
    (Official, "refusals_have_codes_of_the_game", "seat.out begins like a code of the protocol"),
    (Unranked, "somebody_acts_until_the_result", "the result is None"),
    (Biased, "somebody_acts_until_the_result", "is not a ranking"),
    (Interrupted, "turns_belong_to_their_seats", r"turn 1 asks \[1\], turn 1 asked \[0\]"),
    (Alternating, "turns_belong_to_their_seats", r"turn 3 asks \[0, 1, 2\], turn 2 asked \[1, 2\]"),
    (PassedOn, "removed_seats_never_act", "continues with other seats"),
    (Fractional, "views_are_plain", "holds 0.5"),
    (Huge, "views_are_plain", "not a 53-bit integer"),
    (Fickle, "views_are_plain", "was an integer and is a bool"),
    (Whispering, "views_are_plain", "addresses seats that do not exist"),
    (Mumbling, "views_are_plain", "is not a map"),
    (Sticky, "removed_seats_never_act", "is out and asked to act"),
    (Lingering, "removed_seats_never_act", "can leave a match that is over"),
    (Unranked, "removed_seats_never_act", "there is no result"),
    (Mute, "views_can_be_drawn", "is not a drawing"),
    (Taciturn, "notes_are_short_lines", r"0 notes on \d+ actions of seat \d"),
    (Verbose, "notes_are_short_lines", "is not a short line"),
    (Moody, "notes_are_short_lines", "twice gives other notes"),
    (Boastful, "estimates_are_in_thousandths", "1001 for seat 0 is not a whole number from -1000 to 1000"),
    (Wavering, "estimates_are_in_thousandths", "seat 0 sees the same, but is estimated at 0 and 1"),
    (
        LostCard,
        "conserved_quantities_are_conserved",
        r"prizes: 10 before Peek\(\) of seat \d, \d after it, expected 10",
    ),
    (
        FleecedLeaver,
        "conserved_quantities_are_conserved",
        r"prizes: 10 before seat \d has left, \d after it, expected 10",
    ),
    (Unaccounted, "conserved_quantities_are_conserved", "cards: 12 before .*, 12 after it, expected 13"),
    (Misnamed, "conserved_quantities_are_conserved", "crads.* change by .*, but are not counted"),
    (Fading, "conserved_quantities_are_conserved", "'prizes'] were counted at first, and .'cards'. after"),
    (Uncounted, "conserved_quantities_are_conserved", "names nothing"),
    (OpenHands, "hidden_things_can_be_otherwise", "reveals what every seat holds"),
    (PublicCommits, "imagined_worlds_look_the_same", "sees another world"),
    (PublicTurnCounter, "imagined_worlds_look_the_same", "is not public"),
    (ListInDreams, "imagined_worlds_look_the_same", "does not survive its encoding"),
    (TellingRefusals, "answers_depend_on_views_alone", "gets different answers"),
    (TellingRefusals, "hidden_steps_stay_hidden", "gets different answers"),
    (NamedCards, EVENTS, r"event 'committed' \(public\), field card: seat \d is told \d here and \d there"),
    (Betrayed, EVENTS, r"event 'psst' \(private\), field card: seat \d is told"),
    (CountedHands, EVENTS, r"event 'committed' \(public\), field cards_left\[\d\]: seat \d is"),
    (ShownRivals, EVENTS, r"event 'committed' \(public\), field hands\[\d\]\[\d\]: seat \d is"),
    (Winking, EVENTS, r"event 'wink', all fields: seat \d is not told of it"),
    (Open, EVENTS, r"event 'next', all fields: seat \d is told of it as (public|private) here"),
    (Announced, EVENTS, r"event 'peeked' \(public\), field prize: seat (\d) is told .* after Peek\(\) of seat (?!\1)"),
    (Farewell, EVENTS, r"event 'left' \(public\), field hand(\[\d\])?: .* the removal of seat \d"),
]


@pytest.mark.parametrize(
    ("broken", "law", "says"), CASES, ids=[f"{broken.__name__} breaks {law}" for broken, law, _ in CASES]
)
def test_a_broken_game_breaks_its_law(broken: type[SealedBids], law: str, says: str) -> None:
    game = broken()
    match = play(game, 3, game.options_type(), KEY)
    with pytest.raises(LawBrokenError, match=says):
        LAW[law](match)


class Ordered(FaceDown):
    """Asks seats in an order of its own, and leaves out the numbers of turns after some of them."""

    info = replace(FaceDown.info, watch="all", delay=4)

    def __init__(self, order: str, skipped: tuple[int, ...]) -> None:
        self._order = order
        self._skipped = skipped

    def apply(self, state: FaceDownState, seat: int, action: Lay) -> Step:
        after = super().apply(state, seat, action).state
        following = int(self._order[(after.table.turn - 1) % len(self._order)])
        return Step(replace(after, table=replace(after.table, seat=following)))

    def turn(self, state: FaceDownState) -> int:
        played = state.table.turn
        return played + sum(number < played for number in self._skipped)


@pytest.mark.parametrize(
    ("order", "skipped", "says"),
    [
        pytest.param("00001111", (), "seat 1 waits 4 turns for turn 5, the longest wait is 2", id="four in a row"),
        pytest.param("01110100", (), "seat 0 waits 3 turns for turn 5, the longest wait is 2", id="three in a row"),
        pytest.param("00001111", (4,), "seat 1 waits 5 turns for turn 6, the longest wait is 2", id="skipped too late"),
    ],
)
def test_no_seat_waits_longer_than_two_rounds_allow(order: str, skipped: tuple[int, ...], says: str) -> None:
    match = play(Ordered(order, skipped), 2, FaceDownOptions(cards=4), KEY)
    assert len(match.moves) == len(order)
    with pytest.raises(LawBrokenError, match=says):
        LAW["turns_belong_to_their_seats"](match)


@pytest.mark.parametrize(
    ("order", "skipped"),
    [
        pytest.param("01110100", (2, 3), id="skipped in time"),
        pytest.param("01100110", (), id="first and last in turn"),
    ],
)
def test_a_seat_may_wait_as_long_as_two_rounds_allow(order: str, skipped: tuple[int, ...]) -> None:
    match = play(Ordered(order, skipped), 2, FaceDownOptions(cards=4), KEY)
    assert len(match.moves) == len(order)
    LAW["turns_belong_to_their_seats"](match)


def test_at_a_table_for_two_the_one_who_acts_is_held_to_its_own_views_as_well() -> None:
    """The one rival knows its own hand, and the one who bids is told nothing by the views."""
    match = play(ShownRivals(), 2, Options(), b"spectators watch")
    with pytest.raises(
        LawBrokenError, match=r"field hands\[0\](\[\d\])?: seat (\d) is told .* Bid\(card=\d\) of seat \2"
    ):
        LAW["events_tell_no_more_than_views"](match)


def test_worlds_that_look_otherwise_are_left_to_the_law_about_them() -> None:
    match = play(PublicCommits(), 3, Options(), KEY)
    LAW[EVENTS](match)
    with pytest.raises(LawBrokenError, match="sees another world"):
        LAW["imagined_worlds_look_the_same"](match)


def test_every_law_is_broken_by_some_game() -> None:
    # Below, in test_refusals.py and in test_hinting.py.
    elsewhere = {"patches_rebuild_views", "refusal_codes_are_on_the_rules_page", "hints_name_what_exists"}
    assert {law for _, law, _ in CASES} == set(LAW) - elsewhere


def test_patches_are_compared_by_their_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game can break this law alone: it holds the views to the patches."""
    match = play(GAME, 3, Options(), KEY)
    assert LAW["patches_rebuild_views"](match) is None
    monkeypatch.setattr("warroom_games.conformance.diff", lambda old, new: diff(new, new))
    with pytest.raises(LawBrokenError, match=r"patches lead viewer None to .* instead of"):
        LAW["patches_rebuild_views"](match)


def test_a_match_that_never_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(_Broken):
        def apply(self, state: State, seat: int, action: Action) -> Step:
            return Step(state)

    monkeypatch.setattr(playthrough, "MAX_ACTIONS", 50)
    with pytest.raises(EndlessMatchError, match="did not end within 50 random actions"):
        play(Endless(), 2, Options(), KEY)


def test_a_game_that_cannot_list_all_may_allow_more_than_it_lists() -> None:
    class Selective(_Broken):
        info = replace(GAME.info, complete=False)

        def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
            return (action for action in super().legal_actions(state, seat) if isinstance(action, Bid))

    match = play(Selective(), 3, Options(), KEY)
    assert [law(match) for law in LAWS] == [None] * len(LAWS)
