"""A rematch: one new room, in which the players of the last match find their seats."""

from collections.abc import Awaitable, Callable

from linked_nodes import come_back, let_pass, play, seat_two
from manual_time import ManualTime
from memory_links import Network
from small_node import FickleStore, LittleNode, NotedConnection, token_of
from stored_matches import opened, started, write_match
from wait_until import until

from warroom_games.log import RoomOptions
from warroom_protocol import codes
from warroom_protocol.messages import (
    Ended,
    Error,
    Joined,
    Moved,
    Notice,
    Offer,
    Offers,
    Prompt,
    Update,
    Watch,
    Welcome,
)
from warroom_server.counted_address import address_of

Neighbours = Callable[..., Awaitable[list[LittleNode]]]


async def finish_far(
    here: LittleNode, there: LittleNode
) -> tuple[int, NotedConnection, NotedConnection, NotedConnection]:
    """Return a match on *here* that is over and archived, its players on either node, and a spectator *there*."""
    room, ada, bob = await seat_two(here, there)
    eve = there.greet("Eve")
    there.say(eve, Watch(3, room))
    await until(lambda: bool(eve.of(Joined)))
    for node, player in ((here, ada), (there, bob)):
        node.say(player, Offer(50, room, "draw"))
    await until(lambda: all(viewer.of(Ended) for viewer in (ada, bob, eve)))
    await here.archiver.archived(room)
    return room, ada, bob, eve


async def test_a_player_who_comes_back_on_another_node_agrees_to_the_rematch_where_the_match_ended(
    neighbours: Neighbours,
) -> None:
    here, there, third = await neighbours("node-a", "node-b", "node-c")
    room, ada, bob, _ = await finish_far(here, there)
    there.dispatcher.closed(bob)
    back = await come_back(third, token_of(bob))
    assert isinstance(await third.join(back, room), Joined)
    assert room not in third.room_host, "it is shown by the node that has it, not from the replay"
    for node, player in ((here, ada), (third, back)):
        node.say(player, Offer(51, room, "rematch"))
    await until(lambda: all(player.of(Moved) for player in (ada, back)))


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
    hosted = node.room_host.get(moved.to)
    assert hosted is not None
    assert hosted.room.match.phase == "playing"
    old = node.hosted(room)
    assert old.room.match.opened.seed != hosted.room.match.opened.seed


async def test_a_rematch_counts_for_the_address_that_the_first_match_came_from(node: LittleNode) -> None:
    room, players = await finish(node)
    for player in players:
        node.say(player, Offer(51, room, "rematch"))
    await until(lambda: bool(players[0].of(Moved)))
    quota = node.quota
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
    neighbours: Neighbours,
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
    assert (moved.to in here.room_host, moved.to in there.room_host, moved.to in last.room_host) == (True, False, False)


async def test_whoever_waits_for_a_rematch_of_a_node_that_died_learns_of_it_by_coming_back(
    neighbours: Neighbours, store: FickleStore, network: Network, time: ManualTime
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob, eve = await finish_far(here, there)
    network.hold_from(b"moved")
    there.say(bob, Offer(51, room, "rematch"))
    await until(lambda: bool(ada.of(Offers)) and ada.of(Offers)[-1].offers == (("rematch", (1,)),))
    here.say(ada, Offer(51, room, "rematch"))
    await until(lambda: bool(ada.of(Moved)))
    await here.stop()
    await store.release(here.name)
    there.leased_nodes.update(await store.nodes())
    await there.take_over()
    await let_pass(time, 500)
    assert [notice.code for notice in bob.of(Notice)] == [codes.NOTICE_MOVED]
    assert [notice.code for notice in eve.of(Notice)] == [codes.NOTICE_MOVED]
    assert isinstance(await there.join(bob, room), Joined)
    assert bob.of(Moved)[-1:] == ada.of(Moved)
    joined = await there.join(bob, ada.of(Moved)[0].to)
    assert isinstance(joined, Joined)
    assert joined.about.follows == room


async def test_the_rematch_of_a_room_with_too_small_a_delay_has_the_least_one(
    node: LittleNode, store: FickleStore
) -> None:
    players = [node.greet("Ada"), node.greet("Bob")]
    ids = [player.of(Welcome)[0].player for player in players]
    old = opened(RoomOptions(seating="as_joined", watch="all", delay=0))
    room = await write_match(store, started(*ids), old)
    await node.take_over()
    for what in ("draw", "rematch"):
        for player in players:
            await node.join(player, room)
            node.say(player, Offer(50, room, what))
        await node.settle()
    await until(lambda: bool(players[0].of(Moved)))
    made = node.hosted(players[0].of(Moved)[0].to).room.match.opened
    assert (made.room_options.watch, made.room_options.delay) == ("all", 2)
