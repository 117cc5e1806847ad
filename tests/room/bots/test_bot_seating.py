"""Bots in the lobby: requests for them, how they sit down, and when places become free."""

from itertools import pairwise

import pytest
from bot_claims import Agency, notices, refusals, sitting, summons
from room_table import ALICE, BOB, CAROL, DAVE, SPECTATOR, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS

from warroom_games.log import Sat, decode_entry
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.room.bots.bot_tickets import CLAIM_MS, RETRIES_MS
from warroom_server.room.commands import Claim, Fill, Join, Kick, Leave, Mute, Say, Start, Summoned
from warroom_server.room.viewer_addresses import Local


def lobby(seats: int = 3, **room_options: object) -> tuple[Table, Agency]:
    """Return the lobby of Alice."""
    table = Table(SEALED_BIDS, seats=seats, room_options=room_options)
    table.join(ALICE)
    return table, Agency(table)


class TestFilling:
    def test_the_host_fills_all_open_places_and_the_match_starts(self) -> None:
        table, agency = lobby()
        filled = agency.fill()
        assert [summon.bot for summon in summons(filled)] == [None, None]
        assert only(filled.sent(ALICE), wire.Done)
        assert len(agency.hire(filled)) == 2
        assert sitting(table) == ["alice", "greedy", "greedy"]
        assert table.room.match.phase == "playing"

    def test_a_bot_that_claims_is_let_in_like_any_player(self) -> None:
        _, agency = lobby()
        [first, _] = summons(agency.fill())
        bot, outcome = agency.claim(first.ticket)
        joined = only(outcome.sent(bot), wire.Joined)
        assert (joined.seat, joined.seat_token) == (1, "token")
        seats = only(outcome.sent(ALICE), wire.Seats)
        assert (seats.seats[1].bot, seats.seats[1].connected, seats.host) == ("greedy", True, "alice")

    def test_bots_of_several_workers_get_different_names(self) -> None:
        table, agency = lobby(seats=4)
        for summon, name in zip(summons(agency.fill()), ("watchful 1", "watchful 1", "Alice"), strict=True):
            agency.claim(summon.ticket, name=name)
        names = [sitter.name for sitter in table.room.match.seats if sitter is not None]
        assert names == ["Alice", "watchful 1", "watchful 2", "Alice 1"]

    def test_one_place_can_be_filled_with_a_named_bot(self) -> None:
        table, agency = lobby()
        [summon] = summons(agency.fill(seat=2, bot="warden"))
        assert summon.bot == "warden"
        agency.claim(summon.ticket, bot="warden")
        assert sitting(table) == ["alice", None, "warden"]

    def test_the_room_says_which_bot_comes_if_the_host_does_not(self) -> None:
        _, agency = lobby(bot="simple")
        assert [summon.bot for summon in summons(agency.fill())] == ["simple", "simple"]
        assert [summon.bot for summon in summons(agency.fill(bot="random"))] == ["random", "random"]

    def test_the_answer_waits_until_it_is_known_whether_there_are_bots(self) -> None:
        table, _ = lobby()
        asked = table.request(Fill, ALICE, seat=None, bot=None)
        assert asked.sent(ALICE) == []
        [one, other] = summons(asked)
        assert table.tell(Summoned(one.ticket, is_known=False)).sent(ALICE) == []
        assert only(table.tell(Summoned(other.ticket, is_known=True)).sent(ALICE), wire.Done)

    def test_nobody_is_asked_again_for_a_bot_that_nobody_has(self) -> None:
        table, agency = lobby()
        agency.is_known = False
        assert refusals(agency.fill(bot="deep thought"), ALICE) == [codes.BOT_UNKNOWN]
        assert summons(agency.wait(60_000)) == []
        assert sitting(table) == ["alice", None, None]

    @pytest.mark.parametrize(
        ("connection", "seat", "code"),
        [
            pytest.param(BOB, None, codes.ROOM_NOT_HOST, id="not the host"),
            pytest.param(SPECTATOR, None, codes.ROOM_NOT_HOST, id="a spectator"),
            pytest.param(DAVE, None, codes.ROOM_NOT_HERE, id="a stranger"),
            pytest.param(ALICE, 1, codes.SEAT_TAKEN, id="somebody sits there"),
            pytest.param(ALICE, 9, codes.SEAT_UNKNOWN, id="no such place"),
        ],
    )
    def test_what_cannot_be_filled(self, connection: int, seat: int | None, code: str) -> None:
        table, agency = lobby()
        table.join(BOB)
        table.watch()
        outcome = agency.fill(connection, seat=seat)
        assert (refusals(outcome, connection), summons(outcome)) == ([code], [])

    def test_nothing_can_be_filled_once_the_match_runs(self) -> None:
        table = Table.playing(SEALED_BIDS)
        assert refusals(Agency(table).fill(), ALICE) == [codes.ROOM_NOT_LOBBY]

    def test_a_second_wish_replaces_the_first_and_both_are_answered(self) -> None:
        table, agency = lobby()
        first = table.request(Fill, ALICE, seat=1, bot="random")
        second = table.request(Fill, ALICE, seat=1, bot="greedy")
        assert [type(message) for message in second.sent(ALICE)] == [wire.Done]
        [old], [new] = summons(first), summons(second)
        assert only(table.tell(Summoned(new.ticket, is_known=True)).sent(ALICE), wire.Done)
        bot, outcome = agency.claim(old.ticket)
        assert refusals(outcome, bot) == [codes.CLAIM_GONE]
        agency.claim(new.ticket)
        assert sitting(table)[1] == "greedy"

    def test_bots_that_the_host_was_promised_come_after_a_restart(self) -> None:
        table, agency = lobby()
        assert only(agency.fill(bot="warden").sent(ALICE), wire.Done)
        table.restart()
        table.join(ALICE)
        summoned = agency.wait(1_000)
        assert [summon.bot for summon in summons(summoned)] == ["warden", "warden"]
        agency.hire(summoned)
        assert table.room.match.phase == "playing"

    def test_the_host_is_promised_nothing_that_the_store_does_not_have(self) -> None:
        table, _ = lobby()
        [summon] = summons(table.request(Fill, ALICE, seat=1, bot=None))
        table.answers = False
        assert table.tell(Summoned(summon.ticket, is_known=True)).sent(ALICE) == []
        assert only(table.commit().sent(ALICE), wire.Done)

    def test_a_second_wish_for_the_same_bot_waits_for_the_one_that_was_asked_for(self) -> None:
        table, agency = lobby()
        first = table.request(Fill, ALICE, seat=1, bot="greedy")
        second = table.request(Fill, ALICE, seat=1, bot="greedy")
        [summon] = summons(first)
        assert (summons(second), second.sent(ALICE)) == ([], [])
        known = table.tell(Summoned(summon.ticket, is_known=True))
        assert [type(message) for message in known.sent(ALICE)] == [wire.Done, wire.Done]
        third = table.request(Fill, ALICE, seat=1, bot="greedy")
        assert (summons(third), [type(message) for message in third.sent(ALICE)]) == ([], [wire.Done])
        agency.claim(summon.ticket)
        assert sitting(table)[1] == "greedy"


