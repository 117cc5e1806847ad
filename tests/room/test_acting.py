"""Every action gets one verdict, and every viewer the right messages."""

from collections.abc import Iterator

import pytest
from room_table import ALICE, BOB, CAROL, SPECTATOR, Table, Who, kinds, only, viewer
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Action, Bid, Peek, SealedBids, State

from warroom_games.codec import encode
from warroom_games.graph_battle.actions import EndTurn
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.ports.store import Append
from warroom_server.room.commands import Act, Legal, Refresh, Resign, Start, Void
from warroom_server.room.effects import Archive, Send, SendAll
from warroom_server.room.viewer_addresses import Local, Remote

TAB = 70
"""Another connection of a player who is already connected."""


def test_nothing_is_shown_or_answered_before_the_store_has_the_action() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    before = table.room.match
    outcome = table.act(ALICE, lowest(table, ALICE))
    assert [type(effect) for effect in outcome.effects] == [Append]
    assert table.room.match is before
    assert kinds(table.commit().sent(ALICE)) == ["Private", "Verdict"]


def test_a_step_is_shown_in_one_order_private_public_verdict_prompts() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, lowest(table, ALICE))
    outcome = table.act(BOB, lowest(table, BOB))
    assert [type(effect) for effect in outcome.effects] == [
        Append, SendAll, SendAll, SendAll, Send, SendAll, SendAll,
    ]  # fmt: skip
    assert kinds(outcome.sent(BOB)) == ["Private", "Update", "Verdict", "Prompt"]
    assert kinds(outcome.sent(ALICE)) == ["Private", "Update", "Prompt"]


def test_a_verdict_says_where_the_seats_streams_stand() -> None:
    table = Table.playing(SEALED_BIDS)
    verdict = only(table.act(ALICE, lowest(table, ALICE)).sent(ALICE), wire.Verdict)
    assert (verdict.code, verdict.detail, verdict.p, verdict.q, verdict.receipt) == (None, None, 1, 2, None)


def test_in_a_game_that_hides_nothing_an_action_is_three_messages() -> None:
    table = Table.playing(GRAPH_BATTLE, 3)
    table.watch()
    outcome = table.act(ALICE, EndTurn())
    assert kinds(outcome.sent(ALICE)) == ["Update", "Verdict"]
    assert kinds(outcome.sent(BOB)) == ["Update", "Prompt"]
    assert kinds(outcome.sent(SPECTATOR)) == ["Update"]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        pytest.param(b"\xc1", codes.ACT_MALFORMED, id="no MessagePack"),
        pytest.param(encode({"type": "bid", "card": 99}), codes.ACT_MALFORMED, id="no card"),
        pytest.param(encode({"type": "bid", "card": 1, "extra": 1}), codes.ACT_MALFORMED, id="unknown field"),
        pytest.param(encode({"type": "bid", "card": 20}), "bid.spent", id="the game's own code"),
    ],
)
def test_a_mistake_is_a_refusal_that_changes_nothing(action: bytes, code: str) -> None:
    table = Table.playing(SEALED_BIDS, options={"rounds": 4, "cards": 8})
    before = table.room.match
    outcome = table.act(ALICE, action)
    verdict = only(outcome.sent(ALICE), wire.Verdict)
    assert (verdict.code, verdict.p, verdict.q) == (code, 1, 1)
    assert [type(effect) for effect in outcome.effects] == [Send]
    assert table.room.match is before


def test_an_action_whose_message_is_invalid_gets_one_verdict_that_changes_nothing() -> None:
    table = Table.playing(SEALED_BIDS)
    before = table.room.match
    verdict = only(
        table.tell(Act(Local(ALICE), 77, 0, b"", table.now, "turn of act cannot be")).sent(ALICE), wire.Verdict
    )
    assert (verdict.code, verdict.detail) == (codes.MESSAGE_INVALID, "turn of act cannot be")
    assert (verdict.id, verdict.p, verdict.q) == (77, 1, 1)
    assert table.room.match is before
    assert only(table.act(ALICE, lowest(table, ALICE), id=77).sent(ALICE), wire.Verdict) == verdict, "an id has one"


def test_an_accepted_id_stays_accepted_whatever_is_sent_under_it() -> None:
    table = Table.playing(SEALED_BIDS)
    accepted = only(table.act(ALICE, lowest(table, ALICE), id=77).sent(ALICE), wire.Verdict)
    assert accepted.code is None
    again = table.tell(Act(Local(ALICE), 77, 0, b"", table.now, "turn of act cannot be")).sent(ALICE)
    assert only(again, wire.Verdict) == accepted


