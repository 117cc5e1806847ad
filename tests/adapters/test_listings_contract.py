"""What every directory promises, asked of each of them alike."""

from collections.abc import AsyncIterator, Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from redis_server import RedisServer, redis_server
from redis_topologies import RedisCluster
from wait_until import until

from warroom_server.adapters.embedded.store import EmbeddedStore
from warroom_server.adapters.memory.listings import MemoryListings
from warroom_server.adapters.redis.listings import RedisListings
from warroom_server.ports.listings import ListedRoom, Listings, OpenRoom, QuickAnswer, QuickRequest, QuickRules

A, B = "node-a", "node-b"
ALL = "*/*/*"
KIND = "bids"
RULES = QuickRules()
FAR = 10 * RULES.window


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


@pytest.fixture
def rules() -> QuickRules:
    """Return the rules of quick matches; a test may want others."""
    return RULES


@pytest.fixture(params=["memory", "embedded", "redis", "cluster"])
async def directory(request: pytest.FixtureRequest, tmp_path: Path, rules: QuickRules) -> AsyncIterator[Listings]:
    if request.param == "memory":
        yield MemoryListings(rules=rules)
        return
    embedded: EmbeddedStore | None = None
    if request.param == "embedded":
        embedded = EmbeddedStore(tmp_path / "store")
        await embedded.start()
        url = embedded.url
    elif request.param == "cluster":
        cluster: RedisCluster = request.getfixturevalue("cluster")
        url = cluster.url
    else:
        server: RedisServer = request.getfixturevalue("server")
        server.raw("FLUSHALL")
        url = server.url
    made = RedisListings(url, rules=rules)
    yield made
    await made.close()
    if embedded is not None:
        await embedded.close()


def room(number: int, *lists: str, epoch: int = 1, opened_ms: int | None = None) -> ListedRoom:
    """Return a room whose listing has all kinds of bytes."""
    listing = f"room {number}\n".encode() + bytes(range(256))
    return ListedRoom(number, epoch, number if opened_ms is None else opened_ms, (ALL, *lists), listing)


async def found(
    directory: Listings,
    *lists: str,
    before: int | None = None,
    owners: Collection[str] = (A, B),
    limit: int = 100,
) -> list[int] | None:
    """Return the numbers of the rooms that are found."""
    listings = await directory.find(lists or (ALL,), before=before, owners=owners, limit=limit)
    return None if listings is None else [int(listing.split(b"\n")[0].split()[1]) for listing in listings]


