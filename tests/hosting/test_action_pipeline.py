"""The way of actions past the effects of rooms: what it leaves alone, and what still follows."""

from collections.abc import Sequence

import pytest
from manual_time import ManualTime
from sealed_bids import GAME
from small_node import FickleStore, LittleNode, verdict_of
from wait_until import until

from warroom_protocol.messages import Expired, Private, Prompt, Update, Verdict
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.ports.store import Append, AppendAnswer, Behind, Committed, Fenced

PEEK = {"type": "peek"}


class NotingStore(FickleStore):
    """A store that notes what is appended together, and can give a room away between two entries of a batch."""

    def __init__(self, time: ManualTime) -> None:
        super().__init__(time)
        self.batches: list[list[tuple[int, int]]] = []
        """Revisions and epochs of what was appended."""
        self.taken_from = 0
        """The revision before which another node takes the room."""

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer | Behind]:
        await self.require()
        answers: list[AppendAnswer | Behind] = []
        for append in batch:
            if append.rev == self.taken_from:
                self.go_back(append.room, "node-z", append.epoch + 1, append.rev - 1)
            answers += await super().append([append])
        self.batches.append([(append.rev, append.epoch) for append in batch])
        return answers


@pytest.fixture
def store(time: ManualTime) -> NotingStore:
    return NotingStore(time)


def heard_changes(node: LittleNode) -> list[HostedRoom]:
    """Return the rooms of all changes from now on."""
    heard: list[HostedRoom] = []
    node.events.changed.append(heard.append)
    return heard


async def test_an_action_within_a_turn_asks_nothing_of_the_parts_around_a_room(node: LittleNode) -> None:
    room, (ada, _) = await node.table()
    hosted, changes = node.hosted(room), heard_changes(node)
    timer = hosted.timer
    node.act(ada, room, 1, PEEK)
    await node.settle()
    assert verdict_of(ada, 1).code is None
    assert hosted.timer is timer
    assert changes == []


async def test_a_new_turn_sets_the_timer_of_the_room_anew(node: LittleNode, time: ManualTime) -> None:
    room, players = await node.table()
    hosted, changes = node.hosted(room), heard_changes(node)
    time.advance(1_000)
    before = hosted.wake_at
    for number, player in enumerate(players):
        node.act(player, room, number)
        await node.settle()
    assert hosted.room.match.turn == 2
    assert hosted.wake_at == time.now() + GAME.info.turn_ms + 1 != before
    assert changes != []


