"""The order of the rooms: kept up to date, so that a list looks at the rooms that it shows and at no others."""

import gc
import weakref
from typing import Any

import pytest
from manual_time import ManualTime
from msgspec.structs import replace
from small_node import LittleNode

from warroom_games.match import Match
from warroom_protocol.messages import Leave, Watch, Welcome
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.lobby.room_index import LISTED, RoomIndex
from warroom_server.lobby.room_lists import Wanted
from warroom_server.room.room import Room


def numbers(node: LittleNode, **wanted: Any) -> list[int]:
    found = node.room_index.find(Wanted(**wanted))
    assert found is not None
    return [room.room for room in found]


async def many_rooms(node: LittleNode, count: int) -> tuple[RoomIndex, dict[int, HostedRoom]]:
    """Return a survey of so many rooms, each two of them opened at the same moment."""
    model = node.room_host.get(await node.create(node.greet()))
    assert model is not None
    game, opened, here = model.room.game, model.room.match.opened, dict[int, HostedRoom]()
    room_index = RoomIndex(here.get)
    for number in range(count):
        match = Match.open(replace(opened, room=number, opened_ms=number // 2), game)
        here[number] = HostedRoom(Room(game, match, now=0), 1)
        room_index.note(here[number])
    return room_index, here


def read_on(room_index: RoomIndex, wanted: Wanted) -> list[int]:
    """Return all rooms that are wanted, page by page."""
    listed: list[int] = []
    while page := room_index.find(replace(wanted, before=listed[-1]) if listed else wanted):
        listed += [room.room for room in page]
    return listed


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(phase="lobby"), Wanted("sealed_bids", is_open=True)])
async def test_page_after_page_every_room_is_listed_once(node: LittleNode, wanted: Wanted) -> None:
    count = 2 * LISTED + 3
    room_index, _ = await many_rooms(node, count)
    assert read_on(room_index, wanted) == list(reversed(range(count)))


async def test_a_list_goes_on_after_a_room_that_left_it_and_is_not_forgotten_yet(
    node: LittleNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.lobby.room_index.REMEMBERED", 2)
    room_index, here = await many_rooms(node, 9)
    for number in (7, 6, 5):
        del here[number]
        room_index.forget(number)
    assert room_index.find(Wanted(before=7)) is None
    assert room_index.find(Wanted(before=99)) is None
    for last in (6, 5):
        found = room_index.find(Wanted(before=last))
        assert found is not None
        assert [room.room for room in found] == [4, 3, 2, 1, 0]


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param(Wanted(), id="all"),
        pytest.param(Wanted(phase="lobby"), id="by phase"),
        pytest.param(Wanted(is_open=True), id="with a free seat"),
        pytest.param(Wanted(phase="playing"), id="none"),
    ],
)
async def test_a_list_looks_only_at_the_rooms_that_it_shows(node: LittleNode, wanted: Wanted) -> None:
    asked: list[int] = []

    def get(number: int) -> HostedRoom | None:
        asked.append(number)
        return here[number]

    room_index = RoomIndex(get)
    model = node.room_host.get(await node.create(node.greet()))
    assert model is not None
    game, opened, here = model.room.game, model.room.match.opened, dict[int, HostedRoom]()
    for number in range(5 * LISTED):
        match = Match.open(replace(opened, room=number), game)
        here[number] = HostedRoom(Room(game, match, now=0), 1)
        room_index.note(here[number])
    found = room_index.find(wanted)
    assert found is not None
    assert [room.room for room in found] == asked
    assert len(asked) == (0 if wanted.phase == "playing" else LISTED)


async def test_rooms_are_found_by_what_they_are_now(node: LittleNode, time: ManualTime) -> None:
    ada, bob = node.greet("Ada"), node.greet("Bob")
    older = await node.create(ada, ref=1)
    time.advance(1)
    newer = await node.create(ada, ref=2)
    assert numbers(node) == numbers(node, is_open=True) == [newer, older]
    for player in (ada, bob):
        await node.join(player, newer)
    await node.settle()
    assert (numbers(node, is_open=True), numbers(node, phase="playing")) == ([older], [newer])
    await node.join(ada, older)
    who = ada.of(Welcome)[0].player
    assert numbers(node, player=who) == [newer, older]
    assert numbers(node, player=who, before=newer) == numbers(node, is_open=True, before=newer) == [older]
    assert numbers(node, player=who, phase="lobby") == [older]
    node.say(ada, Leave(9, older))
    await node.settle()
    assert numbers(node, player=who) == [newer]


async def test_a_room_that_is_gone_is_not_kept_in_mind(node: LittleNode) -> None:
    ada = node.greet()
    number = await node.create(ada)
    await node.join(ada, number)
    assert numbers(node, player=ada.of(Welcome)[0].player) == numbers(node) == [number]
    hosted = node.hosted(number)
    room = weakref.ref(hosted.room)
    node.room_host.remove(hosted)
    del hosted
    gc.collect()
    assert (room(), numbers(node), len(node.room_index)) == (None, [], 0)


async def test_a_room_that_did_not_change_is_shown_as_it_was(node: LittleNode) -> None:
    ada, sam = node.greet(), node.greet()
    hosted = node.room_host.get(await node.create(ada))
    assert hosted is not None
    before = hosted.room.listing()
    assert hosted.room.listing() is before
    node.say(sam, Watch(4, hosted.room.number))
    await node.settle()
    assert (before.watching, hosted.room.listing().watching) == (0, 1)
    await node.join(ada, hosted.room.number)
    assert (before.taken, hosted.room.listing().taken) == (0, 1)
