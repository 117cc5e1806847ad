"""Joining, leaving, and starting the match."""

import pytest
from room_table import ALICE, BOB, CAROL, DAVE, NAMES, SPECTATOR, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Options, Peek, SealedBids, State

from warroom_games.api import OptionsError
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.rng import Rng
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.ports.store import Committed
from warroom_server.room import room
from warroom_server.room.commands import Detach, Join, Kick, Leave, Legal, Resign, Start, Void
from warroom_server.room.context import AT_ONCE
from warroom_server.room.viewer_addresses import Local


def test_whoever_joins_is_told_everything_in_order() -> None:
    table = Table(SEALED_BIDS, seats=3)
    outcome = table.join(ALICE)
    assert kinds(outcome.sent(ALICE)) == ["Joined", "Snapshot", "Seats"]
    joined = only(outcome.sent(ALICE), wire.Joined)
    assert (joined.room, joined.seat, joined.seat_token) == (table.room.number, 0, "token of alice")
    assert joined.about.game == "sealed_bids"
    assert joined.about.room_options.items() >= {"turn_ms": 10_000, "seating": "as_joined"}.items()
    snapshot = only(outcome.sent(ALICE), wire.Snapshot)
    assert (snapshot.p, snapshot.q, snapshot.public, snapshot.private) == (0, 0, None, None)
    assert snapshot.clock == wire.Clock(0, 0, None)


def test_the_others_learn_at_once_who_sat_down() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    seats = only(table.join(BOB).sent(ALICE), wire.Seats)
    assert [(seat.player, seat.connected) for seat in seats.seats] == [("alice", True), ("bob", True), (None, False)]


def test_nobody_sits_before_the_store_has_it() -> None:
    table = Table(SEALED_BIDS, seats=3, answers=False)
    assert table.join(ALICE).messages == []
    assert table.room.match.seats == (None, None, None)
    assert kinds(table.commit().sent(ALICE))[0] == "Joined"


def test_a_connection_that_goes_while_its_seat_is_stored_is_seated_but_not_here() -> None:
    table = Table(SEALED_BIDS, seats=3, answers=False)
    table.join(ALICE)
    table.detach(ALICE)
    table.detach(BOB)
    assert table.commit().sent(ALICE) == []
    assert table.room.match.seat_of("alice") == 0
    assert table.room.audience.everyone() == ()


def test_a_full_room_starts_by_itself() -> None:
    table = Table(SEALED_BIDS, seats=2)
    table.join(ALICE)
    before = table.room.match
    outcome = table.join(BOB)
    assert (before.phase, table.room.match.phase) == ("lobby", "playing")
    assert kinds(outcome.sent(ALICE)) == ["Seats", "Seats", "Private", "Update", "Prompt"]
    assert [m.phase for m in outcome.sent(ALICE) if isinstance(m, wire.Seats)] == ["lobby", "playing"]
    update = only(outcome.sent(BOB), wire.Update)
    assert (update.p, update.clock) == (1, wire.Clock(0, 1, 10_000))


def test_seats_are_dealt_by_the_generator() -> None:
    orders = set()
    for key in range(20):
        table = Table.playing(SEALED_BIDS, 3, seating="random", seed=bytes([key] * 16))
        orders.add(tuple(sitter.player for sitter in table.room.match.seats if sitter))
    assert len(orders) == 6
    again = Table.playing(SEALED_BIDS, 3, seating="random", seed=bytes([19] * 16))
    assert tuple(sitter.player for sitter in again.room.match.seats if sitter) in orders


def test_the_host_starts_with_fewer_players() -> None:
    table = Table(GRAPH_BATTLE, seats=5)
    for player in (ALICE, BOB, CAROL):
        table.join(player)
    outcome = table.request(Start, ALICE)
    assert only(outcome.sent(ALICE), wire.Done)
    assert len(table.room.match.seats) == 3
    assert table.room.match.phase == "playing"


def test_open_places_go_and_seats_close_ranks() -> None:
    table = Table(SEALED_BIDS, seats=4)
    table.join(ALICE, seat=3)
    table.join(BOB, seat=1)
    table.request(Start, ALICE)
    assert [sitter.player for sitter in table.room.match.seats if sitter] == ["bob", "alice"]


