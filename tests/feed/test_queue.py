"""What is published of a room, in which order, and what is left out when it is too much; in virtual time."""

import json
from typing import Any

import pytest
from feed_room import NODE, TOPICS, WALL_MS, FedTable, Shelf
from room_table import ALICE, BOB, NAMES, ROOM
from sealed_bids import GAME, Bid

from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import Clock, Notice, Paused, Snapshot, Update
from warroom_server.feed import queue as boards
from warroom_server.feed.queue import SNAPSHOT_MS
from warroom_server.feed.room_queue import name_of
from warroom_server.ports.feed import Publication
from warroom_server.room.commands import Command, Pause, Unpause
from warroom_server.room.viewer_addresses import FEED

OPTIONS: dict[str, object] = {"rounds": 4, "cards": 8, "peeks": 2}


def playing(**room_options: object) -> FedTable:
    table = FedTable(GAME, options=OPTIONS, room_options=room_options)
    table.published()
    table.now = SNAPSHOT_MS
    for seat in (ALICE, BOB):
        table.join(seat)
    return table


def bid_all(table: FedTable) -> None:
    for seat in (ALICE, BOB):
        table.act(seat, Bid(table.room.match.state.secrets[seat].hand[0]))


def parts(publications: list[Publication]) -> list[str]:
    return [publication.topic.removeprefix(f"{TOPICS.prefix}/room/{ROOM}/") for publication in publications]


def read(publication: Publication) -> Any:
    return json.loads(publication.payload)


def test_a_room_comes_with_all_that_a_spectator_is_told() -> None:
    table = FedTable(GAME, options=OPTIONS)
    publications = table.published()
    assert parts(publications) == ["about", "state", f"warroom/lobby/sealed_bids/{ROOM}", "snapshot", "json"]
    assert all(publication.retained for publication in publications)
    assert [publication.qos for publication in publications] == [1, 1, 1, 0, 0]
    about, state, listing, snapshot, twin = publications
    assert read(about)["options"] == OPTIONS
    assert (read(state)["phase"], read(state)["node"]) == ("lobby", NODE)
    assert read(listing)["code"] == read(about)["code"]
    message = decode_server(snapshot.payload)
    assert isinstance(message, Snapshot)
    assert read(twin) == {
        "node": NODE, "room": ROOM, "life": 1, "p": 0, "public": None, "public_sum": message.public_sum,
        "clock": {"at": 0, "turn": 0, "deadline": None, "banks": []},
    }  # fmt: skip


def test_room_time_is_null_before_the_match_and_known_during_it() -> None:
    lobby, match = (
        [read(publication) for publication in table.published() if publication.topic.endswith("/state")][-1]
        for table in (FedTable(GAME, options=OPTIONS), playing())
    )
    assert (lobby["phase"], lobby["at"]) == ("lobby", None)
    assert (match["phase"], match["at"]) == ("playing", SNAPSHOT_MS)


def test_the_snapshot_has_the_bytes_that_any_spectator_gets() -> None:
    table = playing()
    table.watch(300)
    [snapshot] = [publication for publication in table.published() if publication.topic.endswith("/snapshot")]
    assert snapshot.payload in table.payloads[300]


def test_of_a_room_that_may_be_anothers_nothing_is_told_until_that_is_known() -> None:
    table = playing()
    table.published()
    bid_all(table)
    table.is_anyones = True
    assert table.published() == []
    assert table.queue.due_at() != 0
    news = Publication("news", b"of the node")
    table.queue.tell(news)
    assert table.published() == [news]
    table.is_anyones = False
    table.queue.sure()
    assert table.queue.due_at() == 0
    assert parts(table.published())[0] == "update/1"


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_room_in_doubt_is_looked_at_once_however_much_is_told_of_others(is_lost: bool) -> None:
    table, looks = playing(), list[int]()
    doubtful = range(ROOM + 1, ROOM + 101)

    def is_in_doubt(number: int) -> bool:
        looks.append(number)
        return number in doubtful

    table.rooms.is_in_doubt = is_in_doubt  # type: ignore[method-assign]
    for room in doubtful:
        table.queue.enter(room, GAME.info.id, is_shown=False)
    for _ in range(3):
        bid_all(table)
        assert table.published()
        assert table.queue.due_at() != 0
    assert sum(room in doubtful for room in looks) == len(doubtful)
    looks.clear()
    if is_lost:
        table.queue.lost()
        table.queue.opened()
    else:
        table.queue.sure()
    table.published()
    assert sum(room in doubtful for room in looks) == len(doubtful)


def test_a_room_that_leaves_while_it_is_in_doubt_is_looked_at_no_more() -> None:
    table = playing()
    table.is_anyones = True
    assert table.published() == []
    table.queue.leave(ROOM, is_over=False)
    table.is_anyones = False
    table.queue.sure()
    assert table.published() == []