def test_an_action_may_be_written_in_any_way_and_is_stored_in_one() -> None:
    table = Table.playing(SEALED_BIDS)
    card = table.room.match.state.secrets[ALICE].hand[0]
    loose = b"\x82\xa4card\xd2" + card.to_bytes(4, "big") + b"\xa4type\xa3bid"
    assert only(table.act(ALICE, loose).sent(ALICE), wire.Verdict).code is None
    assert encode(Bid(card)) in table.log[-1].entry


def test_a_turn_token_is_good_for_one_decision_of_one_seat() -> None:
    table = Table.playing(SEALED_BIDS)
    token = only(table.messages(ALICE), wire.Prompt).turn
    table.act(ALICE, Peek(), turn=token)
    outcome = table.act(ALICE, lowest(table, ALICE), turn=token)
    assert only(outcome.sent(ALICE), wire.Verdict).code == codes.ACT_STALE
    assert only(table.act(BOB, lowest(table, BOB), turn=token + 1).sent(BOB), wire.Verdict).code == codes.ACT_STALE


def test_after_an_own_action_that_leaves_the_seat_to_act_it_is_asked_anew() -> None:
    table = Table.playing(SEALED_BIDS)
    outcome = table.act(ALICE, Peek())
    assert only(outcome.sent(ALICE), wire.Prompt) == wire.Prompt(table.room.number, ALICE, 2, 0, 10_000)
    assert outcome.sent(BOB) == []


def test_a_seat_that_has_acted_is_not_to_act_again() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, lowest(table, ALICE))
    assert only(table.act(ALICE, Peek()).sent(ALICE), wire.Verdict).code == codes.ACT_STALE


def test_several_connections_hold_one_seat_and_any_may_act_of_which_the_others_are_told() -> None:
    table = Table.playing(SEALED_BIDS)
    table.join(ALICE, connection=TAB)
    outcome = table.act(TAB, lowest(table, ALICE))
    assert kinds(outcome.sent(TAB)) == ["Private", "Verdict"]
    assert kinds(outcome.sent(ALICE)) == ["Private", "Notice"]
    notice = only(outcome.sent(ALICE), wire.Notice)
    assert (notice.room, notice.code) == (table.room.number, codes.NOTICE_DECIDED)
    assert outcome.sent(BOB) == []


def test_who_does_not_know_what_it_missed_is_told_that_its_seat_has_decided() -> None:
    table = Table.playing(SEALED_BIDS)
    table.join(ALICE, connection=TAB)
    table.act(TAB, lowest(table, ALICE))
    outcome = table.tell(Refresh(Local(ALICE)))
    assert codes.NOTICE_DECIDED in [each.code for each in outcome.sent(ALICE) if isinstance(each, wire.Notice)]


def test_the_other_connections_of_a_seat_that_goes_on_deciding_are_asked_anew() -> None:
    table = Table.playing(SEALED_BIDS)
    table.join(ALICE, connection=TAB)
    assert kinds(table.act(TAB, Peek()).sent(ALICE)) == ["Private", "Prompt"]
    table.act(BOB, lowest(table, BOB))
    assert kinds(table.act(TAB, lowest(table, ALICE)).sent(ALICE)) == ["Private", "Update", "Prompt"]


def test_who_comes_back_while_the_own_action_is_on_its_way_gets_one_verdict_for_it() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    bid = lowest(table, ALICE)
    table.act(ALICE, bid, id=77)
    table.join(ALICE, connection=TAB)
    table.detach(ALICE)
    assert kinds(table.commit().sent(TAB)) == ["Private", "Notice"]
    assert kinds(table.act(TAB, bid, id=77, turn=1).sent(TAB)) == ["Verdict"]


def test_an_accepted_action_sent_again_gets_the_same_verdict_for_ever() -> None:
    table = Table.playing(SEALED_BIDS)
    first = table.act(ALICE, lowest(table, ALICE), id=77)
    table.act(BOB, lowest(table, BOB))
    again = table.act(ALICE, Peek(), id=77)
    assert again.sent(ALICE) == [only(first.sent(ALICE), wire.Verdict)]
    assert again.acted == []
    table.tell(Void("test"))
    assert table.act(ALICE, Peek(), id=77).sent(ALICE) == again.sent(ALICE)


