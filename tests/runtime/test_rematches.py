"""A rematch: one new room, in which the players of the last match find their seats."""

from collections.abc import Awaitable, Callable

from little_node import FickleStore, LittleNode, NotedConnection
from neighbours import play, seat_two
from waiting import until

from warroom_protocol import codes
from warroom_protocol.messages import Ended, Error, Joined, Moved, Notice, Offer, Prompt, Update, Watch
from warroom_server.addresses import address_of


async def finish(node: LittleNode) -> tuple[int, list[NotedConnection]]:
    """Return a match that ended in a draw, and its players."""
    room, players = await node.table()
    for player in players:
        node.say(player, Offer(50, room, "draw"))
    await node.settle()
    return room, players


async def test_the_players_move_on_to_the_next_seat(node: LittleNode) -> None:
    room, players = await finish(node)
    viewer = node.greet("Sam")
    node.say(viewer, Watch(3, room))
    for player in players:
        node.say(player, Offer(51, room, "rematch"))
    await until(lambda: bool(viewer.of(Moved)))
    moved = viewer.of(Moved)[0]
    assert [player.of(Moved) for player in players] == [[moved], [moved]]
    assert (moved.room, moved.key) == (room, None)
    stranger = await node.join(node.greet("Eve"), moved.to)
    assert isinstance(stranger, Error)
    assert stranger.code == codes.ROOM_KEPT
    for player, seat in zip(players, (1, 0), strict=True):
        joined = await node.join(player, moved.to)
        assert isinstance(joined, Joined)
        assert (joined.seat, joined.about.follows) == (seat, room)
    await node.settle()
    hosted = node.driver.get(moved.to)
    assert hosted is not None
    assert hosted.room.match.phase == "playing"
    old = node.driver.get(room)
    assert old is not None
    assert old.room.match.opened.seed != hosted.room.match.opened.seed


async def test_a_rematch_counts_for_the_address_that_the_first_match_came_from(node: LittleNode) -> None:
    room, players = await finish(node)
    for player in players:
        node.say(player, Offer(51, room, "rematch"))
    await until(lambda: bool(players[0].of(Moved)))
    quota = node.directory.quota
    assert quota.address_of(players[0].of(Moved)[0].to) == quota.address_of(room) == address_of(players[0].peer) != ""


async def test_a_rematch_that_cannot_be_stored_is_told(node: LittleNode, store: FickleStore) -> None:
    room, players = await finish(node)
    store.is_away = True
    for player in players:
        node.say(player, Offer(51, room, "rematch"))
    await until(lambda: bool(players[0].of(Notice)))
    assert players[0].of(Notice)[0].code == codes.NOTICE_NO_REMATCH
    store.is_away = False
    for player in players:
        node.say(player, Offer(52, room, "rematch"))
    await until(lambda: bool(players[1].of(Moved)))


async def test_players_and_spectators_of_other_nodes_move_on_with_the_rest(
    neighbours: Callable[..., Awaitable[list[LittleNode]]],
) -> None:
    here, there, last = await neighbours("node-a", "node-b", "node-c")
    room, ada, bob = await seat_two(here, there)
    eve = last.greet("Eve")
    last.say(eve, Watch(3, room))
    await until(lambda: bool(eve.of(Joined)))
    places = ((here, ada), (there, bob))
    for kind in ("draw", "rematch"):
        for node, player in places:
            node.say(player, Offer(50, room, kind))
        await until(lambda kind=kind: all(player.of(Ended if kind == "draw" else Moved) for _, player in places))
    await until(lambda: bool(eve.of(Moved)))
    moved = eve.of(Moved)[0]
    assert [player.of(Moved) for player in (ada, bob)] == [[moved], [moved]]
    for (node, player), seat in zip(places, (1, 0), strict=True):
        joined = await node.join(player, moved.to)
        assert isinstance(joined, Joined)
        assert (joined.seat, joined.about.follows) == (seat, room)
    last.say(eve, Watch(4, moved.to))
    await until(lambda: len(eve.of(Joined)) == 2)
    for number, (node, player) in enumerate(places, start=1):
        await until(lambda player=player: player.of(Prompt)[-1].room == moved.to)
        assert (await play(node, player, moved.to, number)).code is None
    await until(lambda: any(update.room == moved.to for update in eve.of(Update)))
    assert (moved.to in here.driver, moved.to in there.driver, moved.to in last.driver) == (True, False, False)