class TestFinding:
    async def test_a_room_is_found_as_it_was_published(self, directory: Listings) -> None:
        await directory.publish(A, [room(7)], [])
        assert await directory.find([ALL], before=None, owners=[A], limit=9) == [room(7).listing]

    async def test_the_newest_come_first_and_of_those_of_one_moment_the_greatest_number(
        self, directory: Listings
    ) -> None:
        await directory.publish(A, [room(1, opened_ms=5), room(9, opened_ms=5)], [])
        await directory.publish(B, [room(4, opened_ms=6), room(5, opened_ms=4), room(3, opened_ms=5)], [])
        assert await found(directory) == [4, 9, 3, 1, 5]

    async def test_a_room_is_in_the_lists_that_it_names_and_in_no_others(self, directory: Listings) -> None:
        await directory.publish(A, [room(1, "go", "open"), room(2, "go"), room(3, "open")], [])
        assert await found(directory, "go") == [2, 1]
        assert await found(directory, "go", "open") == [1]
        assert await found(directory, "chess") == await found(directory, "go", "op") == []

    async def test_rooms_of_other_owners_are_hidden_and_do_not_shorten_the_page(self, directory: Listings) -> None:
        await directory.publish(A, [room(number) for number in range(0, 20, 2)], [])
        await directory.publish(B, [room(number) for number in range(1, 20, 2)], [])
        assert await found(directory, owners=[A], limit=4) == [18, 16, 14, 12]
        assert await found(directory, owners=[]) == []

    async def test_page_after_page_every_room_is_found_once(self, directory: Listings) -> None:
        await directory.publish(A, [room(number, "go", opened_ms=number // 3) for number in range(20)], [])
        pages: list[int] = []
        while page := await found(directory, "go", before=pages[-1] if pages else None, limit=7):
            pages += page
        assert pages == list(reversed(range(20)))

    async def test_a_list_goes_on_after_a_room_that_is_in_another_one(self, directory: Listings) -> None:
        await directory.publish(A, [room(number, "even" if number % 2 == 0 else "odd") for number in range(9)], [])
        assert await found(directory, "odd", before=4) == [3, 1]

    async def test_a_list_goes_on_after_a_room_that_left_it(self, directory: Listings) -> None:
        await directory.publish(A, [room(number, opened_ms=1) for number in range(5)], [])
        await directory.publish(A, [], [3])
        assert await found(directory, before=3) == [2, 1, 0]

    async def test_nothing_follows_a_room_that_never_was_in_a_list(self, directory: Listings) -> None:
        await directory.publish(A, [room(1)], [])
        assert await found(directory, before=99) is None


class TestPublishing:
    async def test_a_room_that_changed_is_in_its_new_lists_alone(self, directory: Listings) -> None:
        await directory.publish(A, [room(1, "lobby", "open")], [])
        await directory.publish(A, [replace(room(1, "playing"), listing=b"room 1\nnew")], [])
        assert await found(directory, "lobby") == await found(directory, "open") == []
        assert await directory.find(["playing"], before=None, owners=[A], limit=9) == [b"room 1\nnew"]

    async def test_a_later_epoch_takes_the_place_of_an_earlier_one_and_not_the_other_way_round(
        self, directory: Listings
    ) -> None:
        await directory.publish(A, [room(1, "old", epoch=9)], [])
        await directory.publish(B, [room(1, "new", epoch=10)], [])
        await directory.publish(A, [room(1, "old", epoch=9)], [])
        assert (await found(directory, "old"), await found(directory, "new", owners=[B])) == ([], [1])
        assert (await directory.rooms_of(A), await directory.rooms_of(B)) == ([], [1])

    async def test_only_its_owner_unlists_a_room(self, directory: Listings) -> None:
        await directory.publish(B, [room(1, epoch=2)], [])
        await directory.publish(A, [], [1, 2])
        assert await found(directory) == [1]
        await directory.publish(B, [], [1])
        assert await found(directory) == []

    async def test_a_room_that_left_may_come_back(self, directory: Listings) -> None:
        await directory.publish(A, [room(1, "go"), room(2)], [])
        await directory.publish(A, [room(3)], [1])
        await directory.publish(A, [room(1, "go")], [])
        assert (await found(directory), await found(directory, before=2)) == ([3, 2, 1], [1])

    async def test_owners_are_those_with_listed_rooms(self, directory: Listings) -> None:
        await directory.publish(A, [room(1), room(2)], [])
        await directory.publish(B, [room(3)], [])
        assert (await directory.owners(), await directory.rooms_of(A)) == ([A, B], [1, 2])
        await directory.publish(A, [], [1, 2])
        assert (await directory.owners(), await directory.rooms_of(A)) == ([B], [])

    @pytest.mark.parametrize("directory", ["memory", "redis"], indirect=True)
    async def test_only_the_last_rooms_that_left_are_remembered(
        self, directory: Listings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for module in ("warroom_server.adapters.memory.listings", "warroom_server.adapters.redis.listings"):
            monkeypatch.setattr(f"{module}.REMEMBERED", 2)
        await directory.publish(A, [room(number) for number in range(6)], [])
        for number in (5, 4, 3):
            await directory.publish(A, [], [number])
        assert [await found(directory, before=number) for number in (5, 4, 3)] == [None, [2, 1, 0], [2, 1, 0]]


async def quick(directory: Listings, player: str, *, kind: str = KIND, **changes: Any) -> QuickAnswer:
    """Ask for a quick match on node A; a new room would have the number 9 unless the test wants another."""
    asked = QuickRequest(player=player, ref=1, room=9, owner=A, seats=2, owners=(A, B))
    return await directory.quick_match(kind, replace(asked, **changes))


def opened(number: int, *players: str, seats: int = 2, epoch: int = 1, **changes: Any) -> OpenRoom:
    """Return an open room where some players sit."""
    return replace(OpenRoom(number, epoch, seats - len(players), players), **changes)


class TestQuickMatch:
    async def test_the_first_is_to_make_a_room_and_the_next_one_shares_it(self, directory: Listings) -> None:
        assert await quick(directory, "ada") == QuickAnswer("make", 9)
        assert await quick(directory, "bob", room=8) == QuickAnswer("making", 9)
        assert await quick(directory, "eve", room=7) == QuickAnswer("make", 7), "both seats are held"

    async def test_a_room_that_was_made_is_one_to_join(self, directory: Listings) -> None:
        await quick(directory, "ada")
        assert await quick(directory, "bob", room=8) == QuickAnswer("making", 9)
        await directory.publish_open(KIND, A, [opened(9)], [])
        assert await quick(directory, "ada") == await quick(directory, "bob", room=8) == QuickAnswer("join", 9)

    async def test_the_same_request_has_the_same_answer(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1)], [])
        assert await quick(directory, "ada") == QuickAnswer("join", 1)
        await directory.publish_open(KIND, A, [opened(2, "eve")], [1])
        assert await quick(directory, "ada") == QuickAnswer("join", 1), "the player who asked knows whether it exists"
        assert await quick(directory, "ada", ref=2) == QuickAnswer("join", 2)

    async def test_who_is_to_make_a_room_and_asks_again_is_still_to_make_it(self, directory: Listings) -> None:
        assert await quick(directory, "ada") == await quick(directory, "ada") == QuickAnswer("make", 9)

    async def test_a_room_that_is_missing_is_forgotten(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1)], [])
        assert await quick(directory, "ada") == QuickAnswer("join", 1)
        assert await quick(directory, "ada", missing=1) == QuickAnswer("make", 9)
        assert await quick(directory, "bob", room=8) == QuickAnswer("making", 9)

    async def test_a_room_that_could_not_be_made_is_waited_for_by_nobody(self, directory: Listings) -> None:
        await quick(directory, "ada")
        await directory.publish_open(KIND, A, [], [9])
        assert await quick(directory, "bob", room=8) == QuickAnswer("make", 8)

    async def test_kinds_do_not_mix(self, directory: Listings) -> None:
        await directory.publish_open("other", A, [opened(1)], [])
        assert await quick(directory, "ada") == QuickAnswer("make", 9)
        assert await quick(directory, "ada", kind="other") == QuickAnswer("join", 1)

    async def test_the_fullest_room_comes_first_and_where_one_sits_before_all(self, directory: Listings) -> None:
        rooms = [opened(1, seats=4), opened(2, "bob", "eve", seats=4), opened(3, "ada", seats=4)]
        await directory.publish_open(KIND, A, rooms, [])
        assert await quick(directory, "sam", seats=4) == QuickAnswer("join", 2)
        assert await quick(directory, "ada", seats=4) == QuickAnswer("join", 3)

    async def test_who_was_sent_away_is_led_elsewhere(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "bob", kicked=("ada",))], [])
        assert await quick(directory, "ada") == QuickAnswer("make", 9)

    async def test_full_excluded_and_unleased_rooms_are_passed_over(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "bob", "eve"), opened(2)], [])
        await directory.publish_open(KIND, B, [opened(3)], [])
        assert await quick(directory, "ada", excluded=(2,), owners=(A,)) == QuickAnswer("make", 9)

    async def test_a_later_epoch_takes_the_place_of_an_earlier_one(self, directory: Listings) -> None:
        await directory.publish_open(KIND, B, [opened(1, epoch=2)], [])
        await directory.publish_open(KIND, A, [opened(1, "bob", "eve")], [1])
        assert await quick(directory, "ada", owners=(B,)) == QuickAnswer("join", 1)

    @pytest.mark.parametrize("rules", [QuickRules(most_open=2)])
    async def test_no_more_rooms_are_looked_through_than_may(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(number, "bob", "eve") for number in range(2)], [])
        await directory.publish_open(KIND, A, [opened(5)], [])
        assert await quick(directory, "ada") == QuickAnswer("make", 9)
        assert await quick(directory, "sam", room=8) == QuickAnswer("make", 8), "there is no place to share"

    @pytest.mark.parametrize("rules", [QuickRules(making_ms=1)])
    async def test_a_room_that_is_not_made_in_time_is_made_by_somebody_else(self, directory: Listings) -> None:
        await quick(directory, "ada")

        async def is_given_up() -> bool:
            return (await quick(directory, "bob", room=8)).verdict != "making"

        await until(is_given_up)

    @pytest.mark.parametrize("rules", [QuickRules(lapsed_ms=-1)])
    async def test_rooms_of_nodes_that_are_gone_are_removed(self, directory: Listings) -> None:
        await directory.publish_open(KIND, B, [opened(1)], [])
        await quick(directory, "ada", owners=(A,))
        assert await quick(directory, "bob", room=8) == QuickAnswer("making", 9)