async def test_a_time_out_that_had_to_wait_for_an_append_is_not_forgotten(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    room, (ada, bob) = await node.table()
    store.is_away = True
    node.act(ada, room, 1, PEEK)
    time.advance(GAME.info.turn_ms + 5)
    store.is_away = False
    await until(lambda: bool(ada.of(Verdict)))
    await node.settle()
    assert not bob.of(Expired), "room time stood still"
    time.advance(GAME.info.turn_ms + 1)
    await node.settle()
    time.advance(0)
    await node.settle()
    assert bob.of(Expired)


async def test_actions_of_one_turn_of_the_loop_are_judged_one_after_the_other(node: LittleNode) -> None:
    room, (ada, bob) = await node.table()
    for number in (1, 2):
        node.act(ada, room, number, PEEK)
    node.act(bob, room, 3, PEEK)
    assert node.hosted(room).pending
    await node.settle()
    assert [verdict.id for verdict in ada.of(Verdict)] == [1, 2]
    assert verdict_of(ada, 1).code is None
    assert verdict_of(ada, 2).code == "act.stale", "the first peek was another decision"
    assert verdict_of(bob, 3).code is None
    assert len(ada.of(Prompt)) == 2
    assert len(ada.of(Update)) == len(bob.of(Update))
    assert node.counters.accepted == 2
    assert node.counters.refused == {"act.stale": 1}


class TestActionsThatGoToTheStoreTogether:
    async def test_are_one_batch_and_answered_in_order(self, node: LittleNode, store: NotingStore) -> None:
        room, players = await node.table(4)
        head = node.hosted(room).room.match.rev
        store.batches.clear()
        answered: list[int] = []
        for number, player in enumerate(players):
            node.act(player, room, number, PEEK)
        node.room_host.pipeline.committer.answered.append(lambda append, _: answered.append(append.rev))
        await node.settle()
        assert store.batches == [[(head + 1, 1)], [(head + 2, 1), (head + 3, 1), (head + 4, 1)]]
        assert answered == [head + 1, head + 2, head + 3, head + 4]
        assert [[verdict.id for verdict in player.of(Verdict)] for player in players] == [[0], [1], [2], [3]]
        assert node.counters.accepted == 4

    async def test_leave_the_room_waiting_until_the_last_of_them_is_answered(self, node: LittleNode) -> None:
        room, players = await node.table(4)
        hosted, changes = node.hosted(room), heard_changes(node)
        head = hosted.room.match.rev
        timer, left, waits = hosted.timer, list[list[int]](), list[bool]()

        def note(_: Append, __: AppendAnswer) -> None:
            left.append([append.rev - head for append in hosted.pending])
            waits.append(bool(hosted.pending))

        node.room_host.pipeline.committer.answered.append(note)
        for number, player in enumerate(players):
            node.act(player, room, number, PEEK)
        await node.settle()
        assert (left, waits) == ([[2, 3, 4], [3, 4], [4], []], [True, True, True, False])
        assert (hosted.timer, changes) == (timer, [])

    async def test_are_all_sent_again_in_order_under_another_epoch(self, node: LittleNode, store: NotingStore) -> None:
        room, players = await node.table(3)
        hosted, committer = node.hosted(room), node.room_host.pipeline.committer
        head = hosted.room.match.rev
        store.batches.clear()
        answers: list[tuple[int, int, AppendAnswer]] = []

        def note(append: Append, answer: AppendAnswer) -> None:
            answers.append((append.rev, append.epoch, answer))
            store.fails_to_append = len(answers) == 1

        committer.answered.append(note)
        for number, player in enumerate(players):
            node.act(player, room, number, PEEK)
        await until(lambda: committer.is_away(room))
        assert [(append.rev, append.epoch) for append in hosted.pending] == [(head + 2, 1), (head + 3, 1)]
        [epoch] = await store.claim([(room, node.name, 1)], node.name)
        assert epoch == 2
        node.room_host.pipeline.raise_epoch(hosted, epoch)
        assert hosted.epoch == 2
        assert [(append.rev, append.epoch) for append in hosted.pending] == [(head + 2, 2), (head + 3, 2)]
        store.fails_to_append = False
        await until(lambda: not hosted.pending)
        assert answers == [
            (head + 1, 1, Committed(head + 1)),
            (head + 2, 1, Fenced()),
            (head + 3, 1, Fenced()),
            (head + 2, 2, Committed(head + 2)),
            (head + 3, 2, Committed(head + 3)),
        ]
        assert store.batches[-1] == [(head + 2, 2), (head + 3, 2)]
        assert room in node.room_host
        assert [[(told.id, told.code) for told in player.of(Verdict)] for player in players] == [
            [(0, None)], [(1, None)], [(2, None)],
        ]  # fmt: skip

    async def test_nothing_is_sent_again_under_another_epoch_if_all_was_answered(
        self, node: LittleNode, store: NotingStore
    ) -> None:
        room, (ada, _) = await node.table()
        hosted = node.hosted(room)
        store.batches.clear()
        assert await store.claim([(room, node.name, 1)], node.name) == [2]
        node.room_host.pipeline.raise_epoch(hosted, 2)
        await node.settle()
        assert store.batches == []
        node.act(ada, room, 1, PEEK)
        await node.settle()
        assert store.batches == [[(hosted.room.match.rev, 2)]]
        assert verdict_of(ada, 1).code is None

    @pytest.mark.parametrize("place", [1, 2, 3])
    async def test_are_not_shown_from_the_one_on_that_is_fenced(
        self, node: LittleNode, store: NotingStore, place: int
    ) -> None:
        room, players = await node.table(4)
        hosted = node.hosted(room)
        shown = [len(player.of(Private)) for player in players]
        store.taken_from = hosted.room.match.rev + 1 + place
        for number, player in enumerate(players):
            node.act(player, room, number, PEEK)
        await node.settle()
        assert room not in node.room_host
        accepted = [[(told.id, told.code) for told in player.of(Verdict)] for player in players]
        assert accepted == [[(seat, None)] if seat < place else [] for seat in range(4)]
        now_shown = [len(player.of(Private)) for player in players]
        assert now_shown == [count + (seat < place) for seat, count in enumerate(shown)]

    async def test_hold_the_clock_until_the_last_of_them_is_committed(
        self, node: LittleNode, store: NotingStore, time: ManualTime
    ) -> None:
        room, players = await node.table(3)
        hosted, stirred = node.hosted(room), list[HostedRoom]()
        node.room_host.pipeline.stirred.append(lambda stirring, _: stirred.append(stirring))
        store.is_away = True
        for number, player in enumerate(players):
            node.act(player, room, number, PEEK)
        time.advance(GAME.info.turn_ms + 5)
        store.is_away = False
        await until(lambda: all(player.of(Verdict) for player in players))
        await node.settle()
        assert not any(player.of(Expired) for player in players)
        assert stirred == [hosted], "it is asked for its moments once"
        assert hosted.wake_at == time.now() + GAME.info.turn_ms + 1
        time.advance(GAME.info.turn_ms + 1)
        await node.settle()
        time.advance(0)
        await node.settle()
        assert all(player.of(Expired) for player in players)
