"""Stand-ins: when they come, what owners see meanwhile, and how owners take their seats back."""

import pytest
from bot_claims import Agency, notices, refusals, state_of, summons
from room_table import ALICE, BOB, CAROL, SPECTATOR, Outcome, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Bid

from warroom_games.strata.rules import GAME as STRATA
from warroom_games.tile_blitz.actions import BuildInfantry, EndTurn
from warroom_games.tile_blitz.rules import GAME as TILE_BLITZ
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.room.commands import Join, Leave, Reclaim, Resign
from warroom_server.room.presence import REPLACE_MS
from warroom_server.room.viewer_addresses import Local

GRACE_MS = 3_000


def match(seats: int = 3, **room_options: int | None) -> tuple[Table, Agency]:
    """Return a running match of people."""
    table = Table.playing(SEALED_BIDS, seats, room_options={"grace_ms": GRACE_MS, **room_options})
    return table, Agency(table)


def stood_in(**room_options: int) -> tuple[Table, Agency, int]:
    """Return a match in which a bot stands in for Bob, who disconnected at the start; and the bot's connection."""
    table, agency = match(**room_options)
    table.detach(BOB)
    [bot] = agency.hire(agency.wait(GRACE_MS))
    return table, agency, bot


def bid(table: Table, connection: int, seat: int) -> wire.Verdict:
    """Play the lowest card of a seat on a connection."""
    card = table.room.match.state.secrets[seat].hand[0]
    decision = table.room.match.decisions[seat]
    return only(table.act(connection, Bid(card), turn=decision).sent(connection), wire.Verdict)