def test_a_start_whose_options_do_not_fit_the_players_is_refused() -> None:
    class Pairs(SealedBids):
        def setup(self, seats: int, options: Options, rng: Rng) -> State:
            if seats == 3:
                raise OptionsError("three is a crowd")
            return super().setup(seats, options, rng)

    table = Table(Pairs(), seats=4)
    for player in (ALICE, BOB, CAROL):
        table.join(player)
    error = only(table.request(Start, ALICE).sent(ALICE), wire.Error)
    assert (error.code, error.detail) == (codes.GAME_OPTIONS, "three is a crowd")
    assert table.room.match.phase == "lobby"


@pytest.mark.parametrize(
    ("players", "sender", "code"),
    [
        pytest.param([ALICE, BOB], BOB, codes.ROOM_NOT_HOST, id="not the host"),
        pytest.param([ALICE, BOB], SPECTATOR, codes.ROOM_NOT_HOST, id="a spectator"),
        pytest.param([ALICE], ALICE, codes.ROOM_TOO_FEW, id="alone"),
        pytest.param([ALICE], 99, codes.ROOM_NOT_HERE, id="a stranger"),
        pytest.param([ALICE, BOB, CAROL], ALICE, codes.ROOM_NOT_LOBBY, id="started"),
    ],
)
def test_only_the_host_of_a_lobby_with_enough_players_may_start(players: list[int], sender: int, code: str) -> None:
    table = Table(SEALED_BIDS, seats=3)
    for player in players:
        table.join(player)
    table.watch()
    assert only(table.request(Start, sender).sent(sender), wire.Error).code == code


def test_the_host_is_the_creator_then_the_person_who_sat_longest_then_a_bot_of_its_own() -> None:
    table = Table(SEALED_BIDS, seats=4)

    def host() -> str | None:
        return only(table.watch().sent(SPECTATOR)[:3], wire.Seats).host

    assert host() is None
    table.tell(Join(Local(DAVE), 1, "dave", "Dave", None, "token", None, bot="mine"))
    assert host() == "dave"
    table.join(CAROL)
    table.join(BOB)
    assert host() == "carol"
    table.join(ALICE)
    assert host() == "alice"


def test_the_bots_of_players_can_start_among_themselves() -> None:
    table = Table(SEALED_BIDS, seats=3)
    for player, name in ((BOB, "bob"), (CAROL, "carol")):
        table.tell(Join(Local(player), 1, name, name.title(), None, "token", None, bot="mine"))
    assert only(table.request(Start, BOB).sent(BOB), wire.Done)


def test_whoever_is_away_for_a_moment_stays_the_host_and_keeps_the_place() -> None:
    table = Table(SEALED_BIDS, seats=3, room_options={"grace_ms": 5_000})
    table.join(ALICE)
    table.join(BOB)
    table.detach(ALICE)
    for request in (Kick(Local(BOB), 7, 0), Start(Local(BOB), 8)):
        assert only(table.tell(request).sent(BOB), wire.Error).code == codes.ROOM_NOT_HOST
    table.expire(4_999)
    assert only(table.join(ALICE).sent(ALICE), wire.Seats).host == "alice"
    table.detach(ALICE)
    table.expire(5_300)
    assert only(table.expire(10_300).sent(BOB), wire.Seats).host == "bob"


def test_a_place_that_is_kept_for_somebody_who_sits_elsewhere_is_open_to_all() -> None:
    table = Table(SEALED_BIDS, seats=3, reserved=("alice", "bob", None))
    joined = table.join(ALICE, seat=2)
    assert [state.kept for state in only(joined.sent(ALICE), wire.Seats).seats] == [None, "bob", None]
    assert only(table.join(CAROL, seat=0).sent(CAROL), wire.Joined).seat == 0
    assert only(table.request(Leave, ALICE).sent(CAROL), wire.Seats).seats[2].kept is None
    assert only(table.join(DAVE, seat=1).sent(DAVE), wire.Error).code == codes.SEAT_TAKEN


