"""The viewers of a room."""

from warroom_games.seating import Sitter
from warroom_server.room.audience import Audience
from warroom_server.room.viewer_addresses import Local, Remote, RemoteSpectators

ONE, TWO, THREE = Local(1), Local(2), Local(3)


def sitter(player: str) -> Sitter:
    return Sitter(player, player, 1)


def test_several_connections_hold_one_seat() -> None:
    audience = Audience()
    audience.seat((sitter("alice"), None))
    audience.attach(ONE, "alice")
    audience.attach(TWO, "alice")
    audience.attach(THREE, None)
    assert (audience.of_seat(0), audience.of_seat(1), audience.everyone()) == ((ONE, TWO), (), (ONE, TWO, THREE))
    assert audience.watching == 1


def test_whoever_does_not_sit_looks_on() -> None:
    audience = Audience()
    audience.attach(ONE, "alice")
    assert (audience.watching, audience.has("alice"), audience.player_of(ONE)) == (1, True, "alice")


def test_a_connection_plays_one_part_at_a_time() -> None:
    audience = Audience()
    audience.seat((sitter("alice"),))
    audience.attach(ONE, "alice")
    audience.attach(ONE, None)
    assert (audience.of_seat(0), audience.everyone(), audience.player_of(ONE)) == ((), (ONE,), None)


def test_detaching_tells_whether_anyone_was_there() -> None:
    audience = Audience()
    audience.attach(ONE, "alice")
    audience.attach(TWO, "alice")
    assert [audience.detach(ONE), audience.detach(ONE), audience.has("alice")] == [True, False, True]
    assert audience.detach(TWO)
    assert not audience.has("alice")
    assert TWO not in audience


def test_a_bot_that_stands_in_sees_what_its_seat_sees() -> None:
    audience = Audience()
    audience.seat((sitter("alice"), sitter("bob")), (sitter("robot"), None))
    audience.attach(ONE, "alice")
    audience.attach(TWO, "robot")
    audience.attach(THREE, "bob")
    assert (audience.of_seat(0), audience.of_seat(1), audience.watching) == ((ONE, TWO), (THREE,), 0)


def test_spectators_of_another_node_are_one_destination_however_many_they_are() -> None:
    audience = Audience()
    audience.seat((sitter("alice"),))
    audience.attach(Remote("node-b", 1), "alice")
    for entry in range(2, 1_002):
        audience.attach(Remote("node-b", entry), None)
    assert audience.everyone() == (Remote("node-b", 1), RemoteSpectators("node-b"))
    assert audience.spectators() == (RemoteSpectators("node-b"),)
    assert (audience.watching, audience.by_node()) == (1_000, {"node-b": 1_001})


def test_a_spectator_that_is_singled_out_is_a_destination_of_its_own() -> None:
    audience = Audience()
    eve, dan = Remote("node-b", 1), Remote("node-b", 2)
    for viewer in (eve, dan):
        audience.attach(viewer, None)
    assert (audience.single_out(eve), audience.single_out(eve)) == (True, False)
    assert audience.everyone() == (eve, RemoteSpectators("node-b"))
    assert (audience.detach(dan), audience.everyone(), RemoteSpectators("node-b") in audience) == (True, (eve,), False)
