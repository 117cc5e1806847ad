"""Secrets stay secret in real rooms: whatever is hidden from a viewer, it is sent the same bytes.

A case is a pair of positions that look the same to one viewer, in two rooms that have sent it the same bytes so far:
frames, prompts, verdicts, refusals, what is legal, snapshots, and all frames again to whoever comes back.
"""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings
from msgspec import Struct
from room_table import SPECTATOR
from sealed_bids import Action, SealedBids, State
from twin_rooms import SECRECY_CASES, Mailbox, TwinRooms, cases_of, drawn_matches

from warroom_games.api import AnyGame, IllegalActionError
from warroom_games.registry import load_games
from warroom_server.ports.store import Append

SHARDS = 4
"""The cases of a game are divided among so many tests, so that more than one processor has something to do."""

CASES = {50: 100, 100: 200, 1000: 10_000}[settings().max_examples] // SHARDS
"""How many cases a test reaches; in the long run all tests of a game reach 10 000."""

POSITIONS = 10
"""So many positions of each match are begun with, each for every viewer."""

OPEN = {"strata"}
"""Games that hide nothing and draw nothing: only the seeds of the rooms differ."""

GAMES = load_games(["sealed_bids:GAME"])


class Reached(Struct):
    """How many cases there were, and in how many of them the game's states differed."""

    cases: int = 0
    otherwise: int = 0


def compare(game: AnyGame, name: str, kind: type[TwinRooms] = TwinRooms) -> Reached:
    """Compare as many cases of random matches as a test is to reach."""
    reached = Reached()
    for case in (case for match in drawn_matches(game, name) for case in cases_of(match, positions=POSITIONS)):
        rooms = kind(case)
        rooms.compare()
        reached.cases += rooms.compared
        reached.otherwise += rooms.compared * case.is_otherwise
        if reached.cases >= CASES:
            break
    return reached


@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_what_is_hidden_from_a_viewer_leaves_no_trace_in_what_it_is_sent(
    game: AnyGame, shard: int, record_property: Callable[[str, object], None]
) -> None:
    reached = compare(game, f"shard {shard}")
    record_property(f"{SECRECY_CASES} {game.info.id}", reached.cases)
    assert reached.cases >= CASES
    assert reached.otherwise == 0 if game.info.id in OPEN else reached.otherwise > 0.8 * reached.cases


class TellingRefusals(SealedBids):
    """Says in a refusal what the next prize is."""

    def check(self, state: State, seat: int, action: Action) -> None:
        try:
            super().check(state, seat, action)
        except IllegalActionError as error:
            raise IllegalActionError(error.code, f"{error.detail}; {state.deck[:1]} is next") from error


class TellingOrder(SealedBids):
    """Lists what is legal in an order that depends on the next prize."""

    def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
        listed = list(super().legal_actions(state, seat))
        yield from listed if sum(state.deck[:1]) % 2 else reversed(listed)


class CountingMailbox(Mailbox):
    """Tells spectators how many entries the log has."""

    def write(self, append: Append) -> None:
        super().write(append)
        self.payloads[SPECTATOR].append(bytes([append.rev]))


class CountingRooms(TwinRooms):
    mailbox = CountingMailbox


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        pytest.param(TellingRefusals(), TwinRooms, id="refusals that tell"),
        pytest.param(TellingOrder(), TwinRooms, id="an order that tells"),
        pytest.param(GAMES.get("sealed_bids"), CountingRooms, id="a count of hidden steps"),
    ],
)
def test_what_leaks_is_noticed(game: AnyGame, kind: type[TwinRooms]) -> None:
    with pytest.raises(AssertionError, match=r"the bytes differ for sealed_bids, .*: state \d+ of the match with key"):
        compare(game, "leaks", kind)