class TestHolds:
    async def test_a_seat_that_is_held_is_given_to_nobody_else(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "ada")], [])
        assert await quick(directory, "bob") == QuickAnswer("join", 1)
        assert await quick(directory, "eve") == QuickAnswer("make", 9)
        assert await quick(directory, "bob", ref=2) == QuickAnswer("join", 1)

    @pytest.mark.parametrize("rules", [QuickRules(held_ms=0)])
    async def test_a_seat_that_was_not_taken_in_time_is_open_again(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "ada")], [])
        assert await quick(directory, "bob") == await quick(directory, "eve") == QuickAnswer("join", 1)

    @pytest.mark.parametrize("rules", [QuickRules(held_ms=1)])
    async def test_who_did_not_come_has_no_seat_held_for_a_while(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "ada")], [])
        await quick(directory, "bob")

        async def is_open_for(player: str, ref: int) -> bool:
            return (await quick(directory, player, ref=ref)).verdict == "join"

        await until(lambda: is_open_for("eve", 1))
        await until(lambda: is_open_for("bob", 2))
        assert await quick(directory, "sam") == QuickAnswer("join", 1)

    async def test_a_hold_moves_with_its_player(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "ada")], [])
        await quick(directory, "bob")
        assert await quick(directory, "bob", ref=2, excluded=(1,)) == QuickAnswer("make", 9)
        assert await quick(directory, "eve") == QuickAnswer("join", 1)

    async def test_who_sits_down_needs_no_hold_any_more(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "ada", seats=3)], [])
        await quick(directory, "bob", seats=3)
        await directory.publish_open(KIND, A, [opened(1, "ada", "bob", seats=3)], [])
        assert await quick(directory, "eve", seats=3) == QuickAnswer("join", 1)


