"""Listings: made once in a while, however many ask."""

import asyncio

import pytest
from manual_time import ManualTime
from msgspec.structs import replace
from small_node import LittleNode, NotedConnection

from warroom_protocol import codes
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import Create, Created, Error, Leave, Listed, Older, RoomList, RoomListing, Rooms
from warroom_protocol.rooms import room_code
from warroom_server.lobby.room_lists import KEPT, KEPT_MS, LiveRoomLists, RoomLists, Wanted

GAMES = ("chess", "go")


def listed(number: int, game: str = "chess") -> RoomListing:
    return RoomListing(
        room=number, code=room_code(number), game=game, phase="lobby", seats=2, taken=0, watching=0, turn_ms=1_000
    )


class Provider:
    """Thousands of rooms, and how often somebody went through them."""

    def __init__(self) -> None:
        self.rooms = [listed(number, GAMES[number % 2]) for number in range(5_000)]
        self.asked: list[str | None] = []

    def listing(self, wanted: Wanted) -> tuple[RoomListing, ...]:
        self.asked.append(wanted.game)
        return tuple(room for room in self.rooms if wanted.game in (None, room.game))[:100]


@pytest.fixture
def provider() -> Provider:
    """Return what knows the rooms."""
    return Provider()


def room_lists(provider: Provider, time: ManualTime) -> RoomLists:
    return RoomLists(provider.listing, games=GAMES, clock=time)