class TestTickets:
    def test_a_bot_that_was_sent_away_cannot_come_back_with_another_ticket(self) -> None:
        table, agency = lobby()
        [first] = summons(agency.fill(seat=1))
        table.tell(Claim(Local(200), 1, "robot", "Robot", first.ticket, "token"))
        table.request(Kick, ALICE, seat=1)
        [second] = summons(agency.fill(seat=1))
        assert refusals(table.tell(Claim(Local(201), 1, "robot", "Robot", second.ticket, "token")), 201) == [
            codes.CLAIM_GONE
        ]
        agency.claim(second.ticket)
        assert sitting(table)[1] == "greedy"

    def test_a_ticket_that_nobody_claims_is_void_and_another_one_is_given_out_later_each_time(self) -> None:
        table, agency = lobby(seats=2)
        moments = []
        outcome = agency.fill()
        for pause_ms in (*RETRIES_MS, RETRIES_MS[-1]):
            moments.append(table.now)
            agency.wait(table.now + CLAIM_MS)
            outcome = agency.wait(table.now + pause_ms)
            assert len(summons(outcome)) == 1
        waits = [later - earlier for earlier, later in pairwise(moments)]
        assert waits == [CLAIM_MS + pause_ms for pause_ms in RETRIES_MS]
        agency.hire(outcome)
        assert table.room.match.phase == "playing"

    def test_a_ticket_can_be_used_once(self) -> None:
        table, agency = lobby()
        [first, _] = summons(agency.fill())
        agency.claim(first.ticket)
        bot, outcome = agency.claim(first.ticket)
        assert refusals(outcome, bot) == [codes.CLAIM_GONE]
        assert Local(bot) not in table.room.audience

    def test_nobody_is_asked_twice_while_a_claim_is_on_its_way_to_the_store(self) -> None:
        table, agency = lobby(seats=3)
        [first, _] = summons(agency.fill(seat=1)) + summons(agency.fill(seat=2))
        table.answers = False
        agency.claim(first.ticket)
        assert summons(table.expire(2_000)) == []
        assert refusals(agency.claim(first.ticket)[1], 201) == []
        assert refusals(table.commit(), 201) == [codes.CLAIM_GONE]

    def test_a_made_up_or_an_old_ticket_gives_nothing(self) -> None:
        table, agency = lobby()
        [first, second] = summons(agency.fill())
        agency.wait(CLAIM_MS)
        for ticket in (first.ticket, second.ticket, 0):
            bot, outcome = agency.claim(ticket)
            assert refusals(outcome, bot) == [codes.CLAIM_GONE]
        assert sitting(table) == ["alice", None, None]

    def test_tickets_of_an_earlier_owner_of_the_room_fit_none_of_a_later_one(self) -> None:
        table, agency = lobby()
        table.now = 1_000
        old = {summon.ticket for summon in summons(agency.fill())}
        table.now = 60_000
        table.restart()
        table.join(ALICE)
        assert old.isdisjoint(summon.ticket for summon in summons(agency.fill()))

    def test_somebody_who_sits_down_meanwhile_is_not_driven_out(self) -> None:
        table, agency = lobby()
        [first, second] = summons(agency.fill())
        table.join(BOB)
        bot, outcome = agency.claim(first.ticket)
        assert refusals(outcome, bot) == [codes.CLAIM_GONE]
        agency.claim(second.ticket)
        assert sitting(table) == ["alice", "bob", "greedy"]

    def test_a_match_starts_without_the_bots_that_did_not_come(self) -> None:
        table, agency = lobby()
        table.join(BOB)
        [summon] = summons(agency.fill())
        assert only(table.request(Start, ALICE).sent(ALICE), wire.Done)
        assert sitting(table) == ["alice", "bob"]
        bot, outcome = agency.claim(summon.ticket)
        assert refusals(outcome, bot) == [codes.CLAIM_GONE]

    def test_who_asked_for_bots_is_answered_even_if_the_match_starts_before(self) -> None:
        table, _ = lobby()
        table.join(BOB)
        table.request(Fill, ALICE, seat=2, bot=None)
        done = [message for message in table.request(Start, ALICE).sent(ALICE) if isinstance(message, wire.Done)]
        assert len(done) == 2

    def test_an_answer_for_a_place_that_somebody_took_meanwhile_is_not_waited_for(self) -> None:
        table, _ = lobby()
        [first, second] = summons(table.request(Fill, ALICE, seat=None, bot=None))
        table.join(BOB)
        assert table.tell(Summoned(first.ticket, is_known=True)).messages == []
        assert refusals(table.tell(Summoned(second.ticket, is_known=False)), ALICE) == [codes.BOT_UNKNOWN]