def test_updates_go_out_as_they_are_before_the_snapshot_that_has_them_in_it() -> None:
    table = playing()
    published = table.published()
    assert parts(published)[:1] == ["update/1"]
    assert parts(published).index("update/1") < parts(published).index("snapshot")
    update = decode_server(published[0].payload)
    snapshot = decode_server(published[parts(published).index("snapshot")].payload)
    assert isinstance(update, Update)
    assert isinstance(snapshot, Snapshot)
    assert (update.p, snapshot.p) == (1, 1)
    assert not published[0].retained
    assert published[0].qos == 0


def test_snapshots_of_a_room_are_two_seconds_apart_and_always_the_newest() -> None:
    table = playing()
    table.published()
    began = table.now
    taken: list[tuple[int, int]] = []
    for now in range(began, began + 3 * SNAPSHOT_MS, 100):
        table.now = now
        if not table.room.is_over:
            bid_all(table)
        for publication in table.published():
            if publication.topic.endswith("/snapshot"):
                message = decode_server(publication.payload)
                assert isinstance(message, Snapshot)
                taken.append((now - began, message.p))
                assert message.p == table.room._log.streams.numbers(None)[0]
    assert [at for at, _ in taken] == [SNAPSHOT_MS]
    assert table.queue.due_at() is None


def test_the_clock_says_when_the_next_snapshot_is_due() -> None:
    table = playing()
    table.published()
    bid_all(table)
    assert table.queue.due_at() == 0
    table.published()
    assert table.queue.due_at() == table.now + SNAPSHOT_MS


def test_a_hidden_step_leaves_no_trace() -> None:
    table = playing()
    table.published()
    table.act(ALICE, Bid(table.room.match.state.secrets[ALICE].hand[0]))
    assert table.published() == []
    assert table.queue.due_at() is None


def test_what_has_no_number_is_told_when_it_changes_and_only_then() -> None:
    table = playing()
    table.published()
    table.tell(Pause("store"))
    [state] = table.published()
    at = table.now
    assert (read(state)["paused"], read(state)["at"]) == ("store", at)
    table.now += 700
    table.tell(Unpause())
    [state] = table.published()
    assert (read(state)["paused"], read(state)["at"], read(state)["wall_ms"]) == (None, at, WALL_MS + at + 700)
    table.queue.fed(ROOM, table.payloads[FEED][-1], table.now)
    assert table.published() == []


def test_a_match_that_ends_is_told_with_its_result_and_is_listed_no_longer() -> None:
    table = playing()
    shelf = table.shelf
    while not table.room.is_over:
        bid_all(table)
        table.published()
    table.now += SNAPSHOT_MS
    table.published()
    state = json.loads(shelf.kept[TOPICS.room(ROOM, "state")])
    assert state["phase"] == "ended"
    result = table.room.match.result
    assert result is not None
    assert state["ended"]["ranks"] == list(result.ranks)
    assert TOPICS.lobby("sealed_bids", ROOM) not in shelf.kept
    assert json.loads(shelf.kept[TOPICS.room(ROOM, "json")])["p"] == table.room._log.streams.numbers(None)[0]
    table.queue.leave(ROOM, is_over=True)
    table.published()
    assert shelf.kept == {}


def test_about_is_taken_back_last_so_that_remains_are_found() -> None:
    table = playing()
    table.published()
    table.queue.leave(ROOM, is_over=True)
    assert parts(table.published())[-1] == "about"


def test_a_room_that_another_node_goes_on_with_is_not_taken_back() -> None:
    table = playing()
    table.published()
    table.queue.leave(ROOM, is_over=False)
    assert table.published() == []
    assert ROOM not in table.queue
    table.queue.fed(ROOM, b"\x91\xa6update", 0)
    assert table.published() == []


def test_a_room_that_comes_back_is_not_taken_back_after_all() -> None:
    table = playing()
    table.published()
    table.queue.leave(ROOM, is_over=True)
    table.queue.clear([Publication("warroom/other", retained=True)])
    table.queue.enter(ROOM, "sealed_bids", is_shown=True)
    assert parts(table.published())[-1] == "warroom/other"
    assert TOPICS.room(ROOM, "about") in table.shelf.kept


def test_a_room_that_nobody_may_watch_is_listed_and_nothing_else() -> None:
    table = FedTable(GAME, options=OPTIONS, room_options={"watch": "nobody"})
    assert parts(table.published()) == [f"warroom/lobby/sealed_bids/{ROOM}"]
    for seat in (ALICE, BOB):
        table.join(seat)
    bid_all(table)
    assert table.published() == []
    table.queue.lost()
    table.queue.opened()
    assert parts(table.published()) == [f"warroom/lobby/sealed_bids/{ROOM}"]


def test_after_a_break_everything_is_published_anew() -> None:
    table = playing()
    table.published()
    before, table.shelf = table.shelf, Shelf()
    table.queue.lost()
    bid_all(table)
    assert table.queue.waiting == 0
    assert table.queue.due_at() is None
    table.queue.opened()
    table.published()
    assert table.shelf.kept.keys() == before.kept.keys()
    assert json.loads(table.shelf.kept[TOPICS.room(ROOM, "json")])["p"] == table.room._log.streams.numbers(None)[0]


