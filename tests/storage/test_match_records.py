"""What is kept of a match that players left: everybody sees who did, and ratings take it into account."""

import pytest
from bot_claims import Agency
from msgspec.structs import replace
from room_table import ALICE, BOB, SPECTATOR, Table, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Bid

from warroom_games.api import Result
from warroom_games.registry import Registry
from warroom_games.replay import finding, seal, verify
from warroom_games.seating import Sitter
from warroom_protocol import messages as wire
from warroom_server.archive.ratings import updated
from warroom_server.ports.records import ladder_name
from warroom_server.room.commands import Reclaim
from warroom_server.room.viewer_addresses import Local
from warroom_server.storage.match_records import read_result, read_summary, record_of

GRACE_MS = 3_000


def bid(table: Table, connection: int, seat: int) -> None:
    """Let a connection play for a seat: Alice's saves its high cards for the end, and wins by that."""
    hand = table.room.match.state.secrets[seat].hand
    card = min(hand) if seat == ALICE else max(hand)
    outcome = table.act(connection, Bid(card), turn=table.room.match.decisions[seat])
    assert only(outcome.sent(connection), wire.Verdict).code is None


def left_after_one_move() -> tuple[Table, Agency, int]:
    """Return a match that Alice left after one move, and the connection of the bot that plays for her."""
    table = Table.playing(SEALED_BIDS, 2, room_options={"grace_ms": GRACE_MS})
    table.watch()
    for player in (ALICE, BOB):
        bid(table, player, player)
    table.detach(ALICE)
    agency = Agency(table)
    [bot] = agency.hire(agency.wait(GRACE_MS))
    return table, agency, bot


def play_on(table: Table, at_alices_seat: int) -> None:
    while not table.room.is_over:
        bid(table, at_alices_seat, ALICE)
        bid(table, BOB, BOB)


def means(table: Table) -> dict[str, float]:
    """Return the ratings of all players after the match, each of whom had none."""
    data = record_of(table.room.match, ended_ms=0).result
    assert data is not None
    return {player: rating.mean for player, rating in updated(read_result(data), {}).items()}


def test_who_left_after_one_move_gains_nothing_from_the_win_of_a_bot() -> None:
    table, _, bot = left_after_one_move()
    play_on(table, bot)
    assert table.room.match.result is not None
    assert table.room.match.result.ranks == (1, 2), "the bot has won by the rules"
    after = means(table)
    assert after["bob"] > after["alice"]


def test_everybody_sees_who_left_in_the_result_the_list_and_the_replay() -> None:
    table, _, bot = left_after_one_move()
    play_on(table, bot)
    told = [only(table.messages(viewer), wire.Ended) for viewer in (BOB, SPECTATOR, bot)]
    assert [(ended.ranks, ended.left, ended.rated) for ended in told] == [((1, 2), (ALICE,), True)] * 3
    summary = read_summary(record_of(table.room.match, ended_ms=0).summary)
    assert (summary.ranks, summary.left, summary.rated) == ((1, 2), (ALICE,), True)
    assert finding(verify(seal(table.log), Registry([SEALED_BIDS])))["left"] == (ALICE,)
    table.join(ALICE)
    assert only(table.messages(ALICE)[-8:], wire.Ended).left == (ALICE,)


def test_who_is_back_in_the_seat_before_the_end_is_rated_as_usual() -> None:
    table, _, bot = left_after_one_move()
    table.join(ALICE)
    table.request(Reclaim, ALICE)
    bid(table, bot, ALICE)
    bid(table, BOB, BOB)
    play_on(table, ALICE)
    assert only(table.messages(BOB), wire.Ended).left == ()
    after = means(table)
    assert after["alice"] > after["bob"]


