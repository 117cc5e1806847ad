"""Taking rooms over: making them once, finding them, continuing them, letting them go."""

import asyncio
from collections.abc import Awaitable, Callable
from unittest.mock import Mock

import pytest
from linked_nodes import STEP_MS, client, let_pass
from manual_time import ManualTime
from sealed_bids import Options, SealedBids, State
from small_node import GAMES, SECRET, FickleStore, LittleNode, token_of, verdict_of
from split_store import SplitStore
from wait_until import until

from warroom_games.log import RolledBack, decode_entry
from warroom_games.rng import Rng
from warroom_protocol import codes
from warroom_protocol.messages import (
    Create,
    Created,
    Ended,
    Error,
    Join,
    Joined,
    Leave,
    Notice,
    Paused,
    Position,
    Resign,
    Say,
    Snapshot,
    Watch,
    Welcome,
)
from warroom_protocol.rooms import room_code
from warroom_server.hosting import expiry
from warroom_server.hosting.expiry import LINGER_MS, UNUSED_MS, VOIDED
from warroom_server.hosting.hosted_room import Hold
from warroom_server.hosting.wait_for_players import RETURN_MS
from warroom_server.lobby.requests import CREATIONS
from warroom_server.ports.store import Append, Whereabouts
from warroom_server.restoring.room_loader import BATCH, FAILURES, FIRST_PAUSE_MS
from warroom_server.restoring.waiting_clients import MOVING_MS
from warroom_server.session.signer import Signer
from warroom_server.storage.log_repair import OTHERS_MS

NewNode = Callable[..., Awaitable[LittleNode]]
LEASE_MS = 2_000


class Counting(SealedBids):
    """Sealed bids that count how often they are set up."""

    def __init__(self) -> None:
        self.setups = 0

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        self.setups += 1
        return super().setup(seats, options, rng)


async def with_snapshots(node: LittleNode, store: FickleStore) -> int:
    """Return a room whose log is so long that a new owner begins with a snapshot."""
    ada = node.greet()
    room = await node.create(ada)
    while len(store.saved) < 2:
        assert isinstance(await node.join(ada, room), Joined)
        node.say(ada, Leave(9, room))
        await node.settle()
    stored = await store.load(room)
    assert stored is not None
    assert stored.snapshot is not None
    return room