class TestWhen:
    def test_a_player_who_is_away_has_until_the_end_of_the_grace_and_everybody_knows(self) -> None:
        table, agency = match()
        table.now = 1_000
        lost = table.detach(BOB)
        assert state_of(lost, ALICE, BOB).grace == 1_000 + GRACE_MS
        assert summons(agency.wait(1_000 + GRACE_MS - 1)) == []
        assert len(summons(agency.wait(1_000 + GRACE_MS))) == 1

    def test_a_bot_that_stands_in_is_told_everything_and_everybody_of_it(self) -> None:
        table, agency = match()
        table.detach(BOB)
        [summon] = summons(agency.wait(GRACE_MS))
        bot, outcome = agency.claim(summon.ticket)
        assert kinds(outcome.sent(bot)) == ["Joined", "Snapshot", "Prompt", "Seats", "Paused", "Offers"]
        assert only(outcome.sent(bot), wire.Joined).seat == BOB
        state = state_of(outcome, ALICE, BOB)
        assert (state.player, state.bot, state.stood_in, state.connected, state.grace, state.hired) == (
            "bob", "greedy", True, False, None, False,
        )  # fmt: skip
        assert bid(table, bot, BOB).code is None

    def test_a_player_who_comes_back_in_time_keeps_the_seat(self) -> None:
        table, agency = match()
        table.detach(BOB)
        [summon] = summons(agency.wait(GRACE_MS))
        assert state_of(table.join(BOB), BOB, BOB).grace is None
        bot, outcome = agency.claim(summon.ticket)
        assert refusals(outcome, bot) == [codes.CLAIM_GONE]
        assert bid(table, BOB, BOB).code is None

    def test_time_outs_in_a_row_bring_a_bot_even_to_somebody_who_is_there(self) -> None:
        table, agency = match(timeouts=2)
        agency.wait(10_001)
        for player in (ALICE, CAROL):
            bid(table, player, player)
        passed = agency.wait(20_002)
        [summon] = summons(passed)
        _, outcome = agency.claim(summon.ticket)
        assert notices(outcome, BOB) == [codes.NOTICE_STOOD_IN]
        assert bid(table, BOB, BOB).code == codes.SEAT_BOT

    def test_what_the_owner_sent_while_the_bot_was_on_its_way_counts(self) -> None:
        table, agency = match(timeouts=2)
        agency.wait(10_001)
        for player in (ALICE, CAROL):
            bid(table, player, player)
        [summon] = summons(agency.wait(20_002))
        table.answers = False
        bot, _ = agency.claim(summon.ticket)
        decision = table.room.match.decisions[BOB]
        card, other = table.room.match.state.secrets[BOB].hand[:2]
        table.act(BOB, Bid(card), turn=decision, id=77)
        sat_in = table.commit()
        assert only(sat_in.sent(bot), wire.Joined).seat == BOB
        table.answers = True
        assert only(table.commit().sent(BOB), wire.Verdict).code is None
        assert only(table.act(bot, Bid(other), turn=decision, id=78).sent(bot), wire.Verdict).code == codes.ACT_STALE
        table.restart()
        table.join(BOB)
        again = only(table.act(BOB, Bid(card), turn=decision, id=77).sent(BOB), wire.Verdict)
        assert (again.id, again.code) == (77, None)
        assert bid(table, BOB, BOB).code == codes.SEAT_BOT

    def test_an_action_between_time_outs_keeps_the_bot_away(self) -> None:
        table, agency = match(timeouts=2, seats=2)
        for turn in range(3):
            bid(table, ALICE, ALICE)
            if turn == 1:
                bid(table, BOB, BOB)
            assert summons(agency.wait(table.now + 10_001)) == []

    def test_a_room_may_want_no_bots_at_all(self) -> None:
        table, agency = match(timeouts=0, grace_ms=None)
        table.detach(BOB)
        agency.wait(10_000 * 5)
        assert table.room.is_over
        assert all(table.room.match.stand_ins[seat] is None for seat in (ALICE, BOB, CAROL))

    def test_nobody_is_asked_for_a_seat_that_has_nothing_to_do(self) -> None:
        table = Table.playing(STRATA, 2, room_options={"grace_ms": GRACE_MS, "turn_ms": 60_000})
        agency = Agency(table)
        [asked] = table.room.match.asked
        idle = 1 - asked
        table.detach(idle)
        assert summons(agency.wait(50_000)) == []
        table.detach(asked)
        assert len(summons(agency.wait(50_000 + GRACE_MS))) == 1

    def test_time_stands_still_for_an_absence_while_the_room_does(self) -> None:
        table, agency = match()
        table.detach(BOB)
        table.answers = False
        bid_card = table.room.match.state.secrets[ALICE].hand[0]
        table.act(ALICE, Bid(bid_card), at=1_000)
        assert summons(agency.wait(60_000)) == []
        table.answers = True
        table.commit()
        assert summons(agency.wait(60_000 + GRACE_MS - 1_001)) == []
        assert len(summons(agency.wait(60_000 + GRACE_MS - 1_000))) == 1

    def test_nobody_waits_for_a_bot_that_does_not_come(self) -> None:
        table, agency = match(seats=2)
        table.detach(BOB)
        for _ in range(4):
            bid(table, ALICE, ALICE)
            agency.wait(table.now + 10_001)
        assert table.room.is_over
        assert table.room.wake_at is None


def miss(table: Table, agency: Agency, *playing: int) -> tuple[Outcome, wire.Expired]:
    """Play a turn in which Bob does not act; return the effects, and the messages to Bob."""
    for player in playing:
        bid(table, player, player)
    passed = agency.wait(table.room.match.due(BOB) + 1)
    return passed, only(passed.sent(BOB), wire.Expired)