def test_a_chosen_seat_is_given_if_it_is_free() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE, seat=2)
    assert table.room.match.seat_of("alice") == 2
    assert only(table.join(BOB, seat=2).sent(BOB), wire.Error).code == codes.SEAT_TAKEN
    assert only(table.join(BOB, seat=3).sent(BOB), wire.Error).code == codes.SEAT_UNKNOWN
    table.join(BOB)
    assert table.room.match.seat_of("bob") == 0


def test_two_who_want_the_last_seat_at_once_are_told_apart() -> None:
    table = Table(SEALED_BIDS, seats=2, answers=False)
    table.join(ALICE)
    table.commit()
    table.join(BOB)
    assert table.join(CAROL).messages == []
    table.commit()
    outcome = table.commit()
    assert only(outcome.sent(CAROL), wire.Error).code == codes.ROOM_STARTED


def test_a_player_who_sits_may_not_take_a_second_seat() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    assert only(table.join(ALICE, connection=50, seat=1).sent(50), wire.Joined).seat == 0
    assert table.room.match.seats.count(None) == 2


def test_nobody_new_sits_down_once_it_has_started_or_ended() -> None:
    table = Table.playing(SEALED_BIDS)
    assert only(table.join(CAROL).sent(CAROL), wire.Error).code == codes.ROOM_STARTED
    table.tell(Void("test"))
    assert only(table.join(CAROL).sent(CAROL), wire.Error).code == codes.ROOM_ENDED


def test_leaving_the_lobby_frees_the_seat() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    table.join(BOB)
    outcome = table.request(Leave, ALICE)
    assert only(outcome.sent(ALICE), wire.Done)
    assert only(outcome.sent(BOB), wire.Seats).host == "bob"
    assert table.room.match.seat_of("alice") is None
    table.join(CAROL)
    assert table.room.match.seat_of("carol") == 0


def test_another_connection_of_a_player_who_left_looks_on() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    table.join(ALICE, connection=50)
    table.request(Leave, ALICE)
    assert table.room.listing().watching == 1
    assert only(table.request(Legal, 50).sent(50), wire.Error).code == codes.SEAT_NONE


def test_leaving_the_lobby_waits_for_what_is_on_its_way() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    table.answers = False
    table.join(BOB)
    assert table.request(Leave, ALICE).messages == []
    table.commit()
    assert kinds(table.commit().sent(ALICE)) == ["Done"]


def test_leaving_a_running_match_keeps_the_seat() -> None:
    table = Table.playing(SEALED_BIDS)
    outcome = table.request(Leave, ALICE)
    assert kinds(outcome.sent(ALICE)) == ["Done"]
    assert table.room.match.seat_of("alice") == ALICE
    assert table.room.audience.of_seat(ALICE) == ()
    assert only(table.request(Leave, ALICE).sent(ALICE), wire.Error).code == codes.ROOM_NOT_HERE


def test_requests_of_one_sender_keep_their_order_while_the_store_thinks() -> None:
    table = Table(SEALED_BIDS, seats=3, answers=False)
    table.join(ALICE)
    table.request(Leave, ALICE)
    assert kinds(table.commit().sent(ALICE))[0] == "Joined"
    assert kinds(table.commit().sent(ALICE)) == ["Done"]
    assert table.room.match.seats == (None, None, None)


def test_what_a_lost_connection_asked_for_is_forgotten_but_for_its_actions() -> None:
    table = Table(SEALED_BIDS, seats=3, answers=False)
    table.join(ALICE)
    table.join(BOB)
    table.detach(BOB)
    table.commit()
    assert table.waiting == []
    assert table.room.match.seat_of("bob") is None


def test_before_the_match_there_is_nothing_to_play() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    assert only(table.act(ALICE, b"\x80").sent(ALICE), wire.Verdict).code == codes.ACT_NOT_STARTED
    for kind in (Legal, Resign):
        assert only(table.request(kind, ALICE).sent(ALICE), wire.Error).code == codes.ACT_NOT_STARTED