class TestCreate:
    async def test_the_same_wish_names_the_same_room(self, node: LittleNode) -> None:
        ada = node.greet()
        assert await node.create(ada, ref=5) == await node.create(ada, ref=5)
        assert len(node.room_host) == 1

    async def test_the_same_wish_twice_at_once_makes_one_room(self, node: LittleNode) -> None:
        ada = node.greet()
        for _ in range(2):
            node.say(ada, Create(5, "sealed_bids"))
        await until(lambda: len(ada.of(Created)) == 2)
        assert len({created.room for created in ada.of(Created)}) == 1
        (hosted,) = node.room_host
        node.room_host.remove(hosted)
        assert len(node.quota) == 0

    async def test_other_refs_and_other_players_get_other_rooms(self, node: LittleNode) -> None:
        ada, bob = node.greet("Ada"), node.greet("Bob")
        rooms = {await node.create(ada, ref=5), await node.create(ada, ref=6), await node.create(bob, ref=5)}
        assert len(rooms) == 3

    async def test_a_number_that_is_taken_is_passed_over(self, node: LittleNode, store: FickleStore) -> None:
        ada = node.greet()
        player = ada.of(Welcome)[0].player
        signer = Signer(SECRET)
        taken = signer.room_number(player, 5, 0)
        await store.create(Append(taken, 1, b"entry", b"chain", "node-x", 1, nonce=b"somebody else's"))
        assert await node.create(ada, ref=5) == signer.room_number(player, 5, 1)

    @pytest.mark.parametrize("at_once", [False, True], ids=["one after the other", "at once"])
    async def test_the_same_wish_on_two_nodes_makes_one_room(
        self, new_node: NewNode, store: FickleStore, *, at_once: bool
    ) -> None:
        here, there = await new_node(), await new_node(name="node-b")
        ada = here.greet("Ada")
        again = there.greet("Ada", token_of(ada))
        if at_once:
            rooms = list(await asyncio.gather(here.create(ada, ref=5), there.create(again, ref=5)))
        else:
            rooms = [await here.create(ada, ref=5), await there.create(again, ref=5)]
        assert rooms[0] == rooms[1]
        (found,) = await store.whereabouts([rooms[0]])
        assert found is not None
        assert [node.name for node in (here, there) if rooms[0] in node.room_host] == [found.owner]
        assert sorted(len(node.room_host) for node in (here, there)) == [0, 1]

    async def test_a_wish_repeated_after_the_end_of_the_match_names_the_same_room(self, new_node: NewNode) -> None:
        node = await new_node()
        ada, bob = node.greet("Ada"), node.greet("Bob")
        room = await node.create(ada, ref=5, rounds=1)
        for player in (ada, bob):
            await node.join(player, room)
        await node.settle()
        for player in (ada, bob):
            node.act(player, room, 1)
            await node.settle()
        hosted = node.hosted(room)
        await until(lambda: hosted.is_archived)
        later = await new_node(name="node-b")
        again = later.greet("Ada", token_of(ada))
        assert await later.create(again, ref=5) == room
        assert room not in later.room_host

    @pytest.mark.parametrize(
        ("wish", "code", "says"),
        [
            pytest.param(Create(5, "chess"), codes.GAME_UNKNOWN, "chess", id="no such game"),
            pytest.param(
                Create(5, "sealed_bids", 9),
                codes.GAME_SEATS,
                "sealed_bids is played by 2 to 4 seats, not 9",
                id="too many seats",
            ),
            pytest.param(
                Create(5, "sealed_bids", 1),
                codes.GAME_SEATS,
                "sealed_bids is played by 2 to 4 seats, not 1",
                id="too few seats",
            ),
            pytest.param(Create(5, "sealed_bids", 2, {"rounds": 99}), codes.GAME_OPTIONS, "rounds", id="out of range"),
            pytest.param(
                Create(5, "sealed_bids", 2, {}, {"turn_ms": 1}), codes.ROOM_OPTIONS, "turn_ms", id="too short a turn"
            ),
        ],
    )
    async def test_what_cannot_be_made_is_refused_with_the_value_and_what_is_allowed(
        self, node: LittleNode, wish: Create, code: str, says: str
    ) -> None:
        ada = node.greet()
        node.say(ada, wish)
        await node.settle()
        (refused,) = ada.of(Error)
        assert (refused.ref, refused.code) == (5, code)
        assert says in refused.detail, refused.detail

    async def test_a_player_may_not_have_too_many_unfinished_rooms(self, new_node: NewNode) -> None:
        node = await new_node(rooms_per_player=2, max_rooms=3)
        ada, bob = node.greet("Ada"), node.greet("Bob")
        for ref in (1, 2):
            await node.create(ada, ref=ref)
        node.say(ada, Create(3, "sealed_bids"))
        await node.create(bob, ref=1)
        node.say(bob, Create(2, "sealed_bids"))
        await node.settle()
        assert [(error.ref, error.code) for error in ada.of(Error)] == [(3, codes.ROOM_LIMIT)]
        assert [(error.ref, error.code) for error in bob.of(Error)] == [(2, codes.ROOM_LIMIT)]
        assert await node.create(ada, ref=1) in node.room_host

    async def test_no_burst_of_wishes_gets_past_the_limits(self, new_node: NewNode) -> None:
        node = await new_node(rooms_per_player=4, max_rooms=6)
        ada, bob = node.greet("Ada"), node.greet("Bob")
        for player in (ada, bob):
            for ref in range(1, 11):
                node.say(player, Create(ref, "sealed_bids"))
        await until(lambda: all(len(player.of(Created)) + len(player.of(Error)) == 10 for player in (ada, bob)))
        assert (len(ada.of(Created)), len(bob.of(Created)), len(node.room_host)) == (4, 2, 6)
        assert {error.code for player in (ada, bob) for error in player.of(Error)} == {codes.ROOM_LIMIT}

    async def test_wishes_that_came_to_nothing_count_no_longer(self, new_node: NewNode, store: FickleStore) -> None:
        node = await new_node(rooms_per_player=2)
        ada = node.greet()
        store.is_away = True
        for ref in (1, 2):
            node.say(ada, Create(ref, "sealed_bids"))
        await until(lambda: len(ada.of(Error)) == 2)
        assert (len(node.quota), node.quota.origins) == (0, 0)
        store.is_away = False
        rooms = {await node.create(ada, ref=ref) for ref in (3, 4)}
        assert len(rooms) == 2

    async def test_players_of_one_address_have_so_many_rooms_in_all(self, new_node: NewNode) -> None:
        node = await new_node(rooms_per_address=2)
        for number in range(3):
            player = node.greet()
            player.peer = f"10.0.0.1:{number}"
            node.say(player, Create(5, "sealed_bids"))
            node.dispatcher.closed(player)
        await node.settle()
        assert len(node.room_host) == 2, "whoever hangs up has made a room all the same"
        late = node.greet()
        late.peer = "10.0.0.1:9"
        node.say(late, Create(5, "sealed_bids"))
        await until(lambda: bool(late.of(Error)))
        assert (late.of(Error)[0].code, "2 unfinished" in late.of(Error)[0].detail) == (codes.ROOM_LIMIT, True)
        assert await node.create(node.greet()) in node.room_host, "others are not concerned"

    async def test_the_key_of_a_private_room_is_given_while_the_room_is_on_its_way(
        self, node: LittleNode, store: FickleStore
    ) -> None:
        ada, wish = node.greet(), Create(5, "sealed_bids", 2, {}, {"private": True})
        store.fails_to_load = True
        node.say(ada, wish)
        await until(lambda: bool(ada.of(Error)))
        store.fails_to_load = False
        node.say(ada, wish)
        await until(lambda: bool(ada.of(Created)))
        (created,) = ada.of(Created)
        assert created.room not in node.room_host
        assert created.key == Signer(SECRET).room_key(created.room)
        await node.take_over()
        node.say(ada, wish)
        await until(lambda: len(ada.of(Created)) == 2)
        assert ada.of(Created)[1] == created

    async def test_a_game_is_set_up_once_before_its_match_starts(self, new_node: NewNode) -> None:
        game = Counting()
        node = await new_node(games=(game,))
        await node.create(node.greet())
        assert game.setups == 1

    async def test_a_room_that_was_made_before_and_cannot_be_read_is_not_given_out(
        self, new_node: NewNode, store: FickleStore
    ) -> None:
        node = await new_node()
        ada = node.greet()
        number = Signer(SECRET).room_number(ada.of(Welcome)[0].player, 5, 0)
        nonce = Signer(SECRET).create_nonce(ada.of(Welcome)[0].player, 5)
        await store.create(Append(number, 1, b"not an entry", b"chain", "node-a", 1, nonce=nonce))
        node.say(ada, Create(5, "sealed_bids"))
        await node.settle()
        assert ada.of(Created) == []
        assert [(error.ref, error.code) for error in ada.of(Error)] == [(5, codes.INTERNAL)]

    async def test_a_room_whose_creation_was_not_answered_is_hosted_all_the_same(
        self, node: LittleNode, store: FickleStore
    ) -> None:
        ada = node.greet()
        store.fails_to_load = True
        node.say(ada, Create(5, "sealed_bids"))
        await until(lambda: bool(ada.of(Error)))
        assert ada.of(Error)[0].code == codes.STORE_UNAVAILABLE
        assert len(node.room_loader) == 1
        store.fails_to_load = False
        await node.take_over()
        assert len(node.room_host) == 1
        assert await node.create(ada, ref=5) in node.room_host

    async def test_a_store_that_is_away_is_said_so(self, node: LittleNode, store: FickleStore) -> None:
        ada = node.greet()
        store.is_away = True
        node.say(ada, Create(5, "sealed_bids"))
        await node.settle()
        assert [(error.ref, error.code) for error in ada.of(Error)] == [(5, codes.STORE_UNAVAILABLE)]

    async def test_a_bug_in_the_setup_of_a_game_is_answered(self, new_node: NewNode) -> None:
        class Buggy(SealedBids):
            def setup(self, seats: int, options: Options, rng: Rng) -> State:
                raise ZeroDivisionError("a bug in the rules")

        node = await new_node(games=(Buggy(),))
        ada = node.greet()
        node.say(ada, Create(5, "sealed_bids"))
        await node.settle()
        assert [(error.ref, error.code) for error in ada.of(Error)] == [(5, codes.INTERNAL)]

    async def test_no_more_wishes_wait_for_the_store_than_may(self, node: LittleNode) -> None:
        ada = node.greet()
        for ref in range(CREATIONS + 1):
            node.say(ada, Create(ref, "sealed_bids", 2))
        assert [(error.ref, error.code) for error in ada.of(Error)] == [(CREATIONS, codes.STORE_UNAVAILABLE)]


