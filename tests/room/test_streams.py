"""The numbered streams: what makes a frame, what a viewer missed, and that every copy is right."""

from room_table import ALICE, BOB, CAROL, SPECTATOR, Table, clock_of, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Action, Bid, Peek, SealedBids, State
from strict_viewer import Viewer

from warroom_games.api import Step, View
from warroom_games.graph_battle.actions import EndTurn
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_protocol import messages as wire
from warroom_protocol.canonical import checksum
from warroom_protocol.codec import decode_server
from warroom_server.room.streams import RING, SUM_EVERY


def bid(table: Table, seat: int) -> Bid:
    return Bid(table.room.match.state.secrets[seat].hand[0])


def play_on(table: Table, count: int) -> None:
    """Play this many bids and peeks, mixed."""
    for number in range(count):
        asked = sorted(table.room.match.asked)
        seat = asked[number % len(asked)]
        actions = list(SEALED_BIDS.legal_actions(table.room.match.state, seat))
        table.act(seat, actions[-1 if number % 3 else 0], at=table.now + 50)


def frames(messages: list[wire.ServerMessage]) -> list[wire.ServerMessage]:
    return [message for message in messages if isinstance(message, wire.Update | wire.Private)]


def types(events: tuple[object, ...]) -> list[str]:
    return [event["type"] for event in events if isinstance(event, dict)]


def is_frame(data: bytes) -> bool:
    return isinstance(decode_server(data), wire.Update | wire.Private)


def test_a_hidden_step_makes_no_frame_for_those_it_is_hidden_from() -> None:
    table = Table.playing(SEALED_BIDS, 3)
    table.watch()
    outcome = table.act(ALICE, Peek())
    private = only(outcome.sent(ALICE), wire.Private)
    assert (private.q, private.p, private.joint) == (2, 1, False)
    assert private.events == ({"type": "peeked", "prize": table.room.match.state.deck[0]},)
    for viewer in (BOB, CAROL, SPECTATOR):
        assert outcome.sent(viewer) == []


def test_a_private_change_that_comes_with_a_public_one_is_joint_and_comes_first() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, bid(table, ALICE))
    outcome = table.act(BOB, bid(table, BOB))
    private, update = frames(outcome.sent(ALICE))
    assert isinstance(private, wire.Private)
    assert isinstance(update, wire.Update)
    assert (private.q, private.p, private.joint, update.p) == (3, 2, True, 2)
    assert types(update.events)[0] == "resolved"
    assert types(only(outcome.sent(BOB), wire.Private).events)[1] == "spent"


def test_the_public_frame_is_the_same_bytes_for_all() -> None:
    table = Table.playing(SEALED_BIDS)
    table.watch()
    table.clear()
    table.act(ALICE, bid(table, ALICE))
    table.act(BOB, bid(table, BOB))
    public = {
        viewer: [data for data in table.payloads[viewer] if isinstance(decode_server(data), wire.Update)]
        for viewer in (ALICE, BOB, SPECTATOR)
    }
    assert public[ALICE] == public[BOB] == public[SPECTATOR]
    assert len(public[ALICE]) == 1


def test_sums_come_with_every_sixteenth_frame_and_the_first_of_a_turn() -> None:
    table = Table.playing(GRAPH_BATTLE, 5)
    updates = [only(table.messages(ALICE), wire.Update)]
    for number in range(60):
        [seat] = table.room.match.asked
        actions = list(GRAPH_BATTLE.legal_actions(table.room.match.state, seat))
        updates.append(only(table.act(seat, actions[number * 7 % len(actions)]).sent(seat), wire.Update))
    expected = [update.p % SUM_EVERY == 0 or update.clock is not None for update in updates]
    assert [update.sum is not None for update in updates] == expected
    assert 5 < sum(expected) < 50


def test_the_clock_comes_only_when_more_than_the_time_changed() -> None:
    table = Table.playing(GRAPH_BATTLE, 3, room_options={"bank_ms": 5_000})
    turns = 0
    for number in range(40):
        [seat] = table.room.match.asked
        before = table.room.match
        actions = list(GRAPH_BATTLE.legal_actions(before.state, seat))
        outcome = table.act(seat, actions[number * 7 % len(actions)], at=table.now + 70)
        update = only(outcome.sent(ALICE), wire.Update)
        after = table.room.match
        assert (update.clock is not None) == (after.turn != before.turn)
        assert update.clock in (None, clock_of(after))
        turns += after.turn != before.turn
    assert 5 < turns < 35


def test_a_private_stream_has_sums_of_its_own() -> None:
    table = Table.playing(SEALED_BIDS, options={"peeks": 2})
    first = only(table.messages(ALICE), wire.Private)
    assert first.sum == checksum(table.room.match.state.secrets[ALICE])
    assert only(table.act(ALICE, Peek()).sent(ALICE), wire.Private).sum is None


def test_a_turn_that_the_view_does_not_show_makes_an_update_all_the_same() -> None:
    class Blank(SealedBids):
        def public(self, state: State) -> View:
            return {}

        def apply(self, state: State, seat: int, action: Action) -> Step:
            return Step(super().apply(state, seat, action).state)

    table = Table.playing(Blank(), options={"rounds": 2})
    table.act(ALICE, bid(table, ALICE))
    update = only(table.act(BOB, bid(table, BOB), at=700).sent(ALICE), wire.Update)
    assert update.clock == wire.Clock(700, 2, 10_700)
    assert (update.patch, update.events) == ([], ())


