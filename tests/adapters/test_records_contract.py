"""What every place for finished matches and ratings promises, asked of each of them alike."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import msgspec
import pytest
from redis_server import RedisServer, redis_server
from redis_topologies import RedisCluster
from wait_until import until

from warroom_server.adapters.memory.records import MemoryRecords
from warroom_server.adapters.redis.records import RedisRecords
from warroom_server.archive.ratings import Rater
from warroom_server.ports.records import MatchRecord, RatingChange, Records, Result, ladder_name
from warroom_server.ports.store import UnavailableError
from warroom_server.storage.match_records import MatchResult, RatedSeat

KEEP_S = 60


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


@pytest.fixture(params=["memory", "redis", "cluster"])
async def records(request: pytest.FixtureRequest) -> AsyncIterator[Records]:
    made: Records
    if request.param == "memory":
        made = MemoryRecords()
    elif request.param == "cluster":
        cluster: RedisCluster = request.getfixturevalue("cluster")
        made = RedisRecords(cluster.url)
    else:
        server: RedisServer = request.getfixturevalue("server")
        server.raw("FLUSHALL")
        made = RedisRecords(server.url)
    yield made
    await made.close()


def record(
    room: int, *players: str, game: str = "bids", result: bytes | None = None, is_listed: bool = True
) -> MatchRecord:
    return MatchRecord(room, game, players, 1_000 * room, f"match {room}".encode(), result, is_listed)


async def listed(
    records: Records, *, game: str | None = None, player: str | None = None, before: int | None = None, limit: int = 10
) -> list[bytes]:
    return await records.matches(game=game, player=player, before=before, limit=limit)


async def waiting(records: Records) -> list[Result]:
    return [result async for result in records.results()]


class TestMatches:
    async def test_the_newest_comes_first(self, records: Records) -> None:
        for room in (3, 1, 2):
            await records.publish(record(room), keep_s=KEEP_S)
        assert await listed(records) == [b"match 3", b"match 2", b"match 1"]

    async def test_lists_are_by_game_and_by_player(self, records: Records) -> None:
        await records.publish(record(1, "ada", "bob"), keep_s=KEEP_S)
        await records.publish(record(2, "bob", game="chess"), keep_s=KEEP_S)
        assert await listed(records, game="bids") == [b"match 1"]
        assert await listed(records, player="bob") == [b"match 2", b"match 1"]
        assert await listed(records, player="bob", game="chess") == [b"match 2"]
        assert await listed(records, player="eve") == []

    async def test_the_next_page_begins_after_a_match(self, records: Records) -> None:
        for room in range(1, 6):
            await records.publish(record(room), keep_s=KEEP_S)
        assert await listed(records, limit=2) == [b"match 5", b"match 4"]
        assert await listed(records, before=4, limit=2) == [b"match 3", b"match 2"]
        assert await listed(records, before=1) == []
        assert await listed(records, before=77) == []

    async def test_what_is_not_to_be_listed_is_in_no_list(self, records: Records) -> None:
        await records.publish(record(1, "ada", is_listed=False), keep_s=KEEP_S)
        assert await listed(records) == await listed(records, player="ada") == []

    async def test_a_match_noted_twice_is_one_match(self, records: Records) -> None:
        for _ in range(2):
            await records.publish(record(1, "ada", result=b"r"), keep_s=KEEP_S)
        assert await listed(records) == [b"match 1"]
        assert await waiting(records) == [Result(1, "bids", b"r")]

    async def test_a_match_is_forgotten_after_a_while(self, records: Records) -> None:
        await records.publish(record(1), keep_s=1)

        async def is_gone() -> bool:
            return await listed(records) == []

        await until(is_gone)


class TestRatings:
    async def test_results_wait_until_they_are_counted(self, records: Records) -> None:
        await records.publish(record(1, result=b"a b"), keep_s=KEEP_S)
        await records.publish(record(2), keep_s=KEEP_S)
        assert await waiting(records) == [Result(1, "bids", b"a b")]
        assert await records.rate(1, "bids", [RatingChange("ada", None, b"r1", 7)], keep_s=KEEP_S)
        assert await waiting(records) == []
        assert await records.ratings("bids", ["ada", "bob"]) == [b"r1", None]
        assert await records.ratings("chess", ["ada"]) == [None]

    async def test_a_result_counts_once(self, records: Records) -> None:
        await records.publish(record(1, result=b"r"), keep_s=KEEP_S)
        assert await records.rate(1, "bids", [RatingChange("ada", None, b"r1", 7)], keep_s=KEEP_S)
        assert await records.rate(1, "bids", [RatingChange("ada", b"r1", b"r2", 9)], keep_s=KEEP_S)
        assert await records.ratings("bids", ["ada"]) == [b"r1"]
        await records.publish(record(1, result=b"r"), keep_s=KEEP_S)
        assert await waiting(records) == []

    async def test_all_ratings_change_or_none(self, records: Records) -> None:
        await records.rate(1, "bids", [RatingChange("bob", None, b"b1", 1)], keep_s=KEEP_S)
        await records.publish(record(2, result=b"r"), keep_s=KEEP_S)
        stale = [RatingChange("ada", None, b"a1", 1), RatingChange("bob", None, b"b2", 1)]
        assert not await records.rate(2, "bids", stale, keep_s=KEEP_S)
        assert await records.ratings("bids", ["ada", "bob"]) == [None, b"b1"]
        assert len(await waiting(records)) == 1

    async def test_of_two_who_count_the_same_result_one_does(self, records: Records) -> None:
        await records.publish(record(1, result=b"r"), keep_s=KEEP_S)
        change = RatingChange("ada", None, b"r1", 7)
        assert await asyncio.gather(*(records.rate(1, "bids", [change], keep_s=KEEP_S) for _ in range(3))) == [True] * 3
        assert await records.ratings("bids", ["ada"]) == [b"r1"]

    async def test_the_best_come_first(self, records: Records) -> None:
        for room, (player, score) in enumerate({"ada": 3, "bob": -5, "cal": 8}.items(), start=1):
            await records.rate(room, "bids", [RatingChange(player, None, player.encode(), score)], keep_s=KEEP_S)
        assert await records.ranking("bids", offset=0, limit=2) == (3, [("cal", b"cal"), ("ada", b"ada")])
        assert await records.ranking("bids", offset=2, limit=2) == (3, [("bob", b"bob")])
        assert await records.ranking("chess", offset=0, limit=2) == (0, [])
        assert await records.ratings("bids", []) == []

    async def test_the_ladders_of_a_game_know_nothing_of_each_other(self, records: Records) -> None:
        people, bots = ladder_name("bids", bots=False), ladder_name("bids", bots=True)
        await records.rate(1, people, [RatingChange("ada", None, b"a", 1)], keep_s=KEEP_S)
        await records.rate(2, bots, [RatingChange("ada", None, b"b", 2)], keep_s=KEEP_S)
        for ladder, rating in ((people, b"a"), (bots, b"b")):
            assert await records.ratings(ladder, ["ada"]) == [rating]
            assert await records.ranking(ladder, offset=0, limit=2) == (1, [("ada", rating)])

    async def test_a_result_counts_for_one_ladder(self, records: Records) -> None:
        await records.publish(record(1, result=b"r"), keep_s=KEEP_S)
        for bots in (True, False):
            change = RatingChange("ada", None, b"a", 1)
            assert await records.rate(1, ladder_name("bids", bots=bots), [change], keep_s=KEEP_S)
        assert await records.ratings("bids", ["ada"]) == [None]


async def test_many_results_are_gone_through_while_they_are_counted(server: RedisServer) -> None:
    server.raw("FLUSHALL")
    records = RedisRecords(server.url)
    for room in range(1, 701):
        await records.publish(record(room, result=b"r"), keep_s=KEEP_S)
    seen = set()
    async for result in records.results():
        seen.add(result.room)
        if result.room % 2:
            await records.rate(result.room, "bids", [], keep_s=KEEP_S)
    assert seen == set(range(1, 701))
    assert len({result.room for result in await waiting(records)}) == 350
    await records.close()


async def test_of_a_match_in_no_list_no_summary_is_stored(server: RedisServer) -> None:
    server.raw("FLUSHALL")
    records = RedisRecords(server.url)
    await records.publish(record(1, "ada", is_listed=False), keep_s=KEEP_S)
    assert server.raw("DBSIZE") == b":0\r\n"
    await records.publish(record(2, "ada", result=b"r", is_listed=False), keep_s=KEEP_S)
    assert server.raw("DBSIZE") == b":1\r\n"
    assert await waiting(records) == [Result(2, "bids", b"r")]
    await records.close()


async def test_keys_of_one_game_that_are_broken_keep_no_other_game_from_being_rated(server: RedisServer) -> None:
    server.raw("FLUSHALL")
    records = RedisRecords(server.url)
    server.raw("SET", "warroom:{records}:ratings:broken", "no hash")
    result = msgspec.msgpack.encode(MatchResult((RatedSeat("a", "A", None, 1), RatedSeat("b", "B", None, 2))))
    for room in range(1, 9):
        await records.publish(record(room, game="bids" if room % 2 else "broken", result=result), keep_s=KEEP_S)
    await Rater(records, keep_s=KEEP_S).count()
    assert {found.game for found in await waiting(records)} == {"broken"}
    size, best = await records.ranking("bids", offset=0, limit=5)
    assert (size, [player for player, _ in best]) == (2, ["a", "b"])
    await records.close()


async def test_what_is_no_result_is_passed_over_and_logged_once(
    server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.raw("FLUSHALL")
    records = RedisRecords(server.url)
    server.raw("HSET", "warroom:{records}:outbox", "no code", "bids r")
    await records.publish(record(1, result=b"r"), keep_s=KEEP_S)
    for _ in range(2):
        assert await waiting(records) == [Result(1, "bids", b"r")]
    assert caplog.text.count("result skipped") == 1
    await records.close()


async def test_a_server_that_is_away_is_told() -> None:
    records = RedisRecords("redis://127.0.0.1:1/0")
    with pytest.raises(UnavailableError):
        await waiting(records)
    await records.close()