class TestFillingByTheClock:
    def test_open_places_wait_for_people_and_then_get_bots(self) -> None:
        table, agency = lobby(fill_after_ms=10_000)
        assert summons(agency.wait(9_999)) == []
        passed = agency.wait(10_000)
        assert len(summons(passed)) == 2
        agency.hire(passed)
        assert table.room.match.phase == "playing"

    def test_it_begins_with_the_first_person_and_anew_once_all_have_gone(self) -> None:
        table, agency = lobby(fill_after_ms=10_000)
        table.now = 5_000
        table.join(BOB)
        table.request(Leave, ALICE)
        assert len(summons(agency.wait(10_000))) == 2
        table.request(Leave, BOB)
        assert summons(agency.wait(100_000)) == []
        table.join(CAROL)
        assert summons(agency.wait(109_999)) == []
        assert len(summons(agency.wait(110_000))) == 2

    def test_a_place_that_becomes_free_later_gets_a_bot_at_once(self) -> None:
        table, agency = lobby(fill_after_ms=10_000)
        table.join(BOB)
        [summon] = summons(agency.wait(10_000))
        agency.table.now = 10_100
        left = agency.answered(table.request(Leave, BOB))
        assert len(summons(left)) == 1
        agency.claim(summon.ticket)
        agency.hire(left)
        assert sitting(table) == ["alice", "greedy", "greedy"]

    def test_any_bot_will_do_if_the_one_of_the_room_does_not_come(self) -> None:
        _, agency = lobby(seats=2, fill_after_ms=1, bot="warden")
        assert [summon.bot for summon in summons(agency.wait(5_000))] == ["warden", None]

    def test_it_goes_on_after_a_restart(self) -> None:
        table, agency = lobby(fill_after_ms=10_000)
        table.now = 8_000
        table.restart()
        table.join(ALICE)
        assert len(summons(agency.wait(18_000))) == 2

    def test_it_goes_on_with_the_next_owner(self) -> None:
        table, agency = lobby(fill_after_ms=10_000)
        for at in (3_000, 8_000):
            table.now = at
            table.hand_over()
            table.join(ALICE)
        assert summons(agency.wait(9_999)) == []
        assert len(summons(agency.wait(10_000))) == 2

    def test_places_that_got_no_bots_in_time_get_some_from_the_next_owner_at_once(self) -> None:
        table, agency = lobby(fill_after_ms=10_000)
        for at in (20_000, 40_000):
            table.now = at
            table.hand_over()
        assert len(summons(agency.answered(table.join(ALICE)))) + len(summons(agency.wait(40_000))) == 2

    def test_a_lobby_that_was_empty_until_it_was_handed_over_has_not_waited(self) -> None:
        table = Table(SEALED_BIDS, seats=3, room_options={"fill_after_ms": 10_000})
        table.now = 8_000
        table.hand_over()
        assert table.room.handoff_state(table.now).waited_ms == 0
        table.join(ALICE)
        agency = Agency(table)
        assert summons(agency.wait(17_999)) == []
        assert len(summons(agency.wait(18_000))) == 2


