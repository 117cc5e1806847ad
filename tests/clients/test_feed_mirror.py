"""A follower of the feed has the exact public view, or knows that its copy is stale, whenever it starts."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from feed_room import TOPICS, WALL_MS, FedTable
from hypothesis import given
from hypothesis import strategies as st
from room_table import ALICE, BOB, ROOM
from sealed_bids import GAME, Bid

from warroom_client import Ended, Refreshed, SeatsChanged, Updated
from warroom_client.feed_mirror import FeedMirror
from warroom_protocol.canonical import canonical, checksum
from warroom_protocol.codec import encode
from warroom_protocol.messages import Clock, Snapshot, Update
from warroom_server.feed.queue import SNAPSHOT_MS
from warroom_server.ports.feed import Publication

OPTIONS: dict[str, object] = {"rounds": 8, "cards": 12, "peeks": 2}


class World:
    """A room on the feed, followers with different starts, and the view at each number."""

    def __init__(self) -> None:
        self.table = FedTable(GAME, options=OPTIONS)
        self.followers: list[FeedMirror] = []
        self.views: dict[int, bytes] = {}
        self.lost: set[int] = set()
        """The followers that miss the current messages."""
        self.publish()
        for seat in (ALICE, BOB):
            self.table.join(seat)
        self.publish()

    @property
    def p(self) -> int:
        return self.table.room._log.streams.numbers(None)[0]

    @property
    def public(self) -> bytes:
        state = self.table.room.match.state
        return canonical(None if state is None else GAME.public(state))

    def play(self) -> None:
        if not self.table.room.is_over:
            for seat in (ALICE, BOB):
                self.table.act(seat, Bid(self.table.room.match.state.secrets[seat].hand[0]))
        self.views[self.p] = self.public

    def publish(self) -> None:
        self.views[self.p] = self.public
        for publication in self.table.published():
            for number, follower in enumerate(self.followers):
                if number not in self.lost:
                    self.deliver(follower, publication.topic, publication.payload)

    def come(self) -> None:
        follower = FeedMirror(ROOM, TOPICS)
        self.followers.append(follower)
        for topic, payload in self.table.shelf.kept.items():
            self.deliver(follower, topic, payload)

    def wait(self) -> None:
        self.table.now += SNAPSHOT_MS // 3

    def break_off(self) -> None:
        self.table.queue.lost()
        self.table.queue.opened()

    def deliver(self, follower: FeedMirror, topic: str, payload: bytes) -> tuple[Any, ...]:
        now = self.table.now
        happened = follower.receive(topic, payload, now=now, wall_ms=WALL_MS + now)
        self.check(follower)
        return happened

    def check(self, follower: FeedMirror) -> None:
        """A copy equals the view of its number, or is marked stale."""
        mirror = follower.mirror
        if not mirror.is_stale:
            assert canonical(mirror.public) == self.views[mirror.p]


MOVES: dict[str, Callable[[World], object]] = {
    "play": World.play,
    "publish": World.publish,
    "come": World.come,
    "wait": World.wait,
    "lose for the first": lambda world: setattr(world, "lost", {0}),
    "lose for all": lambda world: setattr(world, "lost", set(range(len(world.followers)))),
    "lose for none": lambda world: setattr(world, "lost", set()),
    "break the line": World.break_off,
}


@given(st.lists(st.sampled_from(sorted(MOVES)), max_size=40))
def test_every_follower_gets_the_exact_view_whenever_it_comes_and_whatever_it_misses(moves: list[str]) -> None:
    world = World()
    for move in moves:
        MOVES[move](world)
    world.lost = set()
    world.come()
    # One change and the time until its snapshot: then everybody is right, or the match was over for all of them.
    world.play()
    world.publish()
    world.table.now += SNAPSHOT_MS
    world.play()
    world.publish()
    world.table.now += SNAPSHOT_MS
    world.publish()
    for topic, payload in world.table.shelf.kept.items():
        for follower in world.followers:
            world.deliver(follower, topic, payload)
    for follower in world.followers:
        assert follower.is_complete
        assert (follower.mirror.p, canonical(follower.mirror.public)) == (world.p, world.public)


def test_a_follower_in_step_needs_no_snapshot_and_hears_every_event() -> None:
    world = World()
    world.table.now = SNAPSHOT_MS
    world.publish()
    world.come()
    [follower] = world.followers
    bids = 0
    while not world.table.room.is_over:
        world.play()
        for publication in world.table.published():
            happened = world.deliver(follower, publication.topic, publication.payload)
            assert not any(isinstance(event, Refreshed) for event in happened)
            bids += sum(isinstance(event, Updated) for event in happened)
            if any(isinstance(event, Ended) for event in happened):
                assert follower.mirror.phase == "ended"
    assert bids == 8
    assert follower.mirror.ended is not None


def test_the_state_waits_for_the_view_so_that_the_end_is_not_too_early() -> None:
    world = World()
    while not world.table.room.is_over:
        world.play()
    world.publish()
    world.table.now += SNAPSHOT_MS
    world.publish()
    follower = FeedMirror(ROOM, TOPICS)
    kept = world.table.shelf.kept
    assert world.deliver(follower, TOPICS.room(ROOM, "state"), kept[TOPICS.room(ROOM, "state")]) == ()
    happened = world.deliver(follower, TOPICS.room(ROOM, "snapshot"), kept[TOPICS.room(ROOM, "snapshot")])
    assert [type(event) for event in happened] == [Refreshed, SeatsChanged, Ended]


def test_time_since_the_state_was_published_is_counted() -> None:
    world = World()
    world.table.now = 5_000
    world.play()
    world.publish()
    world.table.now = 7_000
    world.come()
    [follower] = world.followers
    deadline = world.table.room.match.deadline
    assert deadline is not None
    assert follower.mirror.remaining_ms(7_000) == deadline - 7_000


def test_another_life_makes_numbers_void_until_its_snapshot_comes() -> None:
    world = World()
    world.come()
    [follower] = world.followers
    clock = Clock(0, 1, None)
    update = encode(Update(ROOM, 2, [], (), clock, None))
    follower.receive(TOPICS.update(ROOM, 2), update, now=0, wall_ms=0)
    assert follower.mirror.is_stale
    old = world.table.shelf.kept[TOPICS.room(ROOM, "snapshot")]
    new = encode(Snapshot(ROOM, 2, 1, 0, {"row": []}, None, clock, checksum({"row": []}), checksum(None)))
    follower.receive(TOPICS.room(ROOM, "snapshot"), new, now=0, wall_ms=0)
    assert (follower.mirror.life, follower.mirror.p, follower.mirror.is_stale) == (2, 1, False)
    follower.receive(TOPICS.room(ROOM, "snapshot"), old, now=0, wall_ms=0)
    follower.receive(TOPICS.update(ROOM, 1), update, now=0, wall_ms=0)
    assert (follower.mirror.life, follower.mirror.p) == (2, 1)


@pytest.mark.parametrize("part", ["about", "state", "snapshot", "update/1", "json", "other"])
@pytest.mark.parametrize(
    "payload", [b"junk", b"{}", b"[]", b"\xc1", b"null", b'{"seats": 3, "ended": null, "moved": null, "room": 1}',
                b"\x92\xa5error\xc0", b"[" * 5_000, encode(Update(1, 1, [], (), Clock(0, 0, None), None))]
)  # fmt: skip
def test_poison_changes_nothing(part: str, payload: bytes) -> None:
    world = World()
    world.come()
    [follower] = world.followers
    before = (follower.about, follower.mirror.public, follower.mirror.p, follower.mirror.seats)
    assert follower.receive(f"warroom/room/{ROOM}/{part}", payload, now=0, wall_ms=0) == ()
    assert (follower.about, follower.mirror.public, follower.mirror.p, follower.mirror.seats) == before
    assert follower.is_complete


def test_other_rooms_are_other_business_and_a_room_that_goes_is_gone() -> None:
    world = World()
    world.come()
    [follower] = world.followers
    publication = Publication(TOPICS.room(ROOM + 1, "about"))
    world.deliver(follower, publication.topic, publication.payload)
    world.deliver(follower, TOPICS.notice, json.dumps({}).encode())
    assert not follower.is_gone
    world.deliver(follower, TOPICS.room(ROOM, "about"), b"")
    assert follower.is_gone