def test_a_step_that_changes_nothing_makes_no_frame_even_if_the_view_is_made_anew() -> None:
    class Copies(SealedBids):
        def private(self, state: State, seat: int) -> View | None:
            return {"hand": list(state.secrets[seat].hand)}

    table = Table.playing(Copies(), 3)
    outcome = table.act(ALICE, Peek())
    assert frames(outcome.sent(BOB)) == []


def test_a_viewer_who_comes_back_gets_exactly_what_it_missed() -> None:
    table = Table.playing(SEALED_BIDS)
    play_on(table, 3)
    viewer = Viewer()
    for payload in table.payloads[BOB]:
        viewer.receive(payload)
    table.clear()
    play_on(table, 4)
    kept = [data for data in table.payloads[BOB] if is_frame(data)]
    table.join(BOB, connection=60, position=viewer.position)
    assert [data for data in table.payloads[60] if is_frame(data)] == kept
    assert len(kept) == 4


def test_resuming_from_every_cut_gives_the_copy_of_a_newcomer() -> None:
    table = Table.playing(SEALED_BIDS, 3, options={"rounds": 8, "cards": 12, "peeks": 5})
    table.watch()
    play_on(table, 30)
    for connection, player in ((ALICE, ALICE), (BOB, BOB), (SPECTATOR, None)):
        stream = list(table.payloads[connection])
        fresh = _enter(table, Viewer(), player)
        for cut in range(len(stream) + 1):
            viewer = Viewer()
            for payload in stream[:cut]:
                viewer.receive(payload)
            _enter(table, viewer, player)
            assert viewer.shows == fresh.shows


def _enter(table: Table, viewer: Viewer, player: int | None) -> Viewer:
    connection = 900
    table.payloads[connection].clear()
    if player is None:
        table.watch(connection, viewer.position)
    else:
        table.join(player, connection=connection, position=viewer.position)
    table.detach(connection)
    for payload in table.payloads[connection]:
        viewer.receive(payload)
    return viewer


def test_a_viewer_who_missed_more_than_the_ring_holds_gets_a_snapshot() -> None:
    table = Table.playing(GRAPH_BATTLE, 5)
    number = 0
    while table.room.match.rev < RING + 20:
        [seat] = table.room.match.asked
        actions = list(GRAPH_BATTLE.legal_actions(table.room.match.state, seat))
        number += 1
        outcome = table.act(seat, actions[number * 7919 % len(actions)])
        p = only(outcome.sent(seat), wire.Verdict).p
    assert kinds(table.watch(position=wire.Position(1, p - RING, 0)).sent(SPECTATOR))[0] == "Resumed"
    assert kinds(table.watch(position=wire.Position(1, p - RING - 1, 0)).sent(SPECTATOR))[0] == "Joined"


def test_a_position_of_another_life_or_of_the_future_gets_a_snapshot() -> None:
    table = Table.playing(SEALED_BIDS)
    for position in (wire.Position(2, 1, 0), wire.Position(1, 2, 0)):
        assert kinds(table.watch(position=position).sent(SPECTATOR))[:2] == ["Joined", "Snapshot"]
    assert kinds(table.join(ALICE, position=wire.Position(1, 1, 9)).sent(ALICE))[:2] == ["Joined", "Snapshot"]


def test_hidden_steps_do_not_push_public_frames_out_of_the_ring() -> None:
    table = Table.playing(SEALED_BIDS, 4, options={"rounds": 10, "cards": 20, "peeks": 5})
    table.watch()
    for _ in range(9):
        for seat in range(4):
            if table.room.match.state.secrets[seat].peeks:
                table.act(seat, Peek())
            table.act(seat, bid(table, seat))
    assert table.room.match.rev > RING - 10
    assert kinds(table.watch(position=wire.Position(1, 1, 0)).sent(SPECTATOR))[0] == "Resumed"


def test_a_snapshot_for_spectators_is_made_once_for_each_public_number() -> None:
    table = Table.playing(SEALED_BIDS)
    table.watch(SPECTATOR)
    made = table.room.work.snapshots
    for connection in range(200, 210):
        table.watch(connection)
    table.act(ALICE, Peek())
    table.watch(300)
    assert table.room.work.snapshots == made
    table.act(ALICE, bid(table, ALICE))
    table.act(BOB, bid(table, BOB))
    table.watch(301)
    assert table.room.work.snapshots == made + 1


def test_a_snapshot_tells_the_time_of_the_last_public_change_and_then_what_time_it_is() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, Peek(), at=2_000)
    table.now = 3_000
    sent = table.watch().sent(SPECTATOR)
    assert only(sent, wire.Snapshot).clock == wire.Clock(0, 1, 10_000)
    assert only(sent, wire.Paused) == wire.Paused(table.room.number, 3_000, None)


def test_graph_battle_has_no_private_stream() -> None:
    table = Table.playing(GRAPH_BATTLE)
    table.act(ALICE, EndTurn())
    assert [message for message in table.messages(ALICE) if isinstance(message, wire.Private)] == []
    snapshot = only(table.join(ALICE, connection=50).sent(50), wire.Snapshot)
    assert (snapshot.q, snapshot.private) == (0, None)