class TestSkill:
    async def test_a_player_far_from_a_room_waits_and_then_takes_it(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "ada", skills=(0,))], [])
        assert (await quick(directory, "bob", skill=FAR)).verdict == "wait"
        patient = await quick(directory, "bob", skill=FAR, waited_ms=RULES.patience_ms)
        assert patient == QuickAnswer("join", 1)

    async def test_the_window_widens_with_waiting(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "ada", skills=(0,))], [])
        skill = 3 * RULES.window // 2
        assert (await quick(directory, "bob", skill=skill)).verdict == "wait"
        assert await quick(directory, "bob", skill=skill, waited_ms=RULES.widens_ms) == QuickAnswer("join", 1)

    @pytest.mark.parametrize("rules", [QuickRules(widens_ms=1)])
    async def test_the_window_widens_with_the_age_of_the_room(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "ada", skills=(0,))], [])

        async def has_widened() -> bool:
            return await quick(directory, "bob", skill=FAR) == QuickAnswer("join", 1)

        await until(has_widened)

    async def test_a_room_within_the_window_comes_before_a_fuller_one(self, directory: Listings) -> None:
        rooms = [opened(1, "ada", "eve", seats=4, skills=(0, 0)), opened(2, "sam", seats=4, skills=(FAR,))]
        await directory.publish_open(KIND, A, rooms, [])
        assert await quick(directory, "bob", seats=4, skill=FAR) == QuickAnswer("join", 2)

    async def test_of_rooms_beyond_the_window_the_nearest_is_taken(self, directory: Listings) -> None:
        rooms = [opened(1, "ada", skills=(0,)), opened(2, "sam", skills=(FAR,))]
        await directory.publish_open(KIND, A, rooms, [])
        found = await quick(directory, "bob", skill=3 * FAR, waited_ms=RULES.patience_ms)
        assert found == QuickAnswer("join", 2)

    async def test_who_has_no_skill_fits_anywhere_and_so_does_a_room_without(self, directory: Listings) -> None:
        await directory.publish_open(KIND, A, [opened(1, "ada", skills=(FAR,))], [])
        assert await quick(directory, "bob") == QuickAnswer("join", 1)
        await directory.publish_open("new", A, [opened(2, "eve")], [])
        assert await quick(directory, "bob", kind="new", skill=FAR) == QuickAnswer("join", 2)

    async def test_who_is_expected_counts_like_who_sits(self, directory: Listings) -> None:
        assert (await quick(directory, "ada", skill=0)).verdict == "make"
        assert (await quick(directory, "bob", skill=FAR)).verdict == "wait"
        assert await quick(directory, "eve", skill=RULES.window - 1) == QuickAnswer("making", 9)
