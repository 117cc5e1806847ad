"""Draws, pauses and rematches: they happen once all people who must agree have offered them."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from room_table import ALICE, BOB, CAROL, SPECTATOR, Outcome, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import SealedBids

from warroom_games.api import AnyGame
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.match import MOST_PAUSES
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.room import commands
from warroom_server.room.effects import Rematch
from warroom_server.room.handoff_state import Terms
from warroom_server.room.presence import COMINGS_MS
from warroom_server.room.viewer_addresses import Local


def offer(table: Table, connection: int, what: wire.OfferName, *, on: bool = True) -> Outcome:
    return table.request(commands.Offer, connection, what=what, on=on)


def shown(outcome: Outcome, connection: int) -> dict[str, tuple[int, ...]]:
    return dict(only(outcome.sent(connection), wire.Offers).offers)


def refusal(outcome: Outcome, connection: int) -> str:
    return only(outcome.sent(connection), wire.Error).code


def finished(seats: int = 2, **room_options: object) -> Table:
    """Return a match that ended in an agreed draw."""
    table = Table.playing(SEALED_BIDS, seats, room_options=room_options)
    for seat in range(seats):
        offer(table, seat, "draw")
    assert table.room.is_over
    table.clear()
    return table


def with_bot(table: Table, seat: int) -> None:
    """Seat a hired bot at *seat* from the start, through the log."""
    fill = table.request(commands.Fill, ALICE, seat=seat, bot=None)
    ticket = next(effect.ticket for effect in fill.effects if hasattr(effect, "ticket"))
    table.tell(commands.Summoned(ticket, is_known=True))
    table.request(
        commands.Claim, 50 + seat, player="robot", name="Robot", bot="greedy", ticket=ticket, seat_token="token"
    )


def stand_in(table: Table, seat: int) -> None:
    """Let a player leave, and a hired bot stand in."""
    table.detach(seat)
    ticket = None
    for _ in range(20):
        outcome = table.expire(table.now + 500)
        ticket = ticket or next((effect.ticket for effect in outcome.effects if hasattr(effect, "ticket")), None)
        if ticket is not None:
            break
    assert ticket is not None
    table.tell(commands.Summoned(ticket, is_known=True))
    table.request(
        commands.Claim, 60 + seat, player="robot", name="Robot", bot="greedy", ticket=ticket, seat_token="token"
    )
    assert table.room.match.stand_in(seat) is not None


class TestDraw:
    def test_a_draw_needs_everybody(self) -> None:
        table = Table.playing(SEALED_BIDS, 3)
        assert shown(offer(table, ALICE, "draw"), BOB) == {"draw": (0,)}
        offer(table, CAROL, "draw")
        outcome = offer(table, BOB, "draw")
        ended = only(outcome.sent(BOB), wire.Ended)
        assert (ended.reason, ended.ranks) == (codes.END_DRAW, (1, 1, 1))
        assert "Done" in kinds(outcome.sent(BOB))

    def test_an_offer_can_be_taken_back(self) -> None:
        table = Table.playing(SEALED_BIDS)
        offer(table, ALICE, "draw")
        assert shown(offer(table, ALICE, "draw", on=False), BOB) == {}
        offer(table, BOB, "draw")
        assert not table.room.is_over

    def test_an_offer_stands_until_each_has_had_a_turn(self) -> None:
        table = Table.playing(SEALED_BIDS)
        turn = table.room.match.turn
        offer(table, ALICE, "draw")
        while table.room.match.turn < turn + 2:
            assert table.room.match.turn == turn or shown(offer(table, ALICE, "pause"), BOB)["draw"] == (0,)
            offer(table, ALICE, "pause", on=False)
            seat = min(table.room.match.asked)
            table.act(seat, next(iter(SEALED_BIDS.legal_actions(table.room.match.state, seat))))
        offer(table, BOB, "draw")
        assert not table.room.is_over

    def test_a_hidden_action_changes_no_offer(self) -> None:
        table = Table.playing(SEALED_BIDS)
        offer(table, ALICE, "draw")
        outcome = table.act(BOB, next(iter(SEALED_BIDS.legal_actions(table.room.match.state, BOB))))
        assert not [message for message in outcome.sent(ALICE) if isinstance(message, wire.Offers)]

    def test_nobody_can_be_drawn_against_while_away(self) -> None:
        table = Table.playing(SEALED_BIDS, room_options={"grace_ms": 1000})
        offer(table, ALICE, "draw")
        stand_in(table, BOB)
        assert not table.room.is_over
        table.join(BOB)
        ended = only(offer(table, BOB, "draw").sent(ALICE), wire.Ended)
        assert ended.reason == codes.END_DRAW

    def test_whoever_gave_up_is_not_asked_and_comes_last(self) -> None:
        table = Table.playing(SEALED_BIDS, 3)
        table.request(commands.Resign, CAROL)
        offer(table, ALICE, "draw")
        ended = only(offer(table, BOB, "draw").sent(ALICE), wire.Ended)
        assert ended.ranks == (1, 1, 3)

    def test_the_offer_of_all_but_one_who_gives_up_is_a_draw(self) -> None:
        table = Table.playing(SEALED_BIDS, 3)
        offer(table, ALICE, "draw")
        offer(table, BOB, "draw")
        table.request(commands.Resign, CAROL)
        assert table.room.match.result is not None
        assert table.room.match.result.reason == codes.END_DRAW

    def test_spectators_are_not_told_of_offers(self) -> None:
        table = Table.playing(SEALED_BIDS)
        table.watch()
        assert offer(table, ALICE, "draw").sent(SPECTATOR) == []

    def test_whoever_comes_back_learns_what_is_offered(self) -> None:
        table = Table.playing(SEALED_BIDS)
        offer(table, ALICE, "draw")
        table.detach(BOB)
        assert shown(table.join(BOB), BOB) == {"draw": (0,)}

    @pytest.mark.parametrize("is_slow", [False, True])
    def test_whoever_missed_that_an_offer_is_gone_learns_it(self, is_slow: bool) -> None:
        table = Table.playing(SEALED_BIDS)
        offer(table, ALICE, "draw")
        if not is_slow:
            table.detach(BOB)
        offer(table, ALICE, "draw", on=False)
        assert shown(table.tell(commands.Refresh(Local(BOB))) if is_slow else table.join(BOB), BOB) == {}


class TestPause:
    def test_all_agree_on_a_pause_and_on_its_end(self) -> None:
        table = Table.playing(SEALED_BIDS)
        offer(table, ALICE, "pause")
        paused = only(offer(table, BOB, "pause").sent(ALICE), wire.Paused)
        assert paused.reason == codes.PAUSE_AGREED
        table.now += 60_000
        offer(table, BOB, "resume")
        assert table.room.match.is_halted
        outcome = offer(table, ALICE, "resume")
        assert only(outcome.sent(BOB), wire.Paused).reason is None
        assert not table.room.match.is_halted

    def test_whoever_is_gone_does_not_keep_the_others_waiting(self) -> None:
        table = Table.playing(SEALED_BIDS)
        for seat in (ALICE, BOB):
            offer(table, seat, "pause")
        offer(table, ALICE, "resume")
        table.detach(BOB)
        assert table.room.wake_at is not None
        table.expire(table.now)
        assert not table.room.match.is_halted

    @pytest.mark.parametrize("reason", [codes.PAUSE_RESTART, codes.PAUSE_STORE])
    def test_whoever_the_node_waits_for_is_asked_whatever_else_holds_the_room(self, reason: str) -> None:
        table = Table.playing(SEALED_BIDS)
        for seat in (ALICE, BOB):
            offer(table, seat, "pause")
        table.tell(commands.Pause(reason, is_for_players=True))
        table.detach(BOB)
        assert kinds(offer(table, ALICE, "resume").sent(ALICE)) == ["Done", "Offers"]
        assert (table.room.match.is_halted, table.room.wake_at) == (True, table.now + COMINGS_MS)
        table.join(BOB)
        table.tell(commands.Unpause())
        table.expire(table.now)
        assert table.room.match.is_halted
        offer(table, BOB, "resume")
        assert not table.room.match.is_halted

    def test_whoever_does_not_come_back_is_asked_no_longer_than_the_node_waits(self) -> None:
        table = Table.playing(SEALED_BIDS)
        for seat in (ALICE, BOB):
            offer(table, seat, "pause")
        table.tell(commands.Pause(codes.PAUSE_RESTART, is_for_players=True))
        table.detach(BOB)
        offer(table, ALICE, "resume")
        table.tell(commands.Unpause())
        table.expire(table.now)
        assert not table.room.match.is_halted

    def test_the_offers_of_a_pause_are_over_with_it(self) -> None:
        table = Table.playing(SEALED_BIDS)
        for what in ("pause", "resume"):
            for seat in (ALICE, BOB):
                offer(table, seat, what)
        offer(table, ALICE, "pause")
        assert not table.room.match.is_halted

    def test_there_are_only_so_many_pauses(self) -> None:
        table = Table.playing(SEALED_BIDS)
        for _ in range(MOST_PAUSES):
            for what in ("pause", "resume"):
                for seat in (ALICE, BOB):
                    offer(table, seat, what)
        assert refusal(offer(table, ALICE, "pause"), ALICE) == codes.ROOM_PAUSES
        table.restart()
        table.join(ALICE)
        assert refusal(offer(table, ALICE, "pause"), ALICE) == codes.ROOM_PAUSES

    def test_an_owner_who_is_back_has_a_say_while_a_bot_plays(self) -> None:
        table = Table.playing(SEALED_BIDS, room_options={"grace_ms": 1000})
        stand_in(table, BOB)
        table.join(BOB)
        offer(table, ALICE, "pause")
        assert not table.room.match.is_halted
        offer(table, BOB, "pause")
        assert table.room.match.is_halted


class TestHandingOver:
    @staticmethod
    def handed_over(table: Table) -> None:
        """Restore a match on another node, which waits until everybody has returned."""
        table.hand_over()
        table.tell(commands.Pause(codes.PAUSE_RESTART, is_for_players=True))
        for player in range(len(table.room.match.seats)):
            table.join(player)
        table.tell(commands.Unpause())
        table.expire(table.now)

    def test_what_was_offered_is_offered_and_can_be_agreed_to(self) -> None:
        table = Table.playing(SEALED_BIDS)
        offer(table, ALICE, "draw")
        offer(table, BOB, "pause")
        self.handed_over(table)
        assert shown(table.join(BOB), BOB) == {"draw": (0,), "pause": (1,)}
        assert not table.room.is_over
        offer(table, BOB, "draw")
        assert table.room.is_over

    def test_an_offered_draw_falls_when_it_would_have_fallen(self) -> None:
        table = Table.playing(SEALED_BIDS)
        offer(table, ALICE, "draw")
        turn = table.room.match.turn
        while table.room.match.turn < turn + 2:
            assert table.room.handoff_state(table.now).terms == Terms({"draw": (0,)}, turn)
            self.handed_over(table)
            seat = min(table.room.match.asked)
            table.act(seat, next(iter(SEALED_BIDS.legal_actions(table.room.match.state, seat))))
        assert table.room.handoff_state(table.now).terms == Terms()

    def test_nobody_goes_on_without_those_who_are_on_their_way_back(self) -> None:
        table = Table.playing(SEALED_BIDS)
        for seat in (ALICE, BOB):
            offer(table, seat, "pause")
        offer(table, ALICE, "resume")
        table.hand_over()
        table.tell(commands.Pause(codes.PAUSE_RESTART, is_for_players=True))
        table.join(ALICE)
        table.expire(table.now)
        assert table.room.match.is_halted
        table.join(BOB)
        table.tell(commands.Unpause())
        table.expire(table.now)
        assert table.room.match.is_halted
        offer(table, BOB, "resume")
        assert not table.room.match.is_halted

    def test_nothing_is_offered_after_a_crash(self) -> None:
        table = Table.playing(SEALED_BIDS)
        offer(table, ALICE, "draw")
        table.restart()
        assert shown(table.join(ALICE), ALICE) == {}

    def test_another_match_is_to_be_offered_again(self) -> None:
        table = finished(delay=2)
        offer(table, ALICE, "rematch")
        table.hand_over()
        assert shown(table.join(ALICE), ALICE) == {}
        assert not [effect for effect in table.expire(table.now).effects if isinstance(effect, Rematch)]


@pytest.mark.parametrize(
    ("game", "what", "code"),
    [
        pytest.param(GRAPH_BATTLE, "resume", codes.OFFER_NOW, id="to go on while nothing is paused"),
        pytest.param(SEALED_BIDS, "rematch", codes.OFFER_NOW, id="a rematch before the end"),
    ],
)
def test_what_cannot_be_now_is_not_offered(game: AnyGame, what: wire.OfferName, code: str) -> None:
    table = Table.playing(game, 2)
    assert refusal(offer(table, ALICE, what), ALICE) == code


def _outsider(table: Table) -> int:
    table.watch()
    return SPECTATOR


def _resigned(table: Table) -> int:
    table.request(commands.Resign, CAROL)
    return CAROL


@pytest.mark.parametrize(
    ("who", "code"),
    [
        pytest.param(lambda _: 77, codes.ROOM_NOT_HERE, id="a stranger"),
        pytest.param(_outsider, codes.SEAT_NONE, id="a spectator"),
        pytest.param(_resigned, codes.SEAT_OUT, id="one who gave up"),
    ],
)
def test_only_who_plays_may_offer(who: Callable[[Table], int], code: str) -> None:
    table = Table.playing(SEALED_BIDS, 3)
    connection = who(table)
    assert refusal(offer(table, connection, "pause"), connection) == code


def test_a_room_may_allow_no_pauses() -> None:
    table = Table.playing(SEALED_BIDS, room_options={"pause_ms": 0})
    assert refusal(offer(table, ALICE, "pause"), ALICE) == codes.ROOM_PAUSES


def test_a_game_may_know_no_draws() -> None:
    class Decisive(SealedBids):
        info = replace(SealedBids.info, has_draws=False)

    table = Table.playing(Decisive())
    assert refusal(offer(table, ALICE, "draw"), ALICE) == codes.OFFER_DRAW


class TestRematch:
    def test_a_rematch_is_asked_for_once_all_want_it(self) -> None:
        table = finished()
        assert not [effect for effect in offer(table, ALICE, "rematch").effects if isinstance(effect, Rematch)]
        (wish,) = [effect for effect in offer(table, BOB, "rematch").effects if isinstance(effect, Rematch)]
        assert (wish.reserved, wish.bots) == (("bob", "alice"), (None, None))
        assert not [effect for effect in offer(table, BOB, "rematch").effects if isinstance(effect, Rematch)]

    def test_seats_may_stay_as_they_are(self) -> None:
        table = finished(3, rematch="same")
        for seat in range(2):
            offer(table, seat, "rematch")
        (wish,) = [effect for effect in offer(table, 2, "rematch").effects if isinstance(effect, Rematch)]
        assert wish.reserved == ("alice", "bob", "carol")

    def test_whoever_has_gone_is_not_waited_for(self) -> None:
        table = finished(3)
        for seat in (ALICE, BOB):
            offer(table, seat, "rematch")
        table.detach(CAROL)
        (wish,) = [effect for effect in table.expire(table.now).effects if isinstance(effect, Rematch)]
        assert wish.reserved == (None, "alice", "bob")

    def test_everybody_is_led_to_the_new_room(self) -> None:
        table = finished()
        table.watch()
        outcome = table.tell(commands.Rematched(99, "000000q", None))
        moved = wire.Moved(table.room.number, 99, "000000q", None)
        assert [only(outcome.sent(viewer), wire.Moved) for viewer in (ALICE, BOB, SPECTATOR)] == [moved] * 3
        assert only(table.watch(SPECTATOR + 1).sent(SPECTATOR + 1), wire.Moved) == moved
        assert only(offer(table, ALICE, "rematch").sent(ALICE), wire.Moved) == moved

    def test_a_rematch_that_could_not_be_made_can_be_offered_again(self) -> None:
        table = finished()
        for seat in (ALICE, BOB):
            offer(table, seat, "rematch")
        outcome = table.tell(commands.Rematched(None))
        assert only(outcome.sent(ALICE), wire.Notice).code == codes.NOTICE_NO_REMATCH
        offer(table, ALICE, "rematch")
        assert [effect for effect in offer(table, BOB, "rematch").effects if isinstance(effect, Rematch)]


class TestBots:
    def test_nobody_comes_to_terms_with_a_bot(self) -> None:
        table = Table(SEALED_BIDS, seats=2)
        table.join(ALICE)
        with_bot(table, 1)
        assert refusal(offer(table, ALICE, "draw"), ALICE) == codes.OFFER_BOTS

    def test_one_person_among_bots_decides_alone_and_bots_come_again(self) -> None:
        table = Table(SEALED_BIDS, seats=2)
        table.join(ALICE)
        with_bot(table, 1)
        offer(table, ALICE, "pause")
        assert table.room.match.is_halted
        offer(table, ALICE, "resume")
        table.request(commands.Resign, ALICE)
        (wish,) = [effect for effect in offer(table, ALICE, "rematch").effects if isinstance(effect, Rematch)]
        assert (wish.reserved, wish.bots) == ((None, "alice"), ("greedy", None))
