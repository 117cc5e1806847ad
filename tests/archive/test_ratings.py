"""Ratings: what a result does to them, and that it does it once."""

import math
from collections.abc import AsyncIterator, Sequence

import msgspec
import pytest
from small_node import LittleNode, NotedConnection
from wait_until import until

from warroom_protocol.messages import (
    Create,
    Created,
    Ended,
    Join,
    Joined,
    Matches,
    MatchList,
    Offer,
    Ranking,
    RankingList,
    Resign,
)
from warroom_server.adapters.memory.records import MemoryRecords
from warroom_server.archive import ratings
from warroom_server.archive.ratings import Rater, Rating, ranking, updated
from warroom_server.ports.records import MatchRecord, RatingChange, Result
from warroom_server.ports.store import UnavailableError
from warroom_server.storage.match_records import MatchResult, RatedSeat, read_result


def result(*ranks: int) -> MatchResult:
    names = "abcdef"[: len(ranks)]
    return MatchResult(
        tuple(RatedSeat(name, name.upper(), None, rank) for name, rank in zip(names, ranks, strict=True))
    )


def test_the_better_rank_gains_and_everybody_becomes_surer() -> None:
    after = updated(result(1, 2, 3), {})
    assert after["a"].mean > after["b"].mean > after["c"].mean
    assert all(rating.uncertainty < 25 / 3 and rating.matches == 1 for rating in after.values())
    assert after["a"].score > after["c"].score


def test_a_draw_between_equals_changes_no_mean() -> None:
    after = updated(result(1, 1), {})
    assert after["a"].mean == pytest.approx(after["b"].mean)


def test_to_beat_a_stronger_one_is_worth_more() -> None:
    strong, weak = Rating(35.0, 4.0, 9, "B", None), Rating(15.0, 4.0, 9, "B", None)
    over_strong = updated(result(1, 2), {"b": strong})["a"]
    over_weak = updated(result(1, 2), {"b": weak})["a"]
    assert over_strong.mean > over_weak.mean


def test_several_seats_of_one_bot_have_one_rating() -> None:
    seats = (RatedSeat("bot:x", "x", "x", 1), RatedSeat("ada", "Ada", None, 2), RatedSeat("bot:x", "x", "x", 3))
    after = updated(MatchResult(seats), {})
    assert set(after) == {"bot:x", "ada"}
    assert (after["bot:x"].matches, after["bot:x"].bot) == (1, "x")


@pytest.mark.parametrize(
    "before",
    [
        pytest.param({}, id="among beginners"),
        pytest.param(
            {"a": Rating(35.0, 2.0, 9, "A", "a"), "b": Rating(5.0, 6.0, 9, "B", "b")}, id="surprised by nobody"
        ),
        pytest.param(
            {"c": Rating(60.0, 2.0, 9, "C", "c"), "b": Rating(5.0, 6.0, 9, "B", "b")}, id="last beside a master"
        ),
    ],
)
def test_who_left_gains_nothing_not_even_certainty(before: dict[str, Rating]) -> None:
    def seats(*, has_left: bool) -> MatchResult:
        ranks = {"a": 1, "b": 2, "c": 2}
        return MatchResult(
            tuple(RatedSeat(name, name, name, rank, has_left and name != "a") for name, rank in ranks.items())
        )

    stayed, left = (updated(seats(has_left=has_left), before) for has_left in (False, True))
    for name in ("b", "c"):
        old = before[name].score if name in before else 0
        assert left[name].score == min(old, stayed[name].score)
        assert left[name].matches == stayed[name].matches
    assert left["a"] == stayed["a"]