class TestWarning:
    def test_a_bot_comes_after_three_missed_turns_and_the_player_is_warned_each_time(self) -> None:
        table, agency = match()
        warned = []
        for turn in range(3):
            passed, expired = miss(table, agency, ALICE, CAROL)
            warned.append(expired.left)
            assert len(summons(passed)) == (turn == 2)
        assert warned == [2, 1, 0]

    def test_the_turns_that_a_game_spares_bring_no_bot_nearer(self) -> None:
        table = Table.playing(TILE_BLITZ, 2, room_options={"grace_ms": None})
        agency = Agency(table)
        warned: list[int | None] = []
        while table.room.match.stand_ins == (None, None) and len(warned) < 9:
            [seat] = table.room.match.asked
            if seat == ALICE:
                table.act(ALICE, EndTurn(), turn=table.room.match.decisions[ALICE])
                continue
            passed = agency.wait(table.room.match.due(BOB) + 1)
            warned.append(only(passed.sent(BOB), wire.Expired).left)
            agency.hire(passed)
        assert warned == [4, 3, 2, 1, 0]

    def test_an_action_in_a_turn_that_the_clock_ends_brings_no_bot_nearer(self) -> None:
        table = Table.playing(TILE_BLITZ, 2, room_options={"grace_ms": None})
        agency = Agency(table)
        for _ in range(14):
            [seat] = table.room.match.asked
            build = BuildInfantry(tile=(9, 41)[seat], count=1)
            assert only(table.act(seat, build).sent(seat), wire.Verdict).code is None
            passed = agency.wait(table.room.match.due(seat) + 1)
            expired = only(passed.sent(seat), wire.Expired)
            assert (expired.acted, expired.left, summons(passed)) == (True, None, [])

    def test_nobody_else_hears_the_warning_and_no_byte_tells_them_of_it(self) -> None:
        table, agency = match()
        passed, _ = miss(table, agency, ALICE, CAROL)
        assert "Expired" not in [*kinds(passed.sent(ALICE)), *kinds(passed.sent(CAROL))]

    def test_a_turn_that_the_bot_misses_is_no_warning_to_the_owner(self) -> None:
        table, agency, _ = stood_in()
        table.join(BOB)
        _, expired = miss(table, agency, ALICE, CAROL)
        assert (expired.acted, expired.left) == (False, None)


def told(table: Table) -> list[bytes]:
    """Return the messages to everybody except Bob."""
    return [payload for viewer in (ALICE, CAROL, SPECTATOR) for payload in table.payloads[viewer]]


class TestSecrets:
    """The choice of player reveals to nobody whether a seat has acted in the running turn."""

    def test_a_player_who_is_lost_is_replaced_whether_the_bid_is_in_or_not(self) -> None:
        seen = []
        for has_bid in (False, True):
            table, agency = match()
            table.watch()
            if has_bid:
                bid(table, BOB, BOB)
            table.detach(BOB)
            agency.hire(agency.wait(GRACE_MS))
            assert table.room.match.stand_in(BOB) is not None
            seen.append(told(table))
        assert seen[0] == seen[1]

    def test_a_bot_that_is_lost_is_replaced_whether_its_bid_is_in_or_not(self) -> None:
        seen = []
        for has_bid in (False, True):
            table, agency, bot = stood_in()
            table.watch()
            if has_bid:
                bid(table, bot, BOB)
            table.detach(bot)
            agency.hire(agency.wait(GRACE_MS + REPLACE_MS))
            seen.append(told(table))
        assert seen[0] == seen[1]

    def test_an_owner_takes_the_seat_back_whether_the_bid_of_the_bot_is_in_or_not(self) -> None:
        seen = []
        for has_bid in (False, True):
            table, agency, bot = stood_in()
            table.watch()
            table.join(BOB)
            if has_bid:
                bid(table, bot, BOB)
            table.request(Reclaim, BOB)
            agency.wait(9_000)
            seen.append(told(table))
        assert seen[0] == seen[1]

    def test_a_bot_that_comes_late_sits_in_whether_the_clock_has_acted_or_the_player(self) -> None:
        seen = []
        for has_bid in (False, True):
            table, agency = match(timeouts=2, bank_ms=20_000, increment_ms=0)
            table.watch()
            for _ in range(2):
                for player in (ALICE, CAROL):
                    bid(table, player, player)
                passed = agency.wait(table.room.match.due(BOB) + 1)
            [summon] = summons(passed)
            if has_bid:
                bid(table, BOB, BOB)
            [*_, last] = [summon, *summons(agency.wait(table.room.match.due(BOB) + 2_000))]
            assert table.room.match.asked == {ALICE, CAROL}
            agency.claim(last.ticket)
            assert table.room.match.stand_in(BOB) is not None
            seen.append(told(table))
        assert seen[0] == seen[1]

    def test_a_bot_that_comes_after_the_bid_plays_from_the_next_turn_on(self) -> None:
        table, agency = match()
        bid(table, BOB, BOB)
        table.detach(BOB)
        [bot] = agency.hire(agency.wait(GRACE_MS))
        assert "Prompt" not in kinds(table.messages(bot))
        for player in (ALICE, CAROL):
            bid(table, player, player)
        assert bid(table, bot, BOB).code is None


