"""Events tell no more than views: every shipped game keeps it, in worlds that differ, for each type of its events."""

from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import chain, islice

import face_down
import msgspec
import pytest
from hypothesis import settings
from late_games import WITH_LOST_WALLS
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Options
from telling_dice import DROWNED, HONEST, LUCKY, OVERHEARD, SHOUTED, WHISPERED, WRITTEN
from twin_rooms import drawn_matches

from warroom_games.api import AnyGame, Seat, View
from warroom_games.codec import decode_options
from warroom_games.event_secrecy import events_tell_no_more_than_views
from warroom_games.fields import differences, field_name, leaves, lists
from warroom_games.law import LawBrokenError
from warroom_games.playthrough import Playthrough, play
from warroom_games.registry import load_games
from warroom_games.rng import Rng
from warroom_games.worlds import generators, hides_something, with_generators

GAMES = load_games()

IS_LONG = settings().max_examples == 1000
MATCHES = {50: 4, 100: 5, 1000: 100}[settings().max_examples]
"""So many matches of each game are looked at."""
MOST_MATCHES = 20 * MATCHES
"""In the long run more of them are, until each type of event was compared."""
LEAST_COMPARED = 10_000
"""So many comparisons of events there are of each game in the long run."""

OPEN = {"strata", "graph_battle"}
"""Games that hide nothing but chance: there are no other worlds to compare events with."""

LATE: dict[str, AnyGame] = {"timberwall": WITH_LOST_WALLS}
"""The same rules from a position that random matches seldom reach; each second match begins there."""

UNVEILING = {"thardferr": {"founding"}}
"""Events that come with the end of all secrets: worlds that differ before them never look the same after them."""


def types_of(game: AnyGame) -> set[str]:
    """The types of all events that a game can tell."""
    module = import_module(type(game).__module__.replace(".rules", ".events"))
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    return {tag for kind in kinds if isinstance(tag := kind.__struct_config__.tag, str)}


def matches_of(game: AnyGame) -> Iterator[Playthrough]:
    """Matches without end in which something is hidden, if the game hides anything."""
    late = LATE.get(game.info.id, game)
    for match in chain.from_iterable(zip(drawn_matches(game, "events"), drawn_matches(late, "late"), strict=True)):
        if game.info.id in OPEN or hides_something(match):
            yield match


@pytest.mark.parametrize("game", [game for game in GAMES if game.info.id not in OPEN], ids=lambda game: game.info.id)
def test_events_of_shipped_games_tell_no_more_than_views(
    game: AnyGame, record_property: Callable[[str, object], None]
) -> None:
    compared, told, count = Counter[str](), set[str](), 0
    comparable = types_of(game) - UNVEILING.get(game.info.id, set())
    for count, match in enumerate(islice(matches_of(game), MOST_MATCHES if IS_LONG else MATCHES), start=1):
        events_tell_no_more_than_views(match)
        compared += match.compared.counts
        told |= set(match.compared.counts)
        if count >= MATCHES and comparable <= set(compared) and compared.total() >= LEAST_COMPARED:
            break
    for kind in sorted(types_of(game)):
        record_property(f"events compared of {game.info.id}, {kind}", compared[kind])
    assert set(compared) <= comparable
    assert compared.total() > 100
    if IS_LONG:
        assert count >= MATCHES
        assert compared.total() >= LEAST_COMPARED
        assert comparable - set(compared) == set(), "these types were never compared"
        assert UNVEILING.get(game.info.id, set()) <= told


@pytest.mark.parametrize("game", [GAMES.get(name) for name in sorted(OPEN)], ids=lambda game: game.info.id)
def test_where_nothing_is_hidden_nothing_is_compared(
    game: AnyGame, record_property: Callable[[str, object], None]
) -> None:
    for match in islice(matches_of(game), MATCHES):
        events_tell_no_more_than_views(match)
        assert not match.compared.hidden
        assert set(match.compared.counts.values()) == {0}
    record_property(f"events compared of {game.info.id}", "hides nothing")


def test_a_table_without_fog_hides_nothing_and_its_events_are_listed() -> None:
    game = GAMES.get("timberwall")
    match = play(game, 2, decode_options(game, {"fog": False}), bytes(16))
    events_tell_no_more_than_views(match)
    assert not match.compared.hidden
    assert match.compared.counts["turn_end"] == 0
    assert {"turn_end", "turn", "end"} <= set(match.compared.counts)