class FickleRecords(MemoryRecords):
    """Records that refuse some games, or have a bug."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: set[str] = set()
        self.bug: Exception | None = None
        self.asked: list[str] = []

    async def results(self) -> AsyncIterator[Result]:
        if self.bug is not None:
            raise self.bug
        async for found in super().results():
            yield found

    async def ratings(self, game: str, players: Sequence[str]) -> list[bytes | None]:
        self.asked.append(game)
        if game in self.refused:
            raise UnavailableError("WRONGTYPE")
        return await super().ratings(game, players)


async def publish(records: MemoryRecords, room: int, game: str) -> None:
    data = msgspec.msgpack.encode(result(1, 2))
    await records.publish(MatchRecord(room, game, (), room, b"", data, is_listed=True), keep_s=60)


async def waiting(records: MemoryRecords) -> list[Result]:
    return [found async for found in records.results()]


async def test_what_is_played_in_private_counts_for_no_ranking(node: LittleNode) -> None:
    ada, bob = node.greet("Ada"), node.greet("Bob")
    node.say(ada, Create(77, "sealed_bids", 2, {}, {"private": True, "rated": True}))
    await until(lambda: bool(ada.of(Created)))
    created = ada.of(Created)[0]
    for player in (ada, bob):
        node.say(player, Join(5, created.room, key=created.key))
        await until(lambda player=player: bool(player.of(Joined)))
    await node.settle()
    node.say(bob, Resign(60, created.room))
    await node.settle()
    await node.archiver.archived(created.room)
    assert [ended.rated for ended in bob.of(Ended)] == [False]
    assert await waiting(node.store.records) == []


async def play_and_resign(node: LittleNode) -> tuple[int, list[NotedConnection]]:
    """Return a match that the second player gave up."""
    room, players = await node.table()
    node.say(players[1], Resign(60, room))
    await node.settle()
    await node.archiver.archived(room)
    return room, players


async def test_a_finished_match_is_listed_and_rated(node: LittleNode) -> None:
    room, players = await play_and_resign(node)
    rater = Rater(node.store.records, keep_s=60)
    await rater.count()
    await rater.count()
    viewer = node.greet("Sam")
    node.say(viewer, Matches(4, "sealed_bids"))
    node.say(viewer, Ranking(5, "sealed_bids"))
    await until(lambda: bool(viewer.of(MatchList) and viewer.of(RankingList)))
    (match,) = viewer.of(MatchList)[0].matches
    assert (match.room, match.ranks, match.reason, match.rated) == (room, (1, 2), "resigned", True)
    assert [player.name for player in match.players] == ["Player 0", "Player 1"]
    best = viewer.of(RankingList)[0]
    assert [(rated.place, rated.name, rated.matches) for rated in best.players] == [
        (1, "Player 0", 1),
        (2, "Player 1", 1),
    ]
    assert best.players[0].score > best.players[1].score
    assert players


@pytest.mark.parametrize(
    ("bots", "rated"),
    [
        pytest.param((None, "mine", None), ["Player 0", "Player 2"], id="two people and a bot"),
        pytest.param((None, "mine", "mine"), None, id="one person and bots"),
        pytest.param(("mine", "yours", "mine"), ["Player 0", "Player 1", "Player 2"], id="bots alone"),
    ],
)
async def test_who_says_to_be_a_bot_is_marked_and_rated_among_bots_alone(
    node: LittleNode, bots: tuple[str | None, ...], rated: list[str] | None
) -> None:
    room, players = await node.table(bots=bots)
    node.say(players[1], Resign(60, room))
    node.say(players[2], Resign(61, room))
    await node.settle()
    await node.archiver.archived(room)
    (result,) = await waiting(node.store.records) or (None,)
    assert (None if result is None else [seat.name for seat in read_result(result.result).seats]) == rated
    assert players[0].of(Ended)[0].rated is (rated is not None)
    node.say(viewer := node.greet("Sam"), Matches(4, "sealed_bids"))
    await until(lambda: bool(viewer.of(MatchList)))
    assert [player.bot for player in viewer.of(MatchList)[0].matches[0].players] == list(bots)


async def read_ranking(node: LittleNode, *, bots: bool) -> RankingList:
    """Return a ranking as a viewer gets it."""
    viewer = node.greet("Sam")
    node.say(viewer, Ranking(5, "sealed_bids", bots=bots))
    await until(lambda: bool(viewer.of(RankingList)))
    return viewer.of(RankingList)[0]


async def test_a_match_between_bots_changes_their_ladder_and_no_other(node: LittleNode) -> None:
    room, players = await node.table(bots=("mine", "yours"))
    node.say(players[1], Resign(60, room))
    await node.settle()
    await node.archiver.archived(room)
    await Rater(node.store.records, keep_s=60).count()
    best = await read_ranking(node, bots=True)
    assert (best.bots, best.size) == (True, 2)
    assert [(each.name, each.bot, each.matches) for each in best.players] == [
        ("Player 0", "mine", 1),
        ("Player 1", "yours", 1),
    ]
    ids = [player.player for player in node.hosted(room).room.match.seats if player is not None]
    assert [each.player for each in best.players] == ids
    assert await read_ranking(node, bots=False) == RankingList(5, "sealed_bids", 0, ())


async def test_a_match_between_people_leaves_the_ladder_of_bots_alone(node: LittleNode) -> None:
    await play_and_resign(node)
    await Rater(node.store.records, keep_s=60).count()
    assert (await read_ranking(node, bots=True)).size == 0
    assert (await read_ranking(node, bots=False)).size == 2


async def test_one_bot_of_a_player_is_another_than_its_second(node: LittleNode) -> None:
    records = node.store.records
    for room, bot in enumerate(("old", "new", "new"), start=1):
        seats = tuple(RatedSeat(f"{who}:{bot}", who, bot, rank) for rank, who in enumerate(("ada", "bob"), start=1))
        result = msgspec.msgpack.encode(MatchResult(seats))
        await records.publish(MatchRecord(room, "sealed_bids", (), room, b"", result, is_listed=True), keep_s=60)
    await Rater(records, keep_s=60).count()
    best = await read_ranking(node, bots=True)
    found = sorted((each.player, each.bot, each.matches) for each in best.players)
    assert found == [("ada", "new", 2), ("ada", "old", 1), ("bob", "new", 2), ("bob", "old", 1)]


async def test_a_result_that_cannot_be_read_stops_no_other() -> None:
    records = MemoryRecords()
    await records.publish(MatchRecord(1, "bids", (), 1, b"", b"\xc1", is_listed=True), keep_s=60)
    await Rater(records, keep_s=60).count()
    assert await waiting(records) == []


async def test_a_rating_that_cannot_be_read_counts_as_none() -> None:
    records = FickleRecords()
    for room, stored in enumerate((b"\xc1", msgspec.msgpack.encode([math.nan, 1.0, 1, "A", None])), start=1):
        game = f"game {room}"
        await records.rate(100 + room, game, [RatingChange("a", None, stored, 0)], keep_s=60)
        assert (await ranking(records, Ranking(1, game))).players == ()
        await publish(records, room, game)
        await Rater(records, keep_s=60).count()
        assert [player.matches for player in (await ranking(records, Ranking(1, game))).players] == [1, 1]


@pytest.mark.parametrize("failing", ["the store", "the arithmetic"])
async def test_a_result_that_fails_is_set_aside_and_others_go_on(
    failing: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "POLL_S", 0.0)
    records = FickleRecords()
    if failing == "the store":
        records.refused.add("broken")
    else:
        absurd = msgspec.msgpack.encode(Rating(1e9, 1.0, 1, "A", None))
        await records.rate(99, "broken", [RatingChange("a", None, absurd, 0)], keep_s=60)
    for room in range(1, 6):
        await publish(records, room, "bids" if room == 5 else "broken")
    rater = Rater(records, keep_s=60)
    for _ in range(3):
        await rater.count()
    assert [result.room for result in await waiting(records)] == [1, 2, 3, 4]
    assert caplog.text.count("result set aside room=") == 4
    records.refused.clear()
    await rater.count()
    assert (await waiting(records) == []) == (failing == "the store")


async def test_a_result_that_rests_is_not_tried_again_at_once() -> None:
    records = FickleRecords()
    records.refused.add("broken")
    await publish(records, 1, "broken")
    rater = Rater(records, keep_s=60)
    for _ in range(5):
        await rater.count()
    assert records.asked == ["broken"]


async def test_a_bug_is_logged_and_the_task_goes_on(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "POLL_S", 0.001)
    records = FickleRecords()
    records.bug = ZeroDivisionError("planted")
    await publish(records, 1, "bids")
    rater = Rater(records, keep_s=60)
    task = rater.start()
    await until(lambda: "planted" in caplog.text)
    assert not task.done()
    records.bug = None

    async def is_counted() -> bool:
        return await waiting(records) == []

    await until(is_counted)
    await rater.close()


async def test_new_results_wake_the_task(node: LittleNode) -> None:
    rater = Rater(node.store.records, keep_s=60)
    node.archiver.published.append(lambda _: rater.wake())
    task = rater.start()
    room, players = await node.table()
    for player in players:
        node.say(player, Offer(50, room, "draw"))
    await node.settle()
    await node.archiver.archived(room)

    async def size() -> int:
        return (await node.store.records.ranking("sealed_bids", offset=0, limit=5))[0]

    for _ in range(1_000):
        if await size() == 2:
            break
        await node.settle()
    assert await size() == 2
    await rater.close()
    assert task.cancelled()