class TestEnter:
    async def test_a_room_that_does_not_exist_is_unknown(self, node: LittleNode) -> None:
        ada = node.greet()
        answer = await node.join(ada, 12345)
        assert isinstance(answer, Error)
        assert answer.code == codes.ROOM_UNKNOWN

    async def test_a_store_that_is_away_is_waited_for_and_then_said_so(
        self, node: LittleNode, store: FickleStore, time: ManualTime
    ) -> None:
        ada = node.greet()
        store.is_away = True
        node.say(ada, Join(8, 12345))
        await let_pass(time, MOVING_MS - STEP_MS)
        assert ada.of(Error) == []
        await let_pass(time, STEP_MS)
        assert [(error.ref, error.code) for error in ada.of(Error)] == [(8, codes.STORE_UNAVAILABLE)]
        assert 12345 not in node.waiting_clients

    @pytest.mark.parametrize(
        ("position", "answers"),
        [
            pytest.param(None, (codes.ROOM_UNKNOWN, []), id="a stranger"),
            pytest.param(Position(1, 2, 3), (codes.ROOM_MOVING, []), id="who was in the room"),
        ],
    )
    async def test_a_room_that_could_not_be_looked_for_stays_unknown_to_a_stranger(
        self,
        node: LittleNode,
        store: FickleStore,
        time: ManualTime,
        position: Position | None,
        answers: tuple[str, list[str]],
    ) -> None:
        ada = node.greet()
        store.is_away = True
        node.say(ada, Join(8, 12345, position=position))
        await let_pass(time, MOVING_MS)
        assert [error.code for error in ada.of(Error)] == [codes.STORE_UNAVAILABLE]
        store.is_away = False
        node.say(ada, Say(9, 12345, "hello?"))
        await node.settle()
        assert (ada.of(Error)[-1].code, [notice.code for notice in ada.of(Notice)]) == answers

    async def test_a_room_that_cannot_be_looked_for_is_in_nobodys_way_for_long(
        self, node: LittleNode, store: FickleStore
    ) -> None:
        ada = node.greet()
        store.unreadable = 666
        node.say(ada, Join(8, 666))
        await node.settle()
        answer = await node.join(ada, 12345)
        assert isinstance(answer, Error)
        assert answer.code == codes.ROOM_UNKNOWN

    async def test_whoever_comes_before_the_new_owner_waits_and_is_let_in(
        self, new_node: NewNode, time: ManualTime
    ) -> None:
        old = await new_node()
        await old.lease.begin()
        room, (ada, _) = await old.table()
        await old.lease.suspend()
        new = await new_node(name="node-b")
        back = new.greet("Ada", token_of(ada))
        new.say(back, Watch(7, room))
        await new.settle()
        assert [message for message in back.messages if isinstance(message, Joined | Error)] == []
        time.advance(LEASE_MS)
        await new.take_over()
        assert back.of(Joined)[0].ref == 7

    async def test_a_room_of_a_dead_node_that_is_on_no_list_is_found_by_whoever_asks_for_it(
        self, new_node: NewNode, store: FickleStore, time: ManualTime
    ) -> None:
        old = await new_node()
        room, (ada, _) = await old.table()
        store.unlisted.add(room)
        time.advance(LEASE_MS)
        new = await new_node(name="node-b")
        await new.take_over()
        assert room not in new.room_host
        back = new.greet("Ada", token_of(ada))
        new.say(back, Join(7, room))
        await until(lambda: not store.unlisted)
        await new.take_over()
        assert [joined.ref for joined in back.of(Joined)] == [7]

    async def test_whoever_waits_too_long_is_asked_to_come_again(self, new_node: NewNode, time: ManualTime) -> None:
        old = await new_node()
        room, _ = await old.table()
        new = await new_node(name="node-b")
        eve = new.greet("Eve")
        new.say(eve, Watch(7, room))
        await new.settle()
        time.advance(MOVING_MS)
        assert [(error.ref, error.code) for error in eve.of(Error)] == [(7, codes.ROOM_MOVING)]

    async def test_any_number_of_people_may_look_for_rooms_at_once(self, new_node: NewNode, time: ManualTime) -> None:
        old = await new_node()
        ada = old.greet()
        rooms = [await old.create(ada, ref=ref) for ref in range(1, 6)]
        time.advance(LEASE_MS)
        new = await new_node(name="node-b")
        viewers = [new.greet() for _ in range(100)]
        for viewer in viewers:
            for ref, room in enumerate((*rooms, 12345)):
                new.say(viewer, Watch(ref, room))
        await until(lambda: all(viewer.of(Error) for viewer in viewers))
        await new.take_over()
        for viewer in viewers:
            assert [(error.ref, error.code) for error in viewer.of(Error)] == [(5, codes.ROOM_UNKNOWN)]
            assert sorted(joined.ref for joined in viewer.of(Joined)) == [0, 1, 2, 3, 4]