class TestReplacing:
    def test_a_bot_that_is_lost_is_replaced(self) -> None:
        table, agency, bot = stood_in()
        table.detach(bot)
        assert summons(agency.wait(GRACE_MS + REPLACE_MS - 1)) == []
        [other] = agency.hire(agency.wait(GRACE_MS + REPLACE_MS))
        assert bid(table, other, BOB).code is None
        assert refusals(_rejoin(table, bot), bot) == [codes.ROOM_STARTED]

    def test_a_bot_that_comes_back_in_time_goes_on(self) -> None:
        table, agency, bot = stood_in()
        table.detach(bot)
        assert kinds(_rejoin(table, bot).sent(bot))[:2] == ["Joined", "Snapshot"]
        assert summons(agency.wait(9_000)) == []
        assert bid(table, bot, BOB).code is None

    def test_a_bot_that_sat_from_the_beginning_is_replaced_as_well(self) -> None:
        table = Table(SEALED_BIDS, seats=2)
        table.join(ALICE)
        agency = Agency(table)
        [bot] = agency.hire(agency.fill())
        table.detach(bot)
        [other] = agency.hire(agency.wait(REPLACE_MS))
        assert bid(table, other, 1).code is None
        back = _rejoin(table, bot)
        assert state_of(back, bot, 1).stood_in
        assert bid(table, bot, 1).code == codes.SEAT_BOT

    def test_a_bot_that_only_times_out_is_replaced_and_let_go(self) -> None:
        table, agency, bot = stood_in(timeouts=2)
        for _ in range(2):
            for player in (ALICE, CAROL):
                bid(table, player, player)
            passed = agency.wait(table.room.match.due(BOB) + 1)
        [summon] = summons(passed)
        _, outcome = agency.claim(summon.ticket)
        assert notices(outcome, bot) == [codes.NOTICE_RELIEVED]
        assert Local(bot) not in table.room.audience

    def test_all_bots_are_asked_for_anew_after_a_restart(self) -> None:
        table, agency, bot = stood_in()
        table.now = 4_000
        table.restart()
        for player in (ALICE, CAROL):
            table.join(player)
        [other] = agency.hire(agency.wait(4_000 + REPLACE_MS))
        assert bid(table, other, BOB).code is None
        assert bot != other


