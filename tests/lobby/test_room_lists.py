"""Listings: made once in a while, however many ask."""

import asyncio
from collections.abc import Collection, Sequence

import msgspec
import pytest
from manual_time import ManualTime
from small_node import FickleStore, LittleNode, NotedConnection

from warroom_protocol import codes
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import Create, Created, Error, Leave, Listed, Older, RoomList, RoomListing, Rooms
from warroom_protocol.rooms import room_code
from warroom_server.adapters.memory.listings import MemoryListings
from warroom_server.lobby.room_lists import KEPT, KEPT_MS, LISTED, LiveRoomLists, RoomLists, Wanted, lists_of
from warroom_server.ports.listings import ListedRoom
from warroom_server.ports.store import UnavailableError

GAMES = ("chess", "go")
OWNER = "node-a"


def listed(number: int, game: str = "chess") -> RoomListing:
    return RoomListing(
        room=number, code=room_code(number), game=game, phase="lobby", seats=2, taken=0, watching=0, turn_ms=1_000
    )


class Provider(MemoryListings):
    """Rooms of one node, and what was asked of them."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Sequence[str]] = []
        self.failure: Exception | None = None
        """What the next questions raise."""

    async def find(
        self, lists: Sequence[str], *, before: int | None, owners: Collection[str], limit: int
    ) -> list[bytes] | None:
        self.asked.append(lists)
        await asyncio.sleep(0)
        if self.failure is not None:
            raise self.failure
        return await super().find(lists, before=before, owners=owners, limit=limit)


@pytest.fixture
async def provider() -> Provider:
    """Return what knows the rooms."""
    made = Provider()
    listings = [listed(number, GAMES[number % 2]) for number in range(300)]
    rooms = [ListedRoom(room.room, 1, room.room, lists_of(room), msgspec.msgpack.encode(room)) for room in listings]
    await made.publish(OWNER, rooms, ())
    return made


def room_lists(provider: Provider, time: ManualTime) -> RoomLists:
    return RoomLists(provider, nodes=lambda: {OWNER}, games=GAMES, clock=time)


async def test_a_burst_of_requests_asks_the_directory_once(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    answers = await asyncio.gather(*(lists.get(Wanted()) for _ in range(180)))
    assert len({answer.message(9) for answer in answers}) == 1
    assert len(provider.asked) == 1
    assert answers[0].json is (await lists.get(Wanted())).json


async def test_a_failure_is_told_to_all_who_asked_and_kept_for_nobody(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    provider.failure = UnavailableError("away")
    failures = await asyncio.gather(*(lists.get(Wanted()) for _ in range(3)), return_exceptions=True)
    provider.failure = None
    assert [type(failure) for failure in failures] == [UnavailableError] * 3
    assert len((await lists.get(Wanted())).rooms) == LISTED


async def test_the_newest_rooms_are_listed_and_the_others_page_by_page(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    pages: list[int] = []
    while page := await lists.find(Wanted("go", before=pages[-1] if pages else None)):
        if not page.rooms:
            break
        pages += [room.room for room in page.rooms]
    assert pages == list(range(299, 0, -2))
    assert len((await lists.get(Wanted())).rooms) == LISTED


async def test_the_answer_is_what_the_wire_has(provider: Provider, time: ManualTime) -> None:
    listing = await room_lists(provider, time).get(Wanted("go"))
    for ref in (0, 200, 2**53 - 1):
        assert listing.message(ref) == encode(RoomList(ref, listing.rooms))
    assert decode_server(listing.message(7)) == RoomList(7, listing.rooms)


async def test_a_listing_is_made_anew_when_it_is_old(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    before = await lists.get(Wanted())
    time.advance(KEPT_MS - 1)
    assert await lists.get(Wanted()) is before
    await provider.publish(OWNER, (), range(300))
    time.advance(1)
    assert (await lists.get(Wanted())).rooms == ()


async def test_names_that_are_no_games_cost_nothing(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    answers = [await lists.get(Wanted(f"game {number}")) for number in range(100)]
    assert {answer.message(1) for answer in answers} == {encode(RoomList(1, ()))}
    assert (await lists.get(Wanted("x"))).json == b"[]\n"
    assert provider.asked == []


async def test_no_more_listings_are_kept_than_may(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    for number in range(KEPT + 1):
        await lists.get(Wanted(player=f"player {number}"))
    await lists.get(Wanted(player=f"player {KEPT}"))
    assert len(provider.asked) == KEPT + 1
    await lists.get(Wanted(player="player 0"))
    assert len(provider.asked) == KEPT + 2


async def test_listings_of_players_push_out_none_that_all_ask_for(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    plain = await lists.get(Wanted())
    for number in range(2 * KEPT):
        await lists.get(Wanted(player=f"player {number}"))
    assert await lists.get(Wanted()) is plain


async def test_lists_that_go_on_push_out_none_that_all_ask_for(provider: Provider, time: ManualTime) -> None:
    lists = room_lists(provider, time)
    plain = await lists.get(Wanted())
    for number in range(2 * KEPT):
        assert await lists.find(Wanted(before=number)) is not None
    assert await lists.get(Wanted()) is plain


async def test_a_list_goes_on_after_its_last_room(node: LittleNode, time: ManualTime) -> None:
    ada, viewer = node.greet("Ada"), node.greet("Sam")
    older = await node.create(ada, ref=1)
    time.advance(1)
    newer = await node.create(ada, ref=2)
    await pass_on(node)
    node.say(viewer, Older(3, newer))
    node.say(viewer, Older(4, newer, phase="playing"))
    node.say(viewer, Older(5, older))
    await node.settle()
    answers = [(answer.ref, [room.room for room in answer.rooms]) for answer in viewer.of(RoomList)]
    assert sorted(answers) == [(3, [older]), (4, []), (5, [])]


@pytest.mark.parametrize("is_private", [False, True])
async def test_nothing_follows_a_room_that_is_in_no_list(node: LittleNode, is_private: bool) -> None:
    viewer = node.greet()
    unknown = 99
    if is_private:
        node.say(viewer, Create(5, "sealed_bids", 2, {}, {"private": True}))
        await node.settle()
        unknown = viewer.of(Created)[0].room
    node.say(viewer, Older(3, unknown))
    await node.settle()
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


async def pass_on(node: LittleNode) -> None:
    """Let changes be published, and then be told."""
    for _ in range(2):
        await node.settle()
        node.time.advance(KEPT_MS)
    await node.settle()


async def test_changes_are_told_until_the_next_request(node: LittleNode) -> None:
    ada, viewer = node.greet("Ada"), node.greet("Sam")
    node.say(viewer, Rooms(3, live=True))
    await node.settle()
    room = await node.create(ada)
    assert rooms_of(viewer) == {}
    await pass_on(node)
    assert rooms_of(viewer)[room].taken == 0
    await node.join(ada, room)
    await pass_on(node)
    assert [player.name for player in rooms_of(viewer)[room].players] == ["Ada"]
    quiet = len(viewer.frames)
    await pass_on(node)
    assert len(viewer.frames) == quiet, "nothing changed"
    node.say(viewer, Older(5, room))
    await node.join(node.greet("Bob"), room)
    await pass_on(node)
    assert [room.taken for room in viewer.of(Listed)[-1].rooms] == [2], "who reads on is told of changes as before"
    quiet = len(viewer.frames)
    node.say(viewer, Rooms(4))
    node.say(ada, Leave(9, room))
    await pass_on(node)
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
    node: LittleNode, wanted: Rooms, has_lobby: bool, has_match: bool
) -> None:
    early, late = node.greet(), node.greet()
    node.say(early, wanted)
    match, _ = await node.table()
    lobby = await node.create(node.greet(), ref=99)
    await pass_on(node)
    node.say(late, wanted)
    await node.settle()
    expected = {room for room, is_there in ((lobby, has_lobby), (match, has_match)) if is_there}
    assert rooms_of(early).keys() == rooms_of(late).keys() == expected


async def test_a_player_can_be_followed_from_match_to_match(node: LittleNode) -> None:
    room, players = await node.table()
    await pass_on(node)
    ada = node.hosted(room).room.match.sitter_at(0).player
    viewer = node.greet("Sam")
    node.say(viewer, Rooms(3, player=ada, live=True))
    await node.settle()
    assert rooms_of(viewer).keys() == {room}
    await node.create(players[1], ref=98)
    following = await node.create(players[0], ref=99)
    await node.join(players[0], following)
    await pass_on(node)
    assert rooms_of(viewer).keys() == {room, following}


async def test_private_rooms_are_in_no_list(node: LittleNode) -> None:
    ada = node.greet()
    node.say(ada, Create(5, "sealed_bids", 2, {}, {"private": True}))
    await node.settle()
    (created,) = ada.of(Created)
    assert created.key is not None
    assert created.code.endswith(created.key)
    await node.join(ada, created.room)
    await pass_on(node)
    node.say(ada, Rooms(3))
    await node.settle()
    assert rooms_of(ada) == {}
    assert ada.of(RoomList) == [RoomList(3, ())]


async def test_whoever_reads_too_slowly_is_told_all_anew(node: LittleNode) -> None:
    viewer = node.greet()
    node.say(viewer, Rooms(3, live=True))
    await node.settle()
    viewer.is_congested = True
    room = await node.create(node.greet())
    await pass_on(node)
    assert len(viewer.of(RoomList)) == 1
    viewer.is_congested = False
    await pass_on(node)
    assert [listing.ref for listing in viewer.of(RoomList)] == [3, 3]
    assert rooms_of(viewer).keys() == {room}


async def test_who_has_gone_costs_nothing_more(node: LittleNode) -> None:
    viewer = node.greet()
    node.say(viewer, Rooms(3, live=True))
    await node.settle()
    node.dispatcher.closed(viewer)
    await pass_on(node)
    before = len(viewer.frames)
    await node.create(node.greet())
    await pass_on(node)
    assert len(viewer.frames) == before


async def test_of_two_requests_that_wait_the_later_one_decides_what_is_told(
    node: LittleNode, store: FickleStore
) -> None:
    viewer, other = node.greet(), node.greet()
    for each, requests in ((viewer, (Rooms(3, live=True), Rooms(4))), (other, (Rooms(3), Rooms(4, live=True)))):
        for request in requests:
            node.say(each, request)
    await node.settle()
    await node.create(node.greet())
    await pass_on(node)
    assert [{answer.ref for answer in each.of(RoomList)} for each in (viewer, other)] == [{3, 4}] * 2
    assert [len(each.of(Listed)) for each in (viewer, other)] == [0, 1]


async def test_a_store_that_is_away_is_told_and_asked_again_for_live_lists(
    node: LittleNode, store: FickleStore
) -> None:
    early, late, once = node.greet(), node.greet(), node.greet()
    node.say(early, Rooms(3, live=True))
    await node.settle()
    store.is_away = True
    await pass_on(node)
    node.say(late, Rooms(4, "sealed_bids", live=True))
    node.say(once, Rooms(5))
    await pass_on(node)
    assert not late.of(RoomList)
    assert not late.of(Error)
    assert [(error.ref, error.code) for error in once.of(Error)] == [(5, codes.STORE_UNAVAILABLE)]
    store.is_away = False
    room = await node.create(node.greet())
    await pass_on(node)
    await pass_on(node)
    assert rooms_of(early).keys() == rooms_of(late).keys() == {room}
    assert late.of(RoomList)[0].ref == 4


async def test_a_bug_in_one_filter_ends_no_live_list(
    time: ManualTime, node: LittleNode, provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    live = LiveRoomLists(room_lists(provider, time), connections=node.connections, timers=time)
    viewer = node.greet()
    live.ask(Rooms(3, live=True), viewer.id)
    await node.settle()
    provider.failure = ZeroDivisionError("a bug")
    time.advance(KEPT_MS)
    await node.settle()
    assert "a bug" in caplog.text
    provider.failure = None
    await provider.publish(OWNER, (), [299])
    time.advance(KEPT_MS)
    await node.settle()
    assert len(viewer.of(Listed)) == 1
