"""What every directory promises, asked of each of them alike."""

from collections.abc import AsyncIterator, Collection, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from redis_server import RedisServer, redis_server
from redis_topologies import RedisCluster

from warroom_server.adapters.embedded.store import EmbeddedStore
from warroom_server.adapters.memory.directory import MemoryDirectory
from warroom_server.adapters.redis.directory import RedisDirectory
from warroom_server.ports.directory import Directory, ListedRoom

A, B = "node-a", "node-b"
ALL = "*/*/*"


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


@pytest.fixture(params=["memory", "embedded", "redis", "cluster"])
async def directory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Directory]:
    if request.param == "memory":
        yield MemoryDirectory()
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
    made = RedisDirectory(url)
    yield made
    await made.close()
    if embedded is not None:
        await embedded.close()


def room(number: int, *lists: str, epoch: int = 1, opened_ms: int | None = None) -> ListedRoom:
    """Return a room whose listing has all kinds of bytes."""
    listing = f"room {number}\n".encode() + bytes(range(256))
    return ListedRoom(number, epoch, number if opened_ms is None else opened_ms, (ALL, *lists), listing)


async def found(
    directory: Directory,
    *lists: str,
    before: int | None = None,
    owners: Collection[str] = (A, B),
    limit: int = 100,
) -> list[int] | None:
    """Return the numbers of the rooms that are found."""
    listings = await directory.find(lists or (ALL,), before=before, owners=owners, limit=limit)
    return None if listings is None else [int(listing.split(b"\n")[0].split()[1]) for listing in listings]


class TestFinding:
    async def test_a_room_is_found_as_it_was_published(self, directory: Directory) -> None:
        await directory.publish(A, [room(7)], [])
        assert await directory.find([ALL], before=None, owners=[A], limit=9) == [room(7).listing]

    async def test_the_newest_come_first_and_of_those_of_one_moment_the_greatest_number(
        self, directory: Directory
    ) -> None:
        await directory.publish(A, [room(1, opened_ms=5), room(9, opened_ms=5)], [])
        await directory.publish(B, [room(4, opened_ms=6), room(5, opened_ms=4), room(3, opened_ms=5)], [])
        assert await found(directory) == [4, 9, 3, 1, 5]

    async def test_a_room_is_in_the_lists_that_it_names_and_in_no_others(self, directory: Directory) -> None:
        await directory.publish(A, [room(1, "go", "open"), room(2, "go"), room(3, "open")], [])
        assert await found(directory, "go") == [2, 1]
        assert await found(directory, "go", "open") == [1]
        assert await found(directory, "chess") == await found(directory, "go", "op") == []

    async def test_rooms_of_other_owners_are_hidden_and_do_not_shorten_the_page(self, directory: Directory) -> None:
        await directory.publish(A, [room(number) for number in range(0, 20, 2)], [])
        await directory.publish(B, [room(number) for number in range(1, 20, 2)], [])
        assert await found(directory, owners=[A], limit=4) == [18, 16, 14, 12]
        assert await found(directory, owners=[]) == []

    async def test_page_after_page_every_room_is_found_once(self, directory: Directory) -> None:
        await directory.publish(A, [room(number, "go", opened_ms=number // 3) for number in range(20)], [])
        pages: list[int] = []
        while page := await found(directory, "go", before=pages[-1] if pages else None, limit=7):
            pages += page
        assert pages == list(reversed(range(20)))

    async def test_a_list_goes_on_after_a_room_that_is_in_another_one(self, directory: Directory) -> None:
        await directory.publish(A, [room(number, "even" if number % 2 == 0 else "odd") for number in range(9)], [])
        assert await found(directory, "odd", before=4) == [3, 1]

    async def test_a_list_goes_on_after_a_room_that_left_it(self, directory: Directory) -> None:
        await directory.publish(A, [room(number, opened_ms=1) for number in range(5)], [])
        await directory.publish(A, [], [3])
        assert await found(directory, before=3) == [2, 1, 0]

    async def test_nothing_follows_a_room_that_never_was_in_a_list(self, directory: Directory) -> None:
        await directory.publish(A, [room(1)], [])
        assert await found(directory, before=99) is None


class TestPublishing:
    async def test_a_room_that_changed_is_in_its_new_lists_alone(self, directory: Directory) -> None:
        await directory.publish(A, [room(1, "lobby", "open")], [])
        await directory.publish(A, [replace(room(1, "playing"), listing=b"room 1\nnew")], [])
        assert await found(directory, "lobby") == await found(directory, "open") == []
        assert await directory.find(["playing"], before=None, owners=[A], limit=9) == [b"room 1\nnew"]

    async def test_a_later_epoch_takes_the_place_of_an_earlier_one_and_not_the_other_way_round(
        self, directory: Directory
    ) -> None:
        await directory.publish(A, [room(1, "old", epoch=9)], [])
        await directory.publish(B, [room(1, "new", epoch=10)], [])
        await directory.publish(A, [room(1, "old", epoch=9)], [])
        assert (await found(directory, "old"), await found(directory, "new", owners=[B])) == ([], [1])
        assert (await directory.rooms_of(A), await directory.rooms_of(B)) == ([], [1])

    async def test_only_its_owner_unlists_a_room(self, directory: Directory) -> None:
        await directory.publish(B, [room(1, epoch=2)], [])
        await directory.publish(A, [], [1, 2])
        assert await found(directory) == [1]
        await directory.publish(B, [], [1])
        assert await found(directory) == []

    async def test_a_room_that_left_may_come_back(self, directory: Directory) -> None:
        await directory.publish(A, [room(1, "go"), room(2)], [])
        await directory.publish(A, [room(3)], [1])
        await directory.publish(A, [room(1, "go")], [])
        assert (await found(directory), await found(directory, before=2)) == ([3, 2, 1], [1])

    async def test_owners_are_those_with_listed_rooms(self, directory: Directory) -> None:
        await directory.publish(A, [room(1), room(2)], [])
        await directory.publish(B, [room(3)], [])
        assert (await directory.owners(), await directory.rooms_of(A)) == ([A, B], [1, 2])
        await directory.publish(A, [], [1, 2])
        assert (await directory.owners(), await directory.rooms_of(A)) == ([B], [])

    @pytest.mark.parametrize("directory", ["memory", "redis"], indirect=True)
    async def test_only_the_last_rooms_that_left_are_remembered(
        self, directory: Directory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for adapter in ("memory", "redis"):
            monkeypatch.setattr(f"warroom_server.adapters.{adapter}.directory.REMEMBERED", 2)
        await directory.publish(A, [room(number) for number in range(6)], [])
        for number in (5, 4, 3):
            await directory.publish(A, [], [number])
        assert [await found(directory, before=number) for number in (5, 4, 3)] == [None, [2, 1, 0], [2, 1, 0]]