def test_who_asked_for_the_seat_in_the_last_turn_is_back_and_the_bot_is_gone_when_it_ends() -> None:
    table, _, bot = left_after_one_move()
    table.join(ALICE)
    for _ in range(2):
        bid(table, bot, ALICE)
        bid(table, BOB, BOB)
    table.request(Reclaim, ALICE)
    bid(table, bot, ALICE)
    bid(table, BOB, BOB)
    assert only(table.messages(BOB), wire.Ended).left == ()
    last = [message for message in table.messages(BOB) if isinstance(message, wire.Seats)][-1]
    assert (last.phase, last.seats[ALICE].stood_in) == ("ended", False)
    assert Local(bot) not in table.room.audience


PERSON, OTHER = Sitter("ada", "Ada", 1), Sitter("bob", "Bob", 2)
OWN, SECOND = Sitter("ada", "Ada", 1, "deep"), Sitter("bob", "Bob", 2, "deep")
HIRED, ANOTHER = Sitter("w1", "x 1", 3, "greedy", True), Sitter("w2", "x 2", 4, "random", True)


@pytest.mark.parametrize(
    ("sitters", "rated", "is_among_bots"),
    [
        pytest.param((PERSON, OTHER), ["ada", "bob"], False, id="people"),
        pytest.param((PERSON, HIRED), ["ada", "bot:greedy"], False, id="a person and a bot of the operator"),
        pytest.param((PERSON, SECOND), None, False, id="a person and a bot of a player"),
        pytest.param((PERSON, SECOND, HIRED), ["ada", "bot:greedy"], False, id="one of each"),
        pytest.param((OWN, SECOND), ["ada:deep", "bob:deep"], True, id="bots of players"),
        pytest.param((OWN, HIRED), ["ada:deep", "bot:greedy"], True, id="a bot of a player and one of the operator"),
        pytest.param((HIRED, ANOTHER), ["bot:greedy", "bot:random"], True, id="bots of the operator"),
        pytest.param((HIRED, HIRED), None, True, id="one bot alone"),
    ],
)
def test_who_has_the_seats_decides_which_ladder_counts(
    sitters: tuple[Sitter, ...], rated: list[str] | None, is_among_bots: bool
) -> None:
    ranks = tuple(range(1, len(sitters) + 1))
    match = replace(Table.playing(SEALED_BIDS, 2).room.match, seats=sitters, result=Result(ranks, "victory"))
    data = record_of(match, ended_ms=0).result
    assert (None if data is None else read_result(data).players) == rated
    if data is not None:
        assert read_result(data).is_among_bots == is_among_bots
        assert ladder_name("bids", bots=is_among_bots) == ("bids:bots" if is_among_bots else "bids")


def test_a_match_that_everybody_left_counts_for_nobody() -> None:
    table, agency, bot = left_after_one_move()
    table.detach(BOB)
    [other] = agency.hire(agency.wait(table.now + GRACE_MS))
    while not table.room.is_over:
        bid(table, bot, ALICE)
        bid(table, other, BOB)
    assert table.room.match.result is not None
    assert table.room.match.result.left == (ALICE, BOB)
    assert only(table.messages(SPECTATOR), wire.Ended).rated is False
    assert record_of(table.room.match, ended_ms=0).result is None


@pytest.mark.parametrize(
    ("sitters", "counted"),
    [
        pytest.param(
            (OWN, SECOND, HIRED), {"ada:deep": (2, True), "bob:deep": (2, True), "bot:greedy": (1, False)}, id="bots"
        ),
        pytest.param(
            (PERSON, OTHER, HIRED), {"ada": (3, False), "bob": (2, False), "bot:greedy": (1, False)}, id="people"
        ),
    ],
)
def test_bots_that_resign_share_the_last_rank_for_their_ladder(
    sitters: tuple[Sitter, ...], counted: dict[str, tuple[int, bool]]
) -> None:
    match = Table.playing(SEALED_BIDS, 3).room.match
    ended = replace(match, seats=sitters, out=frozenset({0, 1}), result=Result((3, 2, 1), "resigned"))
    data = record_of(ended, ended_ms=0).result
    assert data is not None
    assert {seat.rating_id: (seat.rank, seat.has_left) for seat in read_result(data).seats} == counted