class TestComingBack:
    def test_the_owner_sees_everything_meanwhile_but_cannot_act(self) -> None:
        table, _, bot = stood_in()
        back = table.join(BOB)
        assert kinds(back.sent(BOB)) == ["Joined", "Snapshot", "Prompt", "Seats", "Paused", "Offers"]
        assert state_of(back, BOB, BOB).stood_in
        assert bid(table, BOB, BOB).code == codes.SEAT_BOT
        card = table.room.match.state.secrets[BOB].hand[0]
        played = table.act(bot, Bid(card), turn=table.room.match.decisions[BOB])
        assert "Private" in kinds(played.sent(BOB))

    def test_the_owner_gets_the_seat_at_once_if_it_has_no_part_in_the_turn(self) -> None:
        table = Table.playing(STRATA, 2, room_options={"grace_ms": GRACE_MS, "turn_ms": 60_000})
        agency = Agency(table)
        [asked] = table.room.match.asked
        table.detach(asked)
        [bot] = agency.hire(agency.wait(GRACE_MS))
        table.join(asked)
        agency.wait(60_001)
        assert table.room.match.asked == {1 - asked}
        back = table.request(Reclaim, asked)
        assert only(back.sent(asked), wire.Done)
        assert notices(back, bot) == [codes.NOTICE_RELIEVED]
        assert not state_of(back, 1 - asked, asked).stood_in

    @pytest.mark.parametrize("is_first", [True, False], ids=["the bot has bid", "the bot has not bid"])
    def test_the_owner_gets_the_seat_at_the_next_turn_whatever_the_bot_has_done(self, is_first: bool) -> None:
        table, agency, bot = stood_in()
        table.join(BOB)
        for player in (bot, ALICE) if is_first else (ALICE, CAROL):
            bid(table, player, BOB if player == bot else player)
        back = table.request(Reclaim, BOB)
        assert (kinds(back.sent(BOB)), back.sent(ALICE)) == (["Done"], [])
        table.clear()
        last = CAROL if is_first else bot
        bid(table, last, BOB if last == bot else last)
        assert notices_of(table, bot) == [codes.NOTICE_RELIEVED]
        assert bid(table, BOB, BOB).code is None
        assert summons(agency.wait(table.now + 9_000)) == []

    def test_an_owner_who_asked_for_the_seat_gets_it_on_another_node(self) -> None:
        table, _, bot = stood_in()
        table.join(BOB)
        assert kinds(table.request(Reclaim, BOB).sent(BOB)) == ["Done"]
        table.restart()
        for player in (ALICE, BOB, CAROL):
            table.join(player)
        assert kinds(table.request(Reclaim, BOB).sent(BOB)) == ["Done"]
        _rejoin(table, bot)
        for player, seat in ((ALICE, ALICE), (CAROL, CAROL), (bot, BOB)):
            bid(table, player, seat)
        assert bid(table, BOB, BOB).code is None

    def test_a_bot_that_is_replaced_meanwhile_does_not_keep_the_owner_from_coming_back(self) -> None:
        table, agency, bot = stood_in()
        table.join(BOB)
        table.request(Reclaim, BOB)
        table.detach(bot)
        [other] = agency.hire(agency.wait(GRACE_MS + REPLACE_MS))
        for player, seat in ((ALICE, ALICE), (CAROL, CAROL), (other, BOB)):
            bid(table, player, seat)
        assert bid(table, BOB, BOB).code is None

    def test_the_owner_gets_the_seat_at_the_next_turn_if_the_bot_is_to_act(self) -> None:
        table, _, bot = stood_in()
        table.join(BOB)
        assert kinds(table.request(Reclaim, BOB).sent(BOB)) == ["Done"]
        assert bid(table, BOB, BOB).code == codes.SEAT_BOT
        for player in (ALICE, CAROL):
            bid(table, player, player)
        table.clear()
        assert bid(table, bot, BOB).code is None
        assert notices_of(table, bot) == [codes.NOTICE_RELIEVED]
        assert "Prompt" in kinds(table.messages(BOB))
        assert bid(table, BOB, BOB).code is None

    def test_a_bot_that_was_relieved_has_nothing_from_its_claim_any_more(self) -> None:
        table, _, bot = stood_in()
        table.join(BOB)
        table.request(Reclaim, BOB)
        for player, seat in ((bot, BOB), (ALICE, ALICE), (CAROL, CAROL)):
            bid(table, player, seat)
        assert Local(bot) not in table.room.audience
        assert bid(table, bot, BOB).code == codes.ROOM_NOT_HERE
        assert refusals(_rejoin(table, bot), bot) == [codes.ROOM_STARTED]
        assert table.messages(bot)[-1] == wire.Error(1, codes.ROOM_STARTED, codes.REFUSALS[codes.ROOM_STARTED])

    def test_an_action_of_the_bot_that_waited_while_it_was_relieved_is_refused(self) -> None:
        table, _, bot = stood_in()
        table.join(BOB)
        for player in (ALICE, CAROL):
            bid(table, player, player)
        table.request(Reclaim, BOB)
        table.answers = False
        hand = table.room.match.state.secrets[BOB].hand
        decision = table.room.match.decisions[BOB]
        table.act(bot, Bid(hand[0]), turn=decision)
        table.act(bot, Bid(hand[1]), turn=decision + 1)
        verdicts = [message for message in table.commit().sent(bot) if isinstance(message, wire.Verdict)]
        assert [verdict.code for verdict in verdicts] == [None, codes.ROOM_NOT_HERE]

    def test_time_outs_of_the_bot_are_not_held_against_the_owner(self) -> None:
        table, agency, _ = stood_in(timeouts=2)
        for player in (ALICE, CAROL):
            bid(table, player, player)
        table.join(BOB)
        table.request(Reclaim, BOB)
        agency.wait(table.room.match.due(BOB) + 1)
        assert table.room.match.stand_ins[BOB] is None
        assert table.room.match.clocks[BOB].missed == 0

    @pytest.mark.parametrize(
        ("connection", "code"),
        [
            pytest.param(ALICE, codes.SEAT_NO_BOT, id="no bot stands in"),
            pytest.param(SPECTATOR, codes.SEAT_NONE, id="a spectator"),
            pytest.param(77, codes.ROOM_NOT_HERE, id="a stranger"),
            pytest.param(200, codes.SEAT_NONE, id="the bot itself"),
        ],
    )
    def test_who_cannot_reclaim(self, connection: int, code: str) -> None:
        table, _, _ = stood_in()
        table.watch()
        assert refusals(table.request(Reclaim, connection), connection) == [code]

    def test_nothing_can_be_reclaimed_before_and_after_the_match(self) -> None:
        table = Table(SEALED_BIDS, seats=2)
        table.join(ALICE)
        assert refusals(table.request(Reclaim, ALICE), ALICE) == [codes.ACT_NOT_STARTED]
        table.join(BOB)
        table.request(Resign, BOB)
        assert refusals(table.request(Reclaim, ALICE), ALICE) == [codes.ROOM_ENDED]

    def test_whoever_has_resigned_is_out_bot_or_not(self) -> None:
        table, agency = match()
        table.request(Resign, BOB)
        table.detach(BOB)
        assert summons(agency.wait(9_000)) == []
        table.join(BOB)
        assert refusals(table.request(Reclaim, BOB), BOB) == [codes.SEAT_OUT]


class TestDeserted:
    def test_bots_that_were_brought_do_not_make_a_room_a_used_one(self) -> None:
        table, _, _ = stood_in()
        while_played = table.room.is_deserted
        for player in (ALICE, CAROL):
            table.request(Leave, player)
        when_left = table.room.is_deserted
        table.watch()
        assert (while_played, when_left, table.room.is_deserted) == (False, True, False)

    def test_bots_of_players_do(self) -> None:
        table = Table(SEALED_BIDS, seats=2)
        assert table.room.is_deserted
        table.tell(Join(Local(ALICE), 1, "alice", "Alice", None, "token", None, bot="mine"))
        assert not table.room.is_deserted


def _rejoin(table: Table, bot: int) -> Outcome:
    return table.tell(Join(Local(bot), 1, f"bot{bot}", "greedy", None, "token", None, bot="greedy"))


def notices_of(table: Table, connection: int) -> list[str]:
    """Return the notices that a connection got."""
    return [message.code for message in table.messages(connection) if isinstance(message, wire.Notice)]