class TestEnterBesideASilentPrimary:
    @pytest.fixture
    def store(self, time: ManualTime) -> SplitStore:
        return SplitStore(time)

    async def test_who_wants_a_room_of_another_one_does_not_wait_for_it(
        self, node: LittleNode, store: SplitStore
    ) -> None:
        store.second = {666}
        store.trouble("hanging")
        node.say(node.greet(), Join(8, 666))
        await node.settle()
        answer = await node.join(node.greet(), 12345)
        assert isinstance(answer, Error)
        assert answer.code == codes.ROOM_UNKNOWN

    async def test_who_wants_a_room_of_it_is_told_that_the_store_is_away_although_others_are_answered(
        self, node: LittleNode, store: SplitStore, time: ManualTime
    ) -> None:
        store.second = {666}
        store.trouble("away")
        ada = node.greet()
        node.say(ada, Join(8, 666))
        await node.settle()
        await node.join(node.greet(), 12345)
        time.advance(MOVING_MS)
        assert [error.code for error in ada.of(Error)] == [codes.STORE_UNAVAILABLE]


class TestAdopt:
    async def take_over(self, new_node: NewNode, time: ManualTime, **settings: object) -> LittleNode:
        time.advance(LEASE_MS)
        node = await new_node(name="node-b", **settings)
        await node.take_over()
        return node

    async def test_a_match_goes_on_where_it_was(self, new_node: NewNode, time: ManualTime) -> None:
        old = await new_node()
        room, (ada, bob) = await old.table()
        old.act(ada, room, 1)
        await old.settle()
        new = await self.take_over(new_node, time)
        back = [new.greet(name, token_of(player)) for name, player in (("Ada", ada), ("Bob", bob))]
        for player in back:
            assert isinstance(await new.join(player, room), Joined)
        new.act(back[1], room, 2)
        await new.settle()
        assert verdict_of(back[1], 2).code is None
        assert back[0].of(Snapshot)[0].life == 1

    async def test_the_clock_waits_for_the_players_but_not_for_ever(self, new_node: NewNode, time: ManualTime) -> None:
        room, (ada, _) = await (await new_node()).table()
        new = await self.take_over(new_node, time)
        back = new.greet("Ada", token_of(ada))
        await new.join(back, room)
        assert back.of(Paused)[-1].reason == codes.PAUSE_RESTART
        time.advance(RETURN_MS)
        await new.settle()
        assert back.of(Paused)[-1].reason is None

    async def test_the_clock_runs_again_as_soon_as_all_are_back(self, new_node: NewNode, time: ManualTime) -> None:
        room, players = await (await new_node()).table()
        new = await self.take_over(new_node, time)
        back = [new.greet("Player", token_of(player)) for player in players]
        for player in back:
            await new.join(player, room)
        assert back[0].of(Paused)[-1].reason is None

    async def test_the_clock_waits_once_for_a_player_who_leaves_again(
        self, new_node: NewNode, time: ManualTime
    ) -> None:
        room, (ada, bob) = await (await new_node()).table()
        new = await self.take_over(new_node, time)
        passing = new.greet("Ada", token_of(ada))
        await new.join(passing, room)
        new.dispatcher.closed(passing)
        assert new.hosted(room).holds == {Hold.RESTART}
        back = new.greet("Bob", token_of(bob))
        await new.join(back, room)
        assert back.of(Paused)[-1].reason is None
        assert new.hosted(room).absent == {0}

    async def test_a_room_is_claimed_once_however_often_it_is_found(
        self, new_node: NewNode, time: ManualTime, store: FickleStore
    ) -> None:
        room, _ = await (await new_node()).table()
        time.advance(LEASE_MS)
        new = await new_node(name="node-b")
        orphans = await store.orphans()
        for _ in range(2):
            await new.room_loader.adopt(orphans)
        assert store.claims == [(room, "node-a", 1)]
        hosted = new.hosted(room)
        assert (hosted.epoch, hosted.holds) == (2, frozenset({Hold.RESTART}))

    async def test_what_waits_is_looked_through_once_however_many_rooms_are_lost_at_a_time(
        self, new_node: NewNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        node = await new_node(name="first")
        rooms = [await node.create(node.greet()) for _ in range(BATCH // 2)]
        looks = Mock(return_value="")
        monkeypatch.setattr(store, "primary_of", looks)
        for room in rooms:
            node.room_host.lose(node.hosted(room))
        await until(lambda: all(room in node.room_host for room in rooms))
        await node.settle()
        assert looks.call_count == 2 * len(rooms), "once to see which primaries have rooms, and once to take them in"

    async def test_rooms_that_somebody_asks_for_come_first(
        self, new_node: NewNode, time: ManualTime, store: FickleStore
    ) -> None:
        old = await new_node(max_rooms=1000, rooms_per_player=1000)
        ada = old.greet()
        rooms = [await old.create(ada, ref=ref) for ref in range(1, 3 * BATCH)]
        time.advance(LEASE_MS)
        new = await new_node(name="node-b")
        new.say(new.greet(), Watch(7, rooms[-1]))
        await new.settle()
        await new.take_over()
        assert store.claims[0] == (rooms[-1], "node-a", 1)
        assert len(store.claims) == len(new.room_host) == len(rooms)
        assert store.claimed_at_once == [BATCH, BATCH, BATCH - 1], "others do not wait until nobody asks any more"

    async def test_rooms_that_a_node_offers_come_before_those_of_a_dead_one(
        self, new_node: NewNode, store: FickleStore
    ) -> None:
        old = await new_node(max_rooms=1000, rooms_per_player=1000)
        ada = old.greet()
        rooms = [await old.create(ada, ref=ref) for ref in range(1, 2 * BATCH)]
        new = await new_node(name="node-b")
        offered: list[int] = []

        def offer(room: int, epoch: int) -> None:
            if not offered:
                offered.append(rooms[-1])
                new.room_loader.offered([(rooms[-1], old.name, 1)])

        new.room_loader.taken.append(offer)
        await new.room_loader.adopt([(room, old.name, 1) for room in rooms[:-1]])
        assert store.claims.index((rooms[-1], old.name, 1)) == BATCH, "it is the first one after those in hand"
        assert len(new.room_host) == len(rooms)

    async def test_a_room_that_is_lost_again_while_others_are_taken_over_comes_back(self, new_node: NewNode) -> None:
        old, heir = await new_node(), await new_node(name="node-b")
        rooms = [(await old.table())[0] for _ in range(3)]
        lost: list[int] = []

        def lose(room: int, epoch: int) -> None:
            if not lost:
                lost.append(room)
                heir.room_host.lose(heir.hosted(room))

        heir.room_loader.taken.append(lose)
        await heir.room_loader.adopt([(room, old.name, 1) for room in rooms])
        await until(lambda: all(room in heir.room_host for room in rooms))
        assert lost == rooms[:1]

    async def test_rooms_that_were_won_do_not_wait_for_what_became_of_the_others(
        self, new_node: NewNode, store: FickleStore
    ) -> None:
        old, heir = await new_node(), await new_node(name="node-b")
        (lost, _), (won, _) = await old.table(), await old.table()
        store.unreadable = lost
        with pytest.raises(ZeroDivisionError):
            await heir.room_loader.adopt([(lost, old.name, 7), (won, old.name, 1)])
        assert (won in heir.room_host, len(heir.room_loader)) == (True, 1)

    async def test_a_room_that_was_claimed_and_not_loaded_is_not_lost(
        self, new_node: NewNode, time: ManualTime, store: FickleStore
    ) -> None:
        room, (ada, _) = await (await new_node()).table()
        time.advance(LEASE_MS)
        new = await new_node(name="node-b")
        store.fails_to_load = True
        await new.take_over()
        assert (room in new.room_host, len(new.room_loader)) == (False, 1)
        assert await store.orphans() == []
        store.fails_to_load = False
        await new.take_over()
        assert isinstance(await new.join(new.greet("Ada", token_of(ada)), room), Joined)
        assert len(new.room_loader) == 0

    async def test_a_room_that_was_loaded_before_it_was_claimed_is_loaded_again(
        self, new_node: NewNode, time: ManualTime, store: FickleStore
    ) -> None:
        room, (ada, _) = await (await new_node()).table()
        time.advance(LEASE_MS)
        new = await new_node(name="node-b")
        store.loads_too_early = True
        await new.take_over()
        assert store.claims == [(room, "node-a", 1), (room, "node-b", 2)]
        assert await store.whereabouts([room]) == [Whereabouts("node-b", 3)]
        assert isinstance(await new.join(new.greet("Ada", token_of(ada)), room), Joined)
        assert len(new.room_loader) == 0

    async def test_a_room_that_cannot_be_read_or_ends_meanwhile_holds_up_no_other(
        self, new_node: NewNode, time: ManualTime, store: FickleStore, caplog: pytest.LogCaptureFixture
    ) -> None:
        old = await new_node()
        spoilt, gone, sound = [(await old.table())[0] for _ in range(3)]
        await old.stop()
        time.advance(LEASE_MS)
        store.spoilt.add(spoilt)
        store.archived_meanwhile.add(gone)
        node = await new_node(name="node-b")
        await node.take_over()
        assert [hosted.room.number for hosted in node.room_host] == [sound]
        assert len(node.room_loader) == 0
        broken = [record.getMessage() for record in caplog.records if "cannot be read" in record.getMessage()]
        assert broken == [f"room broken room={room_code(spoilt)}: its log cannot be read"]
        assert await store.whereabouts([spoilt]) != [None], "it stays in the store as it is"
        for room in (spoilt, gone):
            answer = await node.join(node.greet("Eve"), room)
            assert isinstance(answer, Error)
            assert answer.code == codes.ROOM_UNKNOWN

    async def test_a_match_taken_over_from_a_snapshot_is_loaded_with_one_question(
        self, new_node: NewNode, time: ManualTime, store: FickleStore
    ) -> None:
        room = await with_snapshots(await new_node(), store)
        store.reads_logs = False
        new = await self.take_over(new_node, time)
        assert room in new.room_host

    async def test_a_room_whose_game_is_missing_is_left_alone(
        self, new_node: NewNode, time: ManualTime, caplog: pytest.LogCaptureFixture
    ) -> None:
        room, (ada, _) = await (await new_node()).table()
        poor = await self.take_over(new_node, time, games=GAMES[:1])
        assert room not in poor.room_host
        told = [(record.levelname, record.getMessage(), record.exc_info) for record in caplog.records]
        line = f"room waits room={room_code(room)} game=sealed_bids rules_version=1 not installed"
        assert told == [("WARNING", line, None)]
        answer = await poor.join(poor.greet("Ada", token_of(ada)), room)
        assert isinstance(answer, Error)
        assert answer.code == codes.RULES_UNAVAILABLE
        time.advance(LEASE_MS)
        rich = await new_node(name="node-c")
        await rich.take_over()
        assert room in rich.room_host


class TestRoomsThatCouldNotGoOn:
    async def test_a_room_that_the_store_lost_too_much_of_goes_on_from_there(
        self, new_node: NewNode, time: ManualTime, store: FickleStore
    ) -> None:
        room = await with_snapshots(await new_node(), store)
        time.advance(LEASE_MS)
        node = await new_node(name="node-b")
        await node.take_over()
        ada, bob = client(node, "Ada"), node.greet("Bob")
        node.say(ada, Watch(7, room))
        store.cut(room, 10)
        node.say(bob, Join(8, room))
        await until(lambda: bool(ada.resumed))
        assert [(error.ref, error.code) for error in bob.of(Error)] == [(8, codes.ROOM_MOVING)]
        hosted = node.hosted(room)
        assert hosted.room.match.life == 2
        assert [notice.code for notice in ada.of(Notice)] == [codes.NOTICE_MOVED, codes.NOTICE_ROLLED_BACK]
        assert ada.of(Snapshot)[-1].life == 2
        assert node.counters.rolled_back == 1
        time.advance(LEASE_MS)
        later = await new_node(name="node-c")
        await later.take_over()
        restored = later.hosted(room)
        assert restored.room.match == hosted.room.match

    async def test_a_room_that_was_cut_back_waits_until_its_new_life_is_stored(
        self, new_node: NewNode, time: ManualTime, store: FickleStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        room = await with_snapshots(await new_node(), store)
        time.advance(LEASE_MS)
        node = await new_node(name="node-b")
        await node.take_over()
        store.cut(room, 10)
        monkeypatch.setattr(node.room_loader, "hurry", lambda: None)
        node.say(node.greet("Bob"), Join(8, room))
        await node.settle()
        store.fails_to_append = True
        await node.take_over()
        assert (room in node.room_host, len(node.room_loader)) == (False, 1)
        store.fails_to_append = False
        await node.take_over()
        hosted = node.hosted(room)
        assert hosted.room.match.life == 2
        assert isinstance(decode_entry((await store.log(room))[10].entry), RolledBack)

    async def test_a_room_that_the_store_lost_is_written_again_while_its_players_think(
        self, node: LittleNode, store: FickleStore
    ) -> None:
        room, (ada, _) = await node.table()
        before = await store.log(room)
        store.lose(room)
        store.replaced()
        await node.settle()
        assert await store.log(room) == before
        assert await store.orphans() == [(room, node.name, 1)]
        assert ada.of(Notice) == []

    async def test_a_room_that_nobody_has_joined_is_still_its_owners_when_that_makes_sure_of_it(
        self, node: LittleNode, store: FickleStore
    ) -> None:
        room = await node.create(node.greet("Ada"))
        hosted = node.hosted(room)
        store.replaced()
        await node.settle()
        assert node.room_host.get(room) is hosted
        assert (await store.whereabouts([room]), store.claims) == ([Whereabouts(node.name, 1)], [])

    async def test_a_room_that_was_written_again_is_what_a_repeated_wish_finds(
        self, new_node: NewNode, store: FickleStore
    ) -> None:
        there, here = await new_node(name="node-b"), await new_node()
        ada = here.greet("Ada")
        room = await here.create(ada, ref=5)
        store.lose(room)
        store.replaced()
        await here.settle()
        assert await there.create(there.greet("Ada", token_of(ada)), ref=5) == room

    @pytest.mark.parametrize("is_all_lost", [False, True])
    async def test_a_replay_that_the_store_lost_is_made_again(
        self, node: LittleNode, store: FickleStore, is_all_lost: bool
    ) -> None:
        rewind = store.mark()
        room, (_, bob) = await node.table()
        rewind = rewind if is_all_lost else store.mark()
        node.say(bob, Resign(5, room))
        await until(lambda: node.hosted(room).is_archived)
        kept = await store.replay(room)
        rewind()
        store.replaced()

        async def is_made_again() -> bool:
            return await store.replay(room) == kept and await store.whereabouts([room]) == [None]

        await until(is_made_again)
        assert room in node.room_host

    async def test_a_replay_that_the_store_has_is_left_as_it_is(self, node: LittleNode, store: FickleStore) -> None:
        room, (_, bob) = await node.table()
        node.say(bob, Resign(5, room))
        await until(lambda: node.hosted(room).is_archived)
        kept = await store.replay(room)
        for _ in range(2):
            store.replaced()
            await node.archiver.archived(room)
        await node.settle()
        assert (await store.replay(room), await store.whereabouts([room])) == (kept, [None])
        assert room in node.room_host

    async def test_a_room_of_which_nothing_is_left_is_announced_as_lost(
        self, new_node: NewNode, time: ManualTime, store: FickleStore
    ) -> None:
        room = await with_snapshots(await new_node(), store)
        time.advance(LEASE_MS)
        node = await new_node(name="node-b")
        await node.take_over()
        ada = node.greet("Ada")
        node.say(ada, Watch(7, room))
        store.lose(room)
        store.replaced[-1]()  # the first node is gone
        await node.settle()
        assert [(notice.room, notice.code) for notice in ada.of(Notice)] == [
            (room, codes.NOTICE_LOST),
            (room, codes.NOTICE_MOVED),
        ]
        await node.take_over()
        assert (room in node.room_host, len(node.room_loader)) == (False, 0)
        time.advance(OTHERS_MS)
        answer = await node.join(ada, room)
        assert isinstance(answer, Error)
        assert answer.code == codes.ROOM_UNKNOWN

    async def test_a_room_that_failed_is_left_alone_for_longer_each_time_and_given_up(
        self, node: LittleNode, time: ManualTime, store: FickleStore
    ) -> None:
        room, (ada, _) = await node.table()
        for failure in range(FAILURES):
            hosted = node.hosted(room)
            hosted.has_failed = True
            node.room_host.remove(hosted)
            await node.room_loader.adopt([(room, node.name, hosted.epoch)])
            assert room not in node.room_host
            time.advance(FIRST_PAUSE_MS << failure)
            await node.take_over()
        assert (room in node.room_host, len(node.room_loader)) == (False, 0)
        answer = await node.join(ada, room)
        assert isinstance(answer, Error)
        assert answer.code == codes.ROOM_UNKNOWN
        assert await store.load(room) is not None

    async def test_a_removed_room_counts_no_longer(self, node: LittleNode) -> None:
        room, _ = await node.table()
        hosted = node.hosted(room)
        assert (len(node.quota), node.quota.origins) == (1, 2)
        node.room_host.remove(hosted)
        assert (len(node.quota), node.quota.origins) == (0, 0)


class TestSweep:
    async def test_a_room_that_nobody_follows_is_ended(
        self, node: LittleNode, time: ManualTime, store: FickleStore
    ) -> None:
        ada = node.greet()
        room = await node.create(ada)
        for _ in range(2):
            node.expiry.sweep()
            time.advance(60_000)
        await node.settle()
        hosted = node.hosted(room)
        assert hosted.room.is_over
        await until(lambda: hosted.is_archived)
        assert await store.replay(room) is not None

    async def test_a_lobby_that_everybody_left_is_ended_sooner(self, new_node: NewNode, time: ManualTime) -> None:
        node = await new_node(idle_ms=10 * UNUSED_MS)
        ada = node.greet()
        room = await node.create(ada)
        await node.join(ada, room)
        node.say(ada, Leave(9, room))
        await node.settle()
        node.expiry.sweep()
        time.advance(UNUSED_MS)
        node.expiry.sweep()
        await node.settle()
        hosted = node.room_host.get(room)
        assert hosted is None or hosted.room.is_over

    async def test_a_room_in_which_nobody_ever_sat_is_ended_sooner_and_let_go_at_once(
        self, new_node: NewNode, time: ManualTime
    ) -> None:
        node = await new_node(idle_ms=10 * UNUSED_MS)
        ada = node.greet()
        unused, used = [await node.create(ada, ref=ref) for ref in (1, 2)]
        await node.join(ada, used)
        node.dispatcher.closed(ada)
        node.expiry.sweep()
        time.advance(UNUSED_MS)
        node.expiry.sweep()
        hosted = node.hosted(unused)
        await until(lambda: hosted.is_archived)
        node.expiry.sweep()
        assert [hosted.room.number for hosted in node.room_host] == [used]

    async def test_so_many_rooms_are_ended_at_a_time_and_no_more(self, new_node: NewNode, time: ManualTime) -> None:
        node = await new_node(max_rooms=2 * VOIDED, rooms_per_player=2 * VOIDED)
        ada = node.greet()
        for ref in range(VOIDED + 1):
            node.say(ada, Create(ref, "sealed_bids", 2))
            await until(lambda: len(node.lobby.creations) < CREATIONS)
        await until(lambda: len(node.room_host) == VOIDED + 1)
        node.expiry.sweep()
        time.advance(UNUSED_MS)
        for left in (1, 0):
            node.expiry.sweep()
            await node.settle()
            assert sum(not hosted.room.is_over for hosted in node.room_host) == left

    async def test_many_rooms_are_checked_in_several_turns(
        self, node: LittleNode, time: ManualTime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(expiry, "AT_ONCE", 2)
        ada = node.greet()
        rooms = [node.hosted(await node.create(ada, ref=ref)) for ref in range(5)]
        node.expiry.sweep()
        for checked in (2, 4, 5):
            assert sum(hosted.empty_since is not None for hosted in rooms) == checked
            time.advance(expiry.PAUSE_MS)

    async def test_a_room_that_is_removed_during_a_sweep_is_left_alone(
        self, node: LittleNode, time: ManualTime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(expiry, "AT_ONCE", 1)
        ada = node.greet()
        _, gone = [node.hosted(await node.create(ada, ref=ref)) for ref in range(2)]
        node.expiry.sweep()
        node.room_host.remove(gone)
        time.advance(expiry.PAUSE_MS)
        assert gone.empty_since is None

    async def test_a_room_that_somebody_follows_stays(self, node: LittleNode, time: ManualTime) -> None:
        ada = node.greet()
        room = await node.create(ada)
        node.expiry.sweep()
        await node.join(ada, room)
        for _ in range(3):
            time.advance(60_000)
            node.expiry.sweep()
        await node.settle()
        hosted = node.hosted(room)
        assert not hosted.room.is_over

    async def test_a_finished_room_can_be_looked_at_for_a_while(self, node: LittleNode, time: ManualTime) -> None:
        room, players = await node.table(rounds=1)
        for number, player in enumerate(players):
            node.act(player, room, number)
            await node.settle()
        hosted = node.hosted(room)
        await until(lambda: hosted.is_archived)
        node.expiry.sweep()
        late = node.greet("Late")
        node.say(late, Watch(1, room))
        assert late.of(Ended)
        time.advance(LINGER_MS)
        node.expiry.sweep()
        assert room not in node.room_host
        line = node.connections.clients.get(late.id)
        assert line is not None
        assert line.session.following == set()
        assert (len(node.quota), node.quota.origins) == (0, 0)
