"""The waiting line: bounded, in order of arrival, fair."""

from warroom_server.rooms.commands import Act, Legal
from warroom_server.rooms.inbox import PER_SEAT, WITHOUT_SEAT, Inbox, Lane, Waiting


def act(lane: Lane, action_id: int = 1, connection: int = 1) -> Waiting:
    return Waiting(Act(connection, action_id, 1, b"", 0), lane, None, 0)


def test_what_came_first_goes_first() -> None:
    inbox = Inbox()
    line = [act("alice", 1), act("bob", 2), act("alice", 3)]
    assert all(map(inbox.offer, line))
    assert len(inbox) == 3
    assert [inbox.take(), inbox.take(), inbox.take(), inbox.take()] == [*line, None]


def test_each_lane_has_room_of_its_own() -> None:
    inbox = Inbox()
    assert [inbox.offer(act("alice")) for _ in range(PER_SEAT + 1)] == [True] * PER_SEAT + [False]
    assert inbox.offer(act("bob"))


def test_connections_without_a_seat_share_what_they_have() -> None:
    inbox = Inbox()
    assert all(inbox.offer(act(connection)) for connection in range(WITHOUT_SEAT))
    assert not inbox.offer(act(1_000))
    assert inbox.offer(act("alice"))
    inbox.take()
    assert inbox.offer(act(1_000))


def test_a_lane_holds_what_was_not_taken() -> None:
    inbox = Inbox()
    assert not inbox.holds("alice")
    inbox.offer(act("alice"))
    assert inbox.holds("alice")
    inbox.take()
    assert not inbox.holds("alice")


def test_an_action_that_waits_is_answered_where_it_came_last() -> None:
    inbox = Inbox()
    inbox.offer(Waiting(Legal(1, 5), "alice", None, 0))
    inbox.offer(act("alice", 7, connection=1))
    assert not inbox.readdress("bob", Act(2, 7, 1, b"", 9))
    assert inbox.readdress("alice", Act(2, 7, 1, b"", 9))
    inbox.take()
    assert inbox.take() == act("alice", 7, connection=2)


def test_only_actions_outlive_their_connection() -> None:
    inbox = Inbox()
    inbox.offer(Waiting(Legal(1, 5), 1, None, 0))
    inbox.offer(act("alice", connection=1))
    inbox.offer(Waiting(Legal(2, 5), 2, None, 0))
    inbox.forget(1)
    assert not inbox.holds(1)
    assert [inbox.take(), inbox.take(), inbox.take()] == [
        act("alice", connection=1),
        Waiting(Legal(2, 5), 2, None, 0),
        None,
    ]