def test_a_burst_of_requests_goes_through_the_rooms_once(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    answers = {lists.get(Wanted()).message(9) for _ in range(180)}
    assert len(answers) == 1
    assert provider.asked == [None]
    assert lists.get(Wanted()).json is lists.get(Wanted()).json


def test_the_answer_is_what_the_wire_has(provider: Provider, time: ManualTime) -> None:
    listing = room_lists(provider, time).get(Wanted("go"))
    for ref in (0, 200, 2**53 - 1):
        assert listing.message(ref) == encode(RoomList(ref, listing.rooms))
    assert decode_server(listing.message(7)) == RoomList(7, listing.rooms)


def test_a_listing_is_made_anew_when_it_is_old(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    before = lists.get(Wanted())
    time.advance(KEPT_MS - 1)
    assert lists.get(Wanted()) is before
    provider.rooms.clear()
    time.advance(1)
    assert lists.get(Wanted()).rooms == ()


def test_names_that_are_no_games_cost_nothing(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    assert {lists.get(Wanted(f"game {number}")).message(1) for number in range(100)} == {encode(RoomList(1, ()))}
    assert lists.get(Wanted("x")).json == b"[]\n"
    assert provider.asked == []


def test_no_more_listings_are_kept_than_may(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    for number in range(KEPT + 1):
        lists.get(Wanted(player=f"player {number}"))
    lists.get(Wanted(player=f"player {KEPT}"))
    assert len(provider.asked) == KEPT + 1
    lists.get(Wanted(player="player 0"))
    assert len(provider.asked) == KEPT + 2


def test_listings_of_players_push_out_none_that_all_ask_for(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    plain = lists.get(Wanted())
    for number in range(2 * KEPT):
        lists.get(Wanted(player=f"player {number}"))
    assert lists.get(Wanted()) is plain


def test_lists_that_go_on_push_out_none_that_all_ask_for(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    plain = lists.get(Wanted())
    for number in range(2 * KEPT):
        assert lists.find(Wanted(before=number)) is not None
    assert lists.get(Wanted()) is plain


async def test_a_list_goes_on_after_its_last_room(node: LittleNode, time: ManualTime) -> None:
    ada, viewer = node.greet("Ada"), node.greet("Sam")
    older = await node.create(ada, ref=1)
    time.advance(1)
    newer = await node.create(ada, ref=2)
    node.say(viewer, Older(3, newer))
    node.say(viewer, Older(4, newer, phase="playing"))
    node.say(viewer, Older(5, older))
    answers = [(answer.ref, [room.room for room in answer.rooms]) for answer in viewer.of(RoomList)]
    assert answers == [(3, [older]), (4, []), (5, [])]


@pytest.mark.parametrize("is_private", [False, True])
async def test_nothing_follows_a_room_that_is_in_no_list(node: LittleNode, is_private: bool) -> None:
    viewer = node.greet()
    unknown = 99
    if is_private:
        node.say(viewer, Create(5, "sealed_bids", 2, {}, {"private": True}))
        await node.settle()
        unknown = viewer.of(Created)[0].room
    node.say(viewer, Older(3, unknown))
    assert [(error.ref, error.code) for error in viewer.of(Error)] == [(3, codes.ROOM_UNKNOWN)]


# --- what changes ---------------------------------------------------------------------------------------------


def rooms_of(connection: NotedConnection) -> dict[int, RoomListing]:
    """Return the rooms that a connection knows of, from what it was told."""
    known: dict[int, RoomListing] = {}
    for message in connection.messages:
        match message:
            case RoomList(rooms=rooms):
                known = {room.room: room for room in rooms}
            case Listed(rooms=rooms, gone=gone):
                known |= {room.room: room for room in rooms}
                for number in gone:
                    del known[number]
            case _:
                pass
    return known


async def test_changes_are_told_until_the_next_request(node: LittleNode, time: ManualTime) -> None:
    ada, viewer = node.greet("Ada"), node.greet("Sam")
    node.say(viewer, Rooms(3, live=True))
    room = await node.create(ada)
    assert rooms_of(viewer) == {}
    time.advance(KEPT_MS)
    assert rooms_of(viewer)[room].taken == 0
    await node.join(ada, room)
    time.advance(KEPT_MS)
    assert [player.name for player in rooms_of(viewer)[room].players] == ["Ada"]
    quiet = len(viewer.frames)
    time.advance(KEPT_MS)
    assert len(viewer.frames) == quiet, "nothing changed"
    node.say(viewer, Older(5, room))
    await node.join(node.greet("Bob"), room)
    time.advance(KEPT_MS)
    assert [room.taken for room in viewer.of(Listed)[-1].rooms] == [2], "who reads on is told of changes as before"
    quiet = len(viewer.frames)
    node.say(viewer, Rooms(4))
    node.say(ada, Leave(9, room))
    await node.settle()
    time.advance(KEPT_MS)
    assert len(viewer.frames) == quiet + 1


@pytest.mark.parametrize(
    ("wanted", "has_lobby", "has_match"),
    [
        pytest.param(Rooms(3, live=True), True, True, id="all"),
        pytest.param(Rooms(3, "sealed_bids", live=True), True, True, id="of one game"),
        pytest.param(Rooms(3, "graph_battle", live=True), False, False, id="of another game"),
        pytest.param(Rooms(3, phase="lobby", live=True), True, False, id="not begun"),
        pytest.param(Rooms(3, phase="playing", live=True), False, True, id="at play"),
        pytest.param(Rooms(3, open=True, live=True), True, False, id="with a free seat"),
        pytest.param(Rooms(3, player="nobody", live=True), False, False, id="of somebody who is not here"),
    ],
)
async def test_only_what_was_asked_for_is_told(
    node: LittleNode, time: ManualTime, wanted: Rooms, has_lobby: bool, has_match: bool
) -> None:
    early, late = node.greet(), node.greet()
    node.say(early, wanted)
    match, _ = await node.table()
    lobby = await node.create(node.greet(), ref=99)
    time.advance(KEPT_MS)
    node.say(late, wanted)
    expected = {room for room, is_there in ((lobby, has_lobby), (match, has_match)) if is_there}
    assert rooms_of(early).keys() == rooms_of(late).keys() == expected


async def test_a_player_can_be_followed_from_match_to_match(node: LittleNode, time: ManualTime) -> None:
    room, players = await node.table()
    hosted = node.hosted(room)
    ada = hosted.room.match.sitter_at(0).player
    viewer = node.greet("Sam")
    node.say(viewer, Rooms(3, player=ada, live=True))
    assert rooms_of(viewer).keys() == {room}
    await node.create(players[1], ref=98)
    following = await node.create(players[0], ref=99)
    await node.join(players[0], following)
    time.advance(2 * KEPT_MS)
    assert rooms_of(viewer).keys() == {room, following}


async def test_private_rooms_are_in_no_list(node: LittleNode) -> None:
    ada = node.greet()
    node.say(ada, Create(5, "sealed_bids", 2, {}, {"private": True}))
    await node.settle()
    (created,) = ada.of(Created)
    assert created.key is not None
    assert created.code.endswith(created.key)
    node.say(ada, Rooms(3))
    assert rooms_of(ada) == {}


async def test_whoever_reads_too_slowly_is_told_all_anew(node: LittleNode, time: ManualTime) -> None:
    viewer = node.greet()
    node.say(viewer, Rooms(3, live=True))
    viewer.is_congested = True
    room = await node.create(node.greet())
    time.advance(KEPT_MS)
    assert len(viewer.of(RoomList)) == 1
    viewer.is_congested = False
    time.advance(KEPT_MS)
    assert [listing.ref for listing in viewer.of(RoomList)] == [3, 3]
    assert rooms_of(viewer).keys() == {room}


async def test_who_has_gone_costs_nothing_more(node: LittleNode, time: ManualTime) -> None:
    viewer = node.greet()
    node.say(viewer, Rooms(3, live=True))
    node.dispatcher.closed(viewer)
    time.advance(2 * KEPT_MS)
    before = len(viewer.frames)
    await node.create(node.greet())
    time.advance(KEPT_MS)
    assert len(viewer.frames) == before


async def test_one_filter_is_looked_at_in_a_turn_of_the_loop(node: LittleNode, time: ManualTime) -> None:
    viewers = [node.greet() for _ in range(3)]
    for viewer, wanted in zip(viewers, (Rooms(3), Rooms(3, phase="lobby"), Rooms(3, open=True)), strict=True):
        node.say(viewer, replace(wanted, live=True))
    await node.create(node.greet())
    time.advance(KEPT_MS)
    told = []
    for _ in viewers:
        told.append(sum(bool(viewer.of(Listed)) for viewer in viewers))
        await asyncio.sleep(0)
    assert told == [1, 2, 3]


async def test_a_bug_in_one_filter_ends_no_live_list(time: ManualTime, node: LittleNode) -> None:
    is_broken = False

    def find(wanted: Wanted) -> tuple[RoomListing, ...]:
        if is_broken:
            raise ZeroDivisionError("a bug")
        return (listed(time.now()),)

    lists = RoomLists(find, games=GAMES, clock=time)
    live = LiveRoomLists(lists, connections=node.connections, clock=time, timers=time)
    viewer = node.greet()
    live.ask(Rooms(3, live=True), viewer.id)
    is_broken = True
    with pytest.raises(ZeroDivisionError):
        time.advance(KEPT_MS)
    is_broken = False
    time.advance(KEPT_MS)
    assert len(viewer.of(Listed)) == 1