def test_a_refused_action_sent_again_gets_the_same_verdict() -> None:
    table = Table.playing(SEALED_BIDS)
    first = table.act(ALICE, b"\xc1", id=77)
    table.act(ALICE, Peek())
    assert table.act(ALICE, lowest(table, ALICE), id=77).sent(ALICE) == first.sent(ALICE)


def test_old_refusals_are_forgotten_and_judged_afresh() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, b"\xc1", id=77)
    for number in range(64):
        table.act(ALICE, b"\xc1", id=1_000 + number)
    assert only(table.act(ALICE, lowest(table, ALICE), id=77).sent(ALICE), wire.Verdict).code is None


def test_ids_are_per_seat() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, lowest(table, ALICE), id=77)
    assert table.act(BOB, lowest(table, BOB), id=77).acted == [(BOB, "player")]


def test_what_arrives_while_the_store_thinks_is_judged_after_its_answer() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, lowest(table, ALICE))
    assert table.act(BOB, b"\xc1").messages == []
    assert table.act(BOB, lowest(table, BOB)).messages == []
    outcome = table.commit()
    assert kinds(outcome.sent(BOB)) == ["Verdict"]
    assert only(outcome.sent(BOB), wire.Verdict).code == codes.ACT_MALFORMED
    assert kinds(table.commit().sent(BOB)) == ["Private", "Update", "Verdict", "Prompt"]


def test_an_action_sent_twice_at_once_is_judged_once_and_answered_where_it_came_last() -> None:
    table = Table.playing(SEALED_BIDS)
    table.join(ALICE, connection=50)
    table.answers = False
    table.act(ALICE, Peek(), id=77)
    table.act(50, Peek(), id=77)
    outcome = table.commit()
    assert [message for message in outcome.sent(ALICE) if isinstance(message, wire.Verdict)] == []
    assert only(outcome.sent(50), wire.Verdict).id == 77
    assert table.waiting == []


def test_the_same_id_of_another_seat_is_no_repetition() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek(), id=77)
    table.act(BOB, Peek(), id=77)
    table.commit()
    assert kinds(table.commit().sent(BOB)) == ["Private", "Verdict", "Prompt"]


def test_an_action_that_waits_and_is_sent_again_waits_once() -> None:
    table = Table.playing(SEALED_BIDS)
    table.join(BOB, connection=50)
    table.answers = False
    table.act(ALICE, lowest(table, ALICE))
    table.act(BOB, b"\xc1", id=78)
    table.act(BOB, lowest(table, BOB), id=77)
    table.act(50, lowest(table, BOB), id=77)
    table.commit()
    assert only(table.commit().sent(50), wire.Verdict).id == 77
    assert table.waiting == []


def test_an_answered_action_is_answered_again_while_the_store_thinks() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, Peek(), id=77)
    table.answers = False
    table.act(BOB, Peek())
    assert kinds(table.act(ALICE, Peek(), id=77).sent(ALICE)) == ["Verdict"]


def test_one_seat_cannot_take_the_waiting_room_of_another() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek())
    for _ in range(8):
        assert table.act(ALICE, Peek()).messages == []
    assert only(table.act(ALICE, Peek(), id=99).sent(ALICE), wire.Verdict).code == codes.ACT_BUSY
    assert table.act(BOB, Peek()).messages == []
    table.answers = True
    table.commit()
    assert only(table.act(ALICE, Peek(), id=99).sent(ALICE), wire.Verdict).code == codes.ACT_BUSY


def test_who_has_no_seat_is_refused_at_once_and_takes_no_place_in_the_line() -> None:
    table = Table(SEALED_BIDS, seats=3)
    table.join(ALICE)
    table.watch()
    table.answers = False
    table.join(BOB)
    assert only(table.act(SPECTATOR, Peek()).sent(SPECTATOR), wire.Verdict).code == codes.SEAT_NONE
    assert only(table.act(99, Peek()).sent(99), wire.Verdict).code == codes.ROOM_NOT_HERE
    for kind, code in ((Start, codes.ROOM_NOT_HOST), (Resign, codes.SEAT_NONE)):
        assert only(table.request(kind, SPECTATOR).sent(SPECTATOR), wire.Error).code == code
        assert only(table.request(kind, 99).sent(99), wire.Error).code == codes.ROOM_NOT_HERE
    assert table.request(Start, ALICE).messages == []