class TestKeptPlaces:
    def test_a_room_that_is_made_for_bots_asks_for_them_once_a_person_sits(self) -> None:
        table = Table(SEALED_BIDS, seats=3, reserved=("alice", None, None), bots=(None, "warden", ""))
        agency = Agency(table)
        assert table.room.wake_at is None
        joined = agency.answered(table.join(ALICE))
        assert [summon.bot for summon in summons(joined)] == ["warden", None]
        agency.hire(joined)
        assert table.room.match.phase == "playing"

    def test_a_bot_of_the_beginning_that_was_sent_away_does_not_come_after_a_restart(self) -> None:
        table = Table(SEALED_BIDS, seats=3, bots=(None, "greedy", None))
        agency = Agency(table)
        agency.hire(agency.answered(table.join(ALICE)))
        table.request(Kick, ALICE, seat=1)
        table.restart()
        assert summons(table.join(ALICE)) == summons(agency.wait(60_000)) == []

    def test_no_bot_comes_to_a_place_that_is_kept_unless_the_host_says_so(self) -> None:
        table = Table(SEALED_BIDS, seats=2, reserved=("alice", "bob"), room_options={"fill_after_ms": 1_000})
        agency = Agency(table)
        table.join(ALICE)
        assert summons(agency.wait(60_000)) == []
        assert refusals(agency.fill(), ALICE) == [codes.ROOM_KEPT]
        assert refusals(table.join(CAROL), CAROL) == [codes.ROOM_KEPT]
        agency.hire(agency.fill(seat=1))
        assert sitting(table) == ["alice", "greedy"]


class TestComingAndGoing:
    def test_whoever_is_away_for_too_long_loses_the_place_and_everybody_saw_it_coming(self) -> None:
        table, agency = lobby(grace_ms=5_000)
        table.join(BOB)
        table.now = 1_000
        seats = only(table.detach(BOB).sent(ALICE), wire.Seats)
        assert (seats.seats[1].connected, seats.seats[1].grace) == (False, 6_000)
        agency.wait(5_999)
        assert sitting(table) == ["alice", "bob", None]
        agency.wait(6_000)
        assert sitting(table) == ["alice", None, None]

    def test_whoever_comes_back_in_time_keeps_the_place(self) -> None:
        table, agency = lobby(grace_ms=5_000)
        table.join(BOB)
        table.detach(BOB)
        agency.wait(4_999)
        seats = only(table.join(BOB, connection=7).sent(7), wire.Seats)
        assert seats.seats[1].grace is None
        agency.wait(60_000)
        assert sitting(table) == ["alice", "bob", None]

    def test_a_room_may_keep_places_for_ever(self) -> None:
        table, agency = lobby(grace_ms=None)
        table.detach(ALICE)
        agency.wait(10_000_000)
        assert sitting(table) == ["alice", None, None]

    def test_a_bot_that_is_lost_in_the_lobby_is_replaced_by_the_same_sort(self) -> None:
        table, agency = lobby()
        [first, _] = summons(agency.fill())
        bot, _ = agency.claim(first.ticket, bot="warden")
        table.detach(bot)
        lost = agency.wait(1_000)
        assert [summon.bot for summon in summons(lost)] == ["warden"]
        assert sitting(table) == ["alice", None, None]
        agency.hire(lost)
        assert sitting(table) == ["alice", "greedy", None]

    def test_bots_do_not_stay_where_no_people_are(self) -> None:
        table, agency = lobby()
        [first, second] = summons(agency.fill())
        agency.claim(first.ticket)
        table.request(Leave, ALICE)
        assert sitting(table) == [None, None, None]
        bot, outcome = agency.claim(second.ticket)
        assert refusals(outcome, bot) == [codes.CLAIM_GONE]
        assert summons(agency.wait(60_000)) == []

    def test_the_host_is_never_a_bot_that_was_brought(self) -> None:
        table, agency = lobby(seats=4)
        agency.claim(summons(agency.fill())[0].ticket)
        table.join(BOB)
        seats = only(table.request(Leave, ALICE).sent(BOB), wire.Seats)
        assert seats.host == "bob"

    def test_a_bot_that_made_the_room_is_its_host(self) -> None:
        table = Table(SEALED_BIDS, seats=3)
        outcome = table.tell(Join(Local(ALICE), 1, "alice", "Alice", None, "token", None, bot="mine"))
        assert only(outcome.sent(ALICE), wire.Seats).host == "alice"

    def test_everybody_can_tell_a_bot_of_the_server_from_a_players_own(self) -> None:
        table, agency = lobby(seats=4)
        table.tell(Join(Local(BOB), 1, "bob", "Bob", None, "token", None, bot="mine"))
        [first, _] = summons(agency.fill())
        _, outcome = agency.claim(first.ticket)
        assert [(state.bot, state.hired) for state in only(outcome.sent(ALICE), wire.Seats).seats] == [
            (None, False),
            ("mine", False),
            ("greedy", True),
            (None, False),
        ]


