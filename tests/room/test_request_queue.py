"""The request queue: bounded, in order of arrival, fair."""

from warroom_server.room.commands import Act, Legal
from warroom_server.room.request_queue import PER_SEAT, WITHOUT_SEAT, Lane, RequestQueue, Waiting
from warroom_server.room.viewer_addresses import Local


def act(lane: Lane, action_id: int = 1, connection: int = 1) -> Waiting:
    return Waiting(Act(Local(connection), action_id, 1, b"", 0), lane, None, 0)


def test_what_came_first_goes_first() -> None:
    queue = RequestQueue()
    line = [act("alice", 1), act("bob", 2), act("alice", 3)]
    assert all(map(queue.offer, line))
    assert len(queue.requests()) == 3
    assert [queue.take(), queue.take(), queue.take(), queue.take()] == [*line, None]


def test_each_lane_has_room_of_its_own() -> None:
    queue = RequestQueue()
    assert [queue.offer(act("alice")) for _ in range(PER_SEAT + 1)] == [True] * PER_SEAT + [False]
    assert queue.offer(act("bob"))


def test_connections_without_a_seat_share_what_they_have() -> None:
    queue = RequestQueue()
    assert all(queue.offer(act(Local(connection))) for connection in range(WITHOUT_SEAT))
    assert not queue.offer(act(Local(1_000)))
    assert queue.offer(act("alice"))
    queue.take()
    assert queue.offer(act(Local(1_000)))


def test_a_lane_holds_what_was_not_taken() -> None:
    queue = RequestQueue()
    assert not queue.holds("alice")
    queue.offer(act("alice"))
    assert queue.holds("alice")
    queue.take()
    assert not queue.holds("alice")


def test_an_action_that_waits_is_answered_where_it_came_last() -> None:
    queue = RequestQueue()
    queue.offer(Waiting(Legal(Local(1), 5), "alice", None, 0))
    queue.offer(act("alice", 7, connection=1))
    assert not queue.readdress("bob", Act(Local(2), 7, 1, b"", 9))
    assert queue.readdress("alice", Act(Local(2), 7, 1, b"", 9))
    queue.take()
    assert queue.take() == act("alice", 7, connection=2)


def test_only_actions_outlive_their_connection() -> None:
    queue = RequestQueue()
    queue.offer(Waiting(Legal(Local(1), 5), Local(1), None, 0))
    queue.offer(act("alice", connection=1))
    queue.offer(Waiting(Legal(Local(2), 5), Local(2), None, 0))
    queue.forget(Local(1))
    assert not queue.holds(Local(1))
    assert [queue.take(), queue.take(), queue.take()] == [
        act("alice", connection=1),
        Waiting(Legal(Local(2), 5), Local(2), None, 0),
        None,
    ]