def test_an_action_refused_before_the_match_stays_refused_in_it() -> None:
    table = Table(SEALED_BIDS, seats=2, seating="random", seed=bytes([2] * 16))
    table.join(ALICE)
    refused = only(table.act(ALICE, Peek(), id=77, turn=1).sent(ALICE), wire.Verdict)
    table.join(BOB)
    assert table.room.match.seat_of("alice") == 1
    assert only(table.act(ALICE, Peek(), id=77, turn=1).sent(ALICE), wire.Verdict) == refused
    assert only(table.act(ALICE, Peek(), id=78, turn=1).sent(ALICE), wire.Verdict).code is None
    assert only(table.act(BOB, Peek(), id=77, turn=1).sent(BOB), wire.Verdict).code is None


def test_a_refusal_is_forgotten_with_the_place_of_who_left() -> None:
    table = Table(SEALED_BIDS, seats=2)
    table.join(ALICE)
    table.act(ALICE, Peek(), id=77, turn=1)
    table.request(Leave, ALICE)
    table.join(ALICE)
    table.join(BOB)
    assert only(table.act(ALICE, Peek(), id=77, turn=1).sent(ALICE), wire.Verdict).code is None


def test_an_action_in_a_room_that_was_voided_before_the_match_is_too_late() -> None:
    table = Table(SEALED_BIDS, seats=2)
    table.join(ALICE)
    table.tell(Void("abandoned"))
    assert only(table.act(ALICE, Peek(), turn=1).sent(ALICE), wire.Verdict).code == codes.ROOM_ENDED


def test_a_voided_lobby_ends_without_ranks() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    ended = only(table.tell(Void("abandoned")).sent(ALICE), wire.Ended)
    assert (ended.ranks, ended.reason) == ((), codes.END_VOID)
    assert table.is_archived
    assert table.room.wake_at is None
    assert table.tell(Void("again")).effects == []


def test_a_listing_shows_what_anybody_may_know() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    table.watch()
    listing = table.room.listing()
    alice = wire.ListedPlayer("alice", "Alice", None)
    assert listing == wire.RoomListing(
        table.room.number, listing.code, "sealed_bids", "lobby", 3, 1, 1, 10_000, (alice,), "public", 0, rated=True
    )


def test_joins_beyond_what_may_wait_are_refused() -> None:
    table = Table(SEALED_BIDS, seats=3, answers=False)
    table.join(ALICE)
    for number in range(64):
        assert table.tell(Join(Local(1_000 + number), 7, f"p{number}", "", None, "", None)).effects == []
    late = table.tell(Join(Local(2_000), 7, "late", "", None, "", None))
    assert only(late.sent(2_000), wire.Error).code == codes.ROOM_BUSY


def test_names_are_no_secret_and_no_key() -> None:
    table = Table(SEALED_BIDS, seats=2)
    table.join(ALICE)
    seats = only(table.watch().sent(SPECTATOR)[:3], wire.Seats)
    assert seats.seats[0].name == NAMES[0].title()
    assert table.tell(Detach(Local(12345))).effects == []
    with pytest.raises(AssertionError, match="no pending append"):
        table.room.handle(Committed(3), table.now)


def test_a_room_in_which_people_only_come_and_go_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LOBBY_ENTRIES", 6)
    table = Table(SEALED_BIDS, seats=3)
    table.watch()
    for _ in range(2):
        table.join(ALICE)
        table.request(Leave, ALICE)
    assert table.room.match.phase == "lobby"
    ended = only(table.join(ALICE).sent(SPECTATOR), wire.Ended)
    assert (ended.reason, ended.detail, ended.ranks) == (codes.END_VOID, "restless", ())
    assert (table.room.wake_at, table.is_archived) == (None, True)


def test_a_room_that_was_to_be_ended_for_that_is_ended_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    monkeypatch.setattr(room, "LOBBY_ENTRIES", 2)
    table.restart()
    assert table.room.wake_at == AT_ONCE
    table.expire(table.now)
    assert table.room.is_over


def test_a_match_may_last_longer_than_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LOBBY_ENTRIES", 4)
    table = Table.playing(SEALED_BIDS, 2)
    table.act(ALICE, Peek())
    assert table.room.match.phase == "playing"