def test_nothing_is_taken_back_while_there_is_no_line() -> None:
    table = playing()
    table.queue.lost()
    table.queue.leave(ROOM, is_over=True)
    table.queue.opened()
    assert table.published() == []


@pytest.mark.parametrize(("limit", "value"), [("UPDATES", 2), ("UPDATES_BYTES", 300)])
def test_a_room_whose_updates_do_not_fit_goes_on_with_the_newest_snapshot(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(boards, limit, value)
    table = playing()
    table.published()
    for _ in range(3):
        bid_all(table)
        assert table.queue.waiting <= 2
    assert table.queue.counters.dropped_updates == 3
    table.now += SNAPSHOT_MS
    published = table.published()
    assert "update/1" not in parts(published)
    snapshot = decode_server(published[parts(published).index("snapshot")].payload)
    assert isinstance(snapshot, Snapshot)
    assert snapshot.p == table.room._log.streams.numbers(None)[0]
    bid_all(table)
    assert parts(table.published())[0] == "update/1"
    assert table.queue.waiting == 0


def test_rooms_take_turns() -> None:
    table = playing()
    table.published()
    table.queue.enter(1, "other", is_shown=False)
    table.queue.enter(2, "other", is_shown=False)
    for _ in range(2):
        bid_all(table)
    first = [table.queue.next(table.now) for _ in range(4)]
    topics = [publication.topic for publication in first if publication is not None]
    assert topics == [
        TOPICS.lobby("other", 1), TOPICS.lobby("other", 2), TOPICS.update(ROOM, 1), TOPICS.update(ROOM, 1)
    ]  # fmt: skip


def test_of_too_many_news_the_oldest_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "NEWS", 3)
    table = playing()
    table.queue.lost()
    for number in range(5):
        table.queue.tell(Publication(f"news/{number}"))
    assert table.queue.waiting == 3
    assert table.queue.counters.dropped_news == 2
    table.queue.opened()
    assert [publication.topic for publication in table.published()[:3]] == ["news/2", "news/3", "news/4"]


def test_what_concerns_everybody_in_a_room_is_a_notice() -> None:
    table = playing()
    table.published()
    table.queue.fed(ROOM, encode(Notice(ROOM, "internal", "the room was closed")), table.now)
    [notice] = table.published()
    assert notice.topic == "warroom/notice"
    assert read(notice) == {"node": NODE, "room": ROOM, "code": "internal", "detail": "the room was closed"}


def test_a_delayed_room_is_published_as_late_as_spectators_see_it() -> None:
    table = playing(delay=2)
    table.published()
    turns: list[int] = []
    for viewer in range(300, 400):
        if table.room.is_over:
            break
        table.now += SNAPSHOT_MS
        bid_all(table)
        table.watch(viewer)
        for publication in table.published():
            if publication.topic.endswith("/snapshot"):
                assert publication.payload in table.payloads[viewer]
                snapshot = decode_server(publication.payload)
                assert isinstance(snapshot, Snapshot)
                assert snapshot.clock.turn < table.room.match.turn
                turns.append(snapshot.clock.turn)
            if publication.topic.endswith("/state"):
                assert (read(publication)["ended"], read(publication)["at"]) == (None, None)
    assert turns


def test_names_of_people_are_in_no_topic() -> None:
    table = playing()
    bid_all(table)
    topics = {publication.topic for publication in table.published()}
    assert not [topic for topic in topics for name in NAMES if name in topic.lower()]


def test_a_message_without_a_short_name_is_none_of_ours() -> None:
    assert name_of(b"\x91\xd9\x21" + b"x" * 33) == b""
    table = playing()
    table.published()
    table.queue.fed(ROOM, b"\x91\xa4said", table.now)
    assert table.published() == []


class Failing(FedTable):
    """A table whose room answers the feed nothing, or is gone when it is asked."""

    is_gone = False

    def told_by_feed(self, command: Command) -> None:
        if self.is_gone:
            self.queue.leave(ROOM, is_over=False)


def test_a_room_that_does_not_answer_holds_nothing_up() -> None:
    table = Failing(GAME, options=OPTIONS)
    assert parts(table.published()) == [f"warroom/lobby/sealed_bids/{ROOM}"]
    table.queue.fed(ROOM, encode(Update(ROOM, 1, [], (), Clock(0, 1, None), None)), table.now)
    table.queue.fed(ROOM, encode(Paused(ROOM, 5, "store")), table.now)
    [state] = table.published()
    assert (read(state)["paused"], read(state)["at"]) == ("store", 5)
    assert "phase" not in read(state)


def test_a_room_that_goes_when_it_is_asked_is_gone() -> None:
    table = Failing(GAME, options=OPTIONS)
    table.is_gone = True
    assert table.published() == []
    assert ROOM not in table.queue
