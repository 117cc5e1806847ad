"""The order of the rooms: kept up to date, so that a list looks at the rooms that it shows and at no others."""

import gc
import weakref

import pytest
from little_node import LittleNode
from manual_time import ManualTime
from msgspec.structs import replace

from warroom_games.match import Match
from warroom_protocol.messages import Leave, Watch, Welcome
from warroom_server.rooms.room import Room
from warroom_server.runtime.driver import Hosted
from warroom_server.runtime.listing import Wanted
from warroom_server.runtime.survey import LISTED, Survey


def numbers(node: LittleNode, **wanted: object) -> list[int]:
    return [room.room for room in node.directory.survey.find(Wanted(**wanted))]  # type: ignore[arg-type]


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

    def get(number: int) -> Hosted | None:
        asked.append(number)
        return here[number]

    survey = Survey(get)
    model = node.driver.get(await node.create(node.greet()))
    assert model is not None
    game, opened, here = model.room.game, model.room.match.opened, dict[int, Hosted]()
    for number in range(5 * LISTED):
        match = Match.open(replace(opened, room=number), game)
        here[number] = Hosted(Room(game, match, now=0), 1)
        survey.note(here[number])
    found = survey.find(wanted)
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
    assert numbers(node, player=who, phase="lobby") == [older]
    node.say(ada, Leave(9, older))
    await node.settle()
    assert numbers(node, player=who) == [newer]


async def test_a_room_that_is_gone_is_not_kept_in_mind(node: LittleNode) -> None:
    ada = node.greet()
    number = await node.create(ada)
    await node.join(ada, number)
    assert numbers(node, player=ada.of(Welcome)[0].player) == numbers(node) == [number]
    hosted = node.driver.get(number)
    assert hosted is not None
    room = weakref.ref(hosted.room)
    node.driver.remove(hosted)
    del hosted
    gc.collect()
    assert (room(), numbers(node), len(node.directory.survey)) == (None, [], 0)


async def test_a_room_that_did_not_change_is_shown_as_it_was(node: LittleNode) -> None:
    ada, sam = node.greet(), node.greet()
    hosted = node.driver.get(await node.create(ada))
    assert hosted is not None
    before = hosted.room.listing()
    assert hosted.room.listing() is before
    node.say(sam, Watch(4, hosted.room.number))
    await node.settle()
    assert (before.watching, hosted.room.listing().watching) == (0, 1)
    await node.join(ada, hosted.room.number)
    assert (before.taken, hosted.room.listing().taken) == (0, 1)
