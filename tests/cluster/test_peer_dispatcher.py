"""What people expect of several nodes: the same lists, one room for who wants the same, bots from anywhere."""

from collections.abc import Awaitable, Callable

from linked_nodes import let_pass, meet
from manual_time import ManualTime
from small_node import FickleStore, LittleNode, greet_as_bot, hire
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import (
    Claim,
    Created,
    Error,
    Fill,
    GameList,
    Games,
    Joined,
    Listed,
    Quick,
    RoomList,
    Rooms,
    Seats,
    Summon,
)
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.lobby.room_lists import KEPT_MS, Wanted

Neighbours = Callable[..., Awaitable[list[LittleNode]]]
GAME = "sealed_bids"


async def renew(nodes: list[LittleNode], store: FickleStore) -> None:
    """Let nodes renew their leases, and read those of the others."""
    for node in nodes:
        await node.renew()
    await meet(nodes, store)


class TestLists:
    async def test_every_node_lists_all_rooms_in_one_order(self, neighbours: Neighbours, time: ManualTime) -> None:
        nodes = await neighbours("node-a", "node-b", "node-c")
        rooms = []
        for number, node in enumerate([*nodes, *nodes]):
            time.advance(1)
            rooms.append(await node.create(node.greet(), ref=number))
        await let_pass(time, KEPT_MS)
        assert [await node.listed() for node in nodes] == [rooms[::-1]] * 3

    async def test_a_list_says_the_same_of_a_room_everywhere(self, neighbours: Neighbours, time: ManualTime) -> None:
        here, there = await neighbours("node-a", "node-b")
        ada = here.greet("Ada")
        room = await here.create(ada)
        await here.join(ada, room)
        await let_pass(time, KEPT_MS)
        found = (await there.room_lists.get(Wanted(is_open=True))).rooms
        assert found == (await here.room_lists.get(Wanted(is_open=True))).rooms
        assert [player.name for player in found[0].players] == ["Ada"]
        player = found[0].players[0].player
        assert await there.listed(player=player) == await here.listed(player=player) == [room]

    async def test_what_changes_elsewhere_reaches_who_asked_for_it(
        self, neighbours: Neighbours, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        eve = there.greet("Eve")
        there.say(eve, Rooms(5, GAME, live=True))
        await until(lambda: bool(eve.of(RoomList)))
        room = await here.create(here.greet())
        await let_pass(time, 3 * KEPT_MS)
        assert eve.of(RoomList)[0].rooms == ()
        assert [change.rooms[0].room for change in eve.of(Listed)] == [room]

    async def test_rooms_of_a_dead_node_are_listed_until_its_lease_ends_and_then_where_they_go_on(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        dying, heir, third = await neighbours("node-a", "node-b", "node-c")
        room = await dying.create(dying.greet())
        await let_pass(time, KEPT_MS)
        await dying.stop()
        assert await heir.listed() == await third.listed() == [room]
        await let_pass(time, LEASE_MS)
        for node in (heir, third):
            await node.renew()
        for node in (heir, third):
            node.leased_nodes.update(await store.nodes())
        assert await heir.listed() == await third.listed() == []
        await heir.take_over()
        assert await heir.listed() == await third.listed() == [room]

    async def test_a_room_that_ended_is_listed_nowhere(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room = await here.create(here.greet())
        assert await there.listed() == [room]
        here.room_host.remove(here.hosted(room))
        assert await there.listed() == []


class TestQuick:
    async def test_people_on_different_nodes_who_want_the_same_get_one_room(self, neighbours: Neighbours) -> None:
        nodes = await neighbours("node-a", "node-b", "node-c")
        people = [(node, node.greet()) for node in nodes]
        for node, person in people:
            node.say(person, Quick(5, GAME, 4))
        await until(lambda: all(person.of(Created) for _, person in people))
        assert len({person.of(Created)[0].room for _, person in people}) == 1

    async def test_the_same_wish_told_again_names_the_same_room(self, neighbours: Neighbours) -> None:
        nodes = await neighbours("node-a", "node-b", "node-c")
        person = nodes[1].greet()
        for _ in range(2):
            nodes[1].say(person, Quick(5, GAME, 4))
        await until(lambda: len(person.of(Created)) == 2)
        assert len(set(person.of(Created))) == 1

    async def test_what_cannot_be_had_is_refused_where_it_is_asked_for(self, neighbours: Neighbours) -> None:
        _, there = await neighbours("node-a", "node-b")
        person = there.greet()
        there.say(person, Quick(5, "chess"))
        await until(lambda: bool(person.of(Error)))
        assert [error.code for error in person.of(Error)] == [codes.GAME_UNKNOWN]


class TestBots:
    async def test_a_worker_brings_bots_to_rooms_of_other_nodes(
        self, neighbours: Neighbours, store: FickleStore
    ) -> None:
        here, there = nodes = await neighbours("node-a", "node-b")
        worker = hire(there)
        await renew(nodes, store)
        ada = here.greet()
        room = await here.create(ada)
        await here.join(ada, room)
        here.say(ada, Fill(5, room))
        await until(lambda: bool(worker.of(Summon)))
        bot = greet_as_bot(there, "greedy")
        there.say(bot, Claim(6, room, worker.of(Summon)[0].ticket))
        await until(lambda: bool(bot.of(Joined)))
        await until(lambda: ada.of(Seats)[-1].phase == "playing")
        assert there.counters.summons == {"asked": 1, "claimed": 1}

    async def test_the_own_workers_are_asked_first(self, neighbours: Neighbours, store: FickleStore) -> None:
        here, there = nodes = await neighbours("node-a", "node-b")
        near, far = hire(here), hire(there)
        await renew(nodes, store)
        ada = here.greet()
        room = await here.create(ada)
        await here.join(ada, room)
        here.say(ada, Fill(5, room))
        await until(lambda: bool(near.of(Summon)))
        assert far.of(Summon) == []

    async def test_games_name_the_bots_of_all_nodes(self, neighbours: Neighbours, store: FickleStore) -> None:
        here, there = nodes = await neighbours("node-a", "node-b")
        worker = hire(there)
        eve = here.greet()
        await renew(nodes, store)
        here.say(eve, Games(3))
        there.dispatcher.closed(worker)
        await renew(nodes, store)
        here.say(eve, Games(4))
        bots = [{game.game: game.bots for game in answer.games}[GAME] for answer in eve.of(GameList)]
        assert bots == [("greedy",), ()]