def test_an_action_behind_its_senders_own_seat_waits_for_it() -> None:
    table = Table(SEALED_BIDS, seats=2)
    table.join(ALICE)
    table.answers = False
    table.join(BOB)
    assert table.act(BOB, Peek(), turn=1).messages == []
    table.answers = True
    assert only(table.commit().sent(BOB), wire.Verdict).code is None


def test_an_action_counts_although_its_connection_is_gone() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek())
    table.act(BOB, Peek(), id=77)
    table.detach(BOB)
    table.commit()
    table.commit()
    assert table.room.match.state.secrets[BOB].peeks == 1


def test_only_seats_act() -> None:
    table = Table.playing(SEALED_BIDS)
    table.watch()
    assert only(table.act(SPECTATOR, Peek()).sent(SPECTATOR), wire.Verdict).code == codes.SEAT_NONE
    assert only(table.act(99, Peek()).sent(99), wire.Verdict).code == codes.ROOM_NOT_HERE


def test_resigning_takes_the_seat_out_and_tells_everybody() -> None:
    table = Table.playing(SEALED_BIDS, 3)
    outcome = table.request(Resign, ALICE)
    assert kinds(outcome.sent(ALICE)) == ["Update", "Done", "Seats"]
    assert [seat.out for seat in only(outcome.sent(BOB), wire.Seats).seats] == [True, False, False]
    assert only(table.act(ALICE, Peek(), turn=1).sent(ALICE), wire.Verdict).code == codes.SEAT_OUT
    assert only(table.request(Resign, ALICE).sent(ALICE), wire.Error).code == codes.SEAT_OUT


def test_the_last_one_standing_wins_because_the_others_resigned() -> None:
    table = Table.playing(SEALED_BIDS)
    outcome = table.request(Resign, ALICE)
    ended = only(outcome.sent(BOB), wire.Ended)
    assert (ended.ranks, ended.reason) == ((2, 1), codes.END_RESIGNED)


def test_the_end_publishes_seed_and_chain_and_archives_the_match() -> None:
    table = Table.playing(SEALED_BIDS, options={"rounds": 1})
    table.act(ALICE, lowest(table, ALICE))
    outcome = table.act(BOB, lowest(table, BOB))
    assert kinds(outcome.sent(BOB)) == ["Private", "Update", "Verdict", "Ended", "Seats"]
    ended = only(outcome.sent(BOB), wire.Ended)
    assert (ended.seed, ended.chain) == (bytes(range(16)).hex(), table.log[-1].chain.hex())
    assert any(isinstance(effect, Archive) for effect in outcome.effects)
    assert table.room.is_over
    for kind in (Legal, Resign):
        assert only(table.request(kind, ALICE).sent(ALICE), wire.Error).code == codes.ROOM_ENDED
    assert only(table.act(ALICE, Peek()).sent(ALICE), wire.Verdict).code == codes.ROOM_ENDED


def test_what_waited_when_the_match_ended_is_still_answered() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.request(Resign, ALICE)
    table.act(BOB, Peek())
    outcome = table.commit()
    assert only(outcome.sent(BOB), wire.Verdict).code == codes.ROOM_ENDED
    assert isinstance([effect for effect in outcome.effects if not isinstance(effect, SendAll)][-1], Archive)


def test_a_voided_match_ranks_nobody() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek())
    table.act(BOB, Peek())
    table.tell(Void("internal"))
    table.commit()
    ended = only(table.commit().sent(ALICE), wire.Ended)
    assert (ended.ranks, ended.reason) == ((), codes.END_VOID)


def test_legal_lists_what_the_open_decision_allows() -> None:
    table = Table.playing(SEALED_BIDS)
    legal = only(table.request(Legal, ALICE).sent(ALICE), wire.LegalList)
    hand = table.room.match.state.secrets[ALICE].hand
    assert legal.actions == (*({"type": "bid", "card": card} for card in hand), {"type": "peek"})
    assert (legal.turn, legal.complete) == (1, True)
    table.act(ALICE, lowest(table, ALICE))
    assert only(table.request(Legal, ALICE).sent(ALICE), wire.LegalList).actions == ()


def test_legal_tells_what_each_action_costs_if_that_is_asked_for() -> None:
    table = Table.playing(GRAPH_BATTLE, 2)
    plain_list = only(table.request(Legal, ALICE).sent(ALICE), wire.LegalList)
    assert plain_list.notes is None
    noted = only(table.tell(Legal(Local(ALICE), 9, notes=True)).sent(ALICE), wire.LegalList)
    assert noted.actions == plain_list.actions
    assert noted.actions is not None
    assert noted.notes is not None
    assert len(noted.notes) == len(noted.actions)
    for action, note in zip(noted.actions, noted.notes, strict=True):
        assert isinstance(action, dict)
        assert note.endswith(" %") == (action["type"] == "attack")


