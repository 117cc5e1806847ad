"""Rooms whose spectators are behind: what a node does with them tells nobody more than spectators know."""

from collections.abc import Awaitable, Callable

from manual_time import ManualTime
from small_node import LittleNode, NotedConnection
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import Create, Created, Error, Joined, Moved, Offer, Replay, ReplayPart, Watch, Welcome
from warroom_server.hosting.expiry import LINGER_MS
from warroom_server.room.delayed_view import TAIL_MS

NewNode = Callable[..., Awaitable[LittleNode]]
TURN_MS = 600_000
DELAY = 2


async def create(node: LittleNode, creator: NotedConnection, ref: int = 1) -> int:
    """Return a room whose spectators are behind."""
    options = {"seating": "as_joined", "delay": DELAY, "turn_ms": TURN_MS}
    node.say(creator, Create(ref, "sealed_bids", 2, {}, options))
    await until(lambda: any(created.ref == ref for created in creator.of(Created)))
    return creator.of(Created)[-1].room


async def finish(node: LittleNode, room: int) -> list[NotedConnection]:
    """Let two people play a match that ends in a draw while somebody watches; return them."""
    node.say(node.greet("Eve"), Watch(3, room))
    players = await end(node, room)
    assert not is_over(node, room)
    return players


async def end(node: LittleNode, room: int) -> list[NotedConnection]:
    """Let two people play a match that ends in a draw; return them."""
    players = [node.greet(name) for name in ("Bob", "Cai")]
    for player in players:
        assert isinstance(await node.join(player, room), Joined)
    await node.settle()
    for player in players:
        node.say(player, Offer(50, room, "draw"))
    await node.settle()
    return players


async def show_the_end(node: LittleNode, time: ManualTime) -> None:
    """Let so much time pass that spectators have seen the end."""
    time.advance(TAIL_MS)
    await node.settle()


def is_over(node: LittleNode, room: int) -> bool:
    """Whether a match that has ended is over for spectators, too."""
    hosted = node.hosted(room)
    assert hosted.room.is_over
    return hosted.room.is_publicly_over


async def test_a_room_counts_for_its_creator_until_spectators_know_that_it_is_over(
    new_node: NewNode, time: ManualTime
) -> None:
    node = await new_node(rooms_per_player=1)
    ada = node.greet("Ada")
    room = await create(node, ada)
    await finish(node, room)
    node.say(ada, Create(2, "sealed_bids"))
    await node.settle()
    assert [(error.ref, error.code) for error in ada.of(Error)] == [(2, codes.ROOM_LIMIT)]
    await show_the_end(node, time)
    assert is_over(node, room)
    assert await create(node, ada, ref=3) in node.room_host


async def test_a_room_can_be_looked_at_for_a_while_after_the_end_that_spectators_saw(
    node: LittleNode, time: ManualTime
) -> None:
    room = await create(node, node.greet())
    await finish(node, room)
    node.expiry.sweep()
    await show_the_end(node, time)
    assert is_over(node, room)
    node.expiry.sweep()
    time.advance(LINGER_MS - 1)
    node.expiry.sweep()
    assert room in node.room_host
    time.advance(1)
    node.expiry.sweep()
    assert room not in node.room_host


async def agree(node: LittleNode, room: int, players: list[NotedConnection]) -> int:
    """Return the room of the rematch, in which nobody sits yet."""
    for player in players:
        node.say(player, Offer(51, room, "rematch"))
    await until(lambda: bool(players[0].of(Moved)))
    return players[0].of(Moved)[0].to


async def rematch(node: LittleNode, room: int, players: list[NotedConnection]) -> int:
    """Return the room of the rematch, in which the players sit."""
    again = await agree(node, room, players)
    for player in players:
        joined = await node.join(player, again)
        assert isinstance(joined, Joined)
        assert joined.about.follows == room
    await node.settle()
    return again


async def listed(node: LittleNode, player: str | None = None) -> set[int]:
    """Return the rooms that anybody finds."""
    return set(await node.listed(player=player))


async def test_the_replay_of_a_match_that_has_ended_is_refused_as_that_of_one_that_goes_on(
    node: LittleNode, time: ManualTime
) -> None:
    ended, running = await create(node, node.greet()), await create(node, node.greet(), ref=2)
    await finish(node, ended)
    for player in (node.greet("Dee"), node.greet("Eli")):
        assert isinstance(await node.join(player, running), Joined)
    answers = [await replay_of(node, room) for room in (ended, running)]
    assert answers == [Error(1, codes.REPLAY_RUNNING, codes.REFUSALS[codes.REPLAY_RUNNING])] * 2
    await show_the_end(node, time)
    assert is_over(node, ended)
    await node.archiver.archived(ended)
    assert isinstance(await replay_of(node, ended), ReplayPart)


async def test_the_replay_is_kept_within_seconds_though_all_players_left(node: LittleNode, time: ManualTime) -> None:
    room = await create(node, node.greet())
    for player in await finish(node, room):
        node.dispatcher.closed(player)
    await node.settle()
    time.advance(TAIL_MS - 1)
    assert await replay_of(node, room) == Error(1, codes.REPLAY_RUNNING, codes.REFUSALS[codes.REPLAY_RUNNING])
    time.advance(1)
    await node.settle()
    await node.archiver.archived(room)
    assert isinstance(await replay_of(node, room), ReplayPart)
    assert TAIL_MS <= 10_000


async def test_the_replay_is_kept_at_once_where_nobody_watches(node: LittleNode) -> None:
    room = await create(node, node.greet())
    for player in await end(node, room):
        node.dispatcher.closed(player)
    await node.settle()
    await node.archiver.archived(room)
    assert isinstance(await replay_of(node, room), ReplayPart)


async def replay_of(node: LittleNode, room: int) -> object:
    """Return what a stranger is told who wants to see the match as the public did."""
    stranger = node.greet("Sam")
    node.say(stranger, Replay(1, room, "public"))
    await until(lambda: bool(stranger.of(Error) or stranger.of(ReplayPart)))
    return stranger.messages[-1]


async def test_a_rematch_is_listed_when_spectators_know_that_there_is_one(node: LittleNode, time: ManualTime) -> None:
    room = await create(node, node.greet())
    players = await finish(node, room)
    again = await rematch(node, room, players)
    bob = players[0].of(Welcome)[0].player
    assert await listed(node) == await listed(node, player=bob) == {room}
    await show_the_end(node, time)
    assert is_over(node, room)
    assert await listed(node) == await listed(node, player=bob) == {again}


async def test_a_rematch_in_which_nothing_happens_is_listed_all_the_same(node: LittleNode, time: ManualTime) -> None:
    room = await create(node, node.greet())
    again = await agree(node, room, await finish(node, room))
    assert await listed(node) == {room}
    await show_the_end(node, time)
    assert await listed(node) == {again}


async def test_a_rematch_is_listed_when_the_room_before_is_gone(node: LittleNode) -> None:
    room = await create(node, node.greet())
    again = await rematch(node, room, await finish(node, room))
    hosted = node.hosted(room)
    node.room_host.remove(hosted)
    assert await listed(node) == {again}


async def test_a_spectator_of_a_rematch_is_not_told_of_the_match_before(node: LittleNode) -> None:
    room = await create(node, node.greet())
    again = await rematch(node, room, await finish(node, room))
    sam = node.greet("Sam")
    node.say(sam, Watch(3, again))
    await node.settle()
    assert sam.of(Joined)[0].about.follows is None