class TestKicking:
    def test_a_person_is_told_becomes_a_spectator_and_may_not_sit_down_again(self) -> None:
        table, _ = lobby()
        table.join(BOB)
        kicked = table.request(Kick, ALICE, seat=1)
        assert only(kicked.sent(ALICE), wire.Done)
        assert notices(kicked, BOB) == [codes.NOTICE_KICKED]
        assert sitting(table) == ["alice", None, None]
        assert (Local(BOB) in table.room.audience, table.room.audience.watching) == (True, 1)
        assert refusals(table.join(BOB), BOB) == [codes.ROOM_KICKED]

    def test_where_nobody_may_watch_the_person_is_out(self) -> None:
        table, _ = lobby(watch="nobody")
        table.join(BOB)
        assert notices(table.request(Kick, ALICE, seat=1), BOB) == [codes.NOTICE_KICKED]
        assert Local(BOB) not in table.room.audience

    def test_a_bot_goes_and_no_other_comes(self) -> None:
        table, agency = lobby()
        [first, *_] = summons(agency.fill(seat=1))
        bot, _ = agency.claim(first.ticket)
        kicked = agency.answered(table.request(Kick, ALICE, seat=1))
        assert (notices(kicked, bot), summons(kicked)) == ([codes.NOTICE_KICKED], [])
        assert Local(bot) not in table.room.audience
        assert summons(agency.wait(60_000)) == []

    def test_nothing_is_kept_of_the_connection_of_a_bot_that_is_out(self) -> None:
        table, agency = lobby()
        [first, *_] = summons(agency.fill(seat=1))
        bot, _ = agency.claim(first.ticket)
        table.request(Mute, bot, player="alice", on=True, everybody=False)
        table.request(Kick, ALICE, seat=1)
        table.watch(bot)
        said = table.request(Say, ALICE, player="alice", name="Alice", text="hello")
        assert kinds(said.sent(bot)) == ["Said"]

    @pytest.mark.parametrize(
        ("connection", "seat", "code"),
        [
            pytest.param(BOB, 0, codes.ROOM_NOT_HOST, id="not the host"),
            pytest.param(ALICE, 2, codes.SEAT_NONE, id="nobody sits there"),
            pytest.param(ALICE, 0, codes.SEAT_NONE, id="oneself"),
            pytest.param(ALICE, 9, codes.SEAT_UNKNOWN, id="no such place"),
        ],
    )
    def test_who_cannot_be_sent_away(self, connection: int, seat: int, code: str) -> None:
        table, _ = lobby()
        table.join(BOB)
        assert refusals(table.request(Kick, connection, seat=seat), connection) == [code]


def test_the_log_tells_bots_that_were_brought_from_those_of_players() -> None:
    table, agency = lobby()
    table.tell(Join(Local(BOB), 1, "bob", "Bob", None, "token", None, bot="mine"))
    [summon] = summons(agency.fill())
    agency.claim(summon.ticket)
    entries = [decode_entry(logged.entry) for logged in table.log]
    sat = [(entry.bot, entry.hired) for entry in entries if isinstance(entry, Sat)]
    assert sat == [(None, False), ("mine", False), ("greedy", True)]
