"""Who follows a room."""

from warroom_server.room.audience import Audience


def test_several_connections_hold_one_seat() -> None:
    audience = Audience()
    audience.seat((("alice",), ()))
    audience.attach(1, "alice")
    audience.attach(2, "alice")
    audience.attach(3, None)
    assert (audience.of_seat(0), audience.of_seat(1), audience.everyone()) == ((1, 2), (), (1, 2, 3))
    assert audience.watching == 1


def test_whoever_does_not_sit_looks_on() -> None:
    audience = Audience()
    audience.attach(1, "alice")
    assert (audience.watching, audience.has("alice"), audience.player_of(1)) == (1, True, "alice")


def test_a_connection_plays_one_part_at_a_time() -> None:
    audience = Audience()
    audience.seat((("alice",),))
    audience.attach(1, "alice")
    audience.attach(1, None)
    assert (audience.of_seat(0), audience.everyone(), audience.player_of(1)) == ((), (1,), None)


def test_detaching_tells_whether_anyone_was_there() -> None:
    audience = Audience()
    audience.attach(1, "alice")
    audience.attach(2, "alice")
    assert [audience.detach(1), audience.detach(1), audience.has("alice")] == [True, False, True]
    assert audience.detach(2)
    assert not audience.has("alice")
    assert 2 not in audience


def test_a_bot_that_stands_in_sees_what_its_seat_sees() -> None:
    audience = Audience()
    audience.seat((("alice", "robot"), ("bob",)))
    audience.attach(1, "alice")
    audience.attach(2, "robot")
    audience.attach(3, "bob")
    assert (audience.of_seat(0), audience.of_seat(1), audience.watching) == ((1, 2), (3,), 0)