def test_a_game_without_notes_has_an_empty_text_for_each_action() -> None:
    table = Table.playing(SEALED_BIDS)
    legal = only(table.tell(Legal(Local(ALICE), 9, notes=True)).sent(ALICE), wire.LegalList)
    assert legal.actions
    assert legal.notes == ("",) * len(legal.actions)


def listed(table: Table, who: Who, *, notes: bool = False) -> wire.LegalList:
    return only(table.tell(Legal(viewer(who), 9, notes=notes)).sent(who), wire.LegalList)


def test_a_list_of_legal_actions_is_not_repeated() -> None:
    table = Table.playing(SEALED_BIDS)
    assert listed(table, ALICE).actions
    assert listed(table, ALICE) == wire.LegalList(9, table.room.number, 1, True, None)
    table.act(BOB, Peek())  # hidden: Alice must not learn of it
    assert listed(table, ALICE).actions is None


def test_another_decision_has_a_new_list() -> None:
    table = Table.playing(SEALED_BIDS)
    listed(table, ALICE)
    table.act(ALICE, Peek())
    again = listed(table, ALICE)
    assert again.actions
    assert again.turn == 2
    table.act(ALICE, lowest(table, ALICE))
    assert listed(table, ALICE).actions == ()
    assert listed(table, ALICE).actions is None


def test_a_list_that_changed_within_a_decision_is_sent_again() -> None:
    class Duel(SealedBids):
        """Once a rival has resigned, there is nothing to peek at."""

        def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
            for action in super().legal_actions(state, seat):
                if not (state.table.out and isinstance(action, Peek)):
                    yield action

    table = Table.playing(Duel(), 3)
    before = listed(table, ALICE)
    table.request(Resign, CAROL)
    after = listed(table, ALICE)
    assert before.actions is not None
    assert (after.turn, after.actions) == (before.turn, before.actions[:-1])


def test_a_list_without_notes_does_not_count_as_one_with_notes() -> None:
    table = Table.playing(SEALED_BIDS)
    listed(table, ALICE)
    noted = listed(table, ALICE, notes=True)
    assert noted.actions
    assert noted.notes
    for notes in (True, False, True):
        again = listed(table, ALICE, notes=notes)
        assert (again.actions, again.notes) == (None, None)


def test_each_connection_of_a_seat_gets_the_list_and_gets_it_again_when_it_has_entered_again() -> None:
    table = Table.playing(SEALED_BIDS)
    listed(table, ALICE)
    table.join(ALICE, connection=TAB)
    assert listed(table, TAB).actions
    assert listed(table, TAB).actions is None
    table.join(ALICE, connection=TAB)
    assert listed(table, TAB).actions
    table.detach(TAB)
    table.join(ALICE, connection=TAB)
    assert listed(table, TAB).actions
    assert listed(table, ALICE).actions is None


def test_a_connection_of_another_node_gets_the_list_each_time() -> None:
    table = Table.playing(SEALED_BIDS)
    elsewhere = Remote("edge", 1)  # which may have dropped the list, because it came too late
    table.join(ALICE, connection=elsewhere)
    assert listed(table, elsewhere).actions
    assert listed(table, elsewhere).actions


def test_legal_is_answered_while_the_store_thinks_unless_it_would_overtake() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek())
    assert kinds(table.request(Legal, BOB).sent(BOB)) == ["LegalList"]
    table.request(Legal, ALICE)
    table.act(BOB, Peek())
    table.request(Legal, BOB)
    assert kinds(table.commit().sent(ALICE)) == ["Private", "Verdict", "Prompt", "LegalList"]
    assert kinds(table.commit().sent(BOB)) == ["Private", "Verdict", "Prompt", "LegalList"]


def test_an_arrival_is_never_later_than_its_consideration() -> None:
    table = Table.playing(SEALED_BIDS)
    table.tell(Act(Local(ALICE), 5, 1, encode(Peek()), arrived=400), at=500)
    last = table.messages(ALICE)[-1]
    assert isinstance(last, wire.Prompt)
    assert last.at == 500


def lowest(table: Table, seat: int) -> Bid:
    return Bid(table.room.match.state.secrets[seat].hand[0])