class Blind(face_down.Named):
    """Hides all cards from everybody, so that no seat has a view of its own."""

    def private(self, state: face_down.State, seat: Seat) -> View | None:
        """Return nothing."""
        return None

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> face_down.State:
        """Deal all cards anew."""
        return super().imagine(public, None, None, rng)


def broken_by(game: AnyGame) -> str:
    """What the law sees in one of some matches of a game."""
    for match in islice(drawn_matches(game, "leaks"), 10):
        try:
            events_tell_no_more_than_views(match)
        except LawBrokenError as error:
            return str(error)
    return "nothing"


@pytest.mark.parametrize(
    ("game", "seen"),
    [
        pytest.param(
            WHISPERED, r"event 'cups' \(private\), field hands\[\d\](\[\d\])?: seat \d is told", id="in private"
        ),
        pytest.param(SHOUTED, r"event 'cups' \(public\), field hands\[\d\](\[\d\])?: seat \d is told", id="in public"),
        pytest.param(
            OVERHEARD,
            r"'cups' \(public\), field hands\[(\d)\]\[\d\]: seat \d is told by .* only seat \1 sees, in hand\[\d\]",
            id="with the roll",
        ),
        pytest.param(
            DROWNED,
            r"'cups' \(public\), field hands\[(\d)\]\[\d\]: seat \d is told by .* only seat \1 sees, in hand\[\d\]",
            id="with the roll, beside something else",
        ),
        pytest.param(
            WRITTEN,
            r"'cups' \(public\), field text: seat \d is told by .* what only seat \d sees, in hand",
            id="with the roll, as a text",
        ),
        pytest.param(HONEST, "^nothing$", id="not at all"),
        pytest.param(LUCKY, "^nothing$", id="only what came of a roll"),
        pytest.param(
            face_down.NAMED,
            r"'laid' \(public\), field card: seat (\d) is told .* same before and after Lay\(card=\d+\) of seat (?!\1)",
            id="a card face down that the views count",
        ),
        pytest.param(
            face_down.RECALLED,
            r"'laid' \(public\), field tops\[\d\]\[0\]: seat \d is told",
            id="a card face down, one step later",
        ),
        pytest.param(face_down.HONEST, "^nothing$", id="cards face down"),
        pytest.param(Blind(), r"'laid' \(public\), field card: seat \d is told", id="cards that no seat sees"),
    ],
)
def test_secrets_that_are_told_are_noticed(game: AnyGame, seen: str) -> None:
    with pytest.raises(AssertionError, match=seen):
        raise AssertionError(broken_by(game))


def test_worlds_that_are_equal_are_not_counted() -> None:
    """With one card each, no peeks and nobody to bid before, nothing can be otherwise."""
    match = play(SEALED_BIDS, 2, Options(rounds=1, cards=1, peeks=0), bytes(16))
    events_tell_no_more_than_views(match)
    assert set(+match.compared.counts) <= {"committed", "left"}


def test_the_generators_of_a_state_can_be_put_into_another() -> None:
    state = HONEST.setup(3, HONEST.options_type(), Rng(b"sixteen byte key"))
    other = HONEST.setup(3, HONEST.options_type(), Rng(b"another key here"))
    mixed = with_generators(other, generators(state))
    assert (mixed.hands, mixed.rng) == (other.hands, state.rng)
    nested = ((1, Rng(b"one")), "text", Rng(b"two"))
    assert with_generators(nested, iter([Rng(b"three")])) == ((1, Rng(b"three")), "text", Rng(b"two"))
    assert list(generators(nested)) == [Rng(b"one"), Rng(b"two")]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({"a": [1, 2]}, {"a": [1, 3]}, [(("a", 1), 2, 3)]),
        ({"a": [1]}, {"a": [1, 3]}, [(("a",), [1], [1, 3])]),
        ({"a": 1}, {"b": 1}, [((), {"a": 1}, {"b": 1})]),
        ({"a": 1}, {"a": True}, [(("a",), 1, True)]),
        ({"a": {"b": None}}, {"a": {"b": None}}, []),
    ],
)
def test_fields_that_differ_are_found(one: object, other: object, found: list[object]) -> None:
    assert list(differences(one, other)) == found


def test_fields_have_names() -> None:
    tree = {"hands": [[1, 2], {"bid": None}]}
    assert [field_name(path) for path, _ in lists(tree)] == ["hands", "hands[0]"]
    assert [field_name(path) for path, _ in leaves(tree)] == ["hands[0][0]", "hands[0][1]", "hands[1].bid"]
