"""What is found retained of rooms and nodes that are gone."""

import json

from feed_room import TOPICS

from warroom_server.feed.cleanup import PRESENT_MS, look_through

NOW = 10 * PRESENT_MS


def told(node: str, **more: object) -> bytes:
    return json.dumps({"node": node, **more}).encode()


def swept(found: dict[str, bytes], hosted: frozenset[int] = frozenset()) -> tuple[dict[int, list[str]], list[str]]:
    remains = look_through(TOPICS, found.items(), node="me", hosted=hosted, wall_ms=NOW)
    rooms = {room: [publication.topic for publication in taken_back] for room, taken_back in remains.rooms.items()}
    assert all(not p.payload and p.retained for taken_back in remains.rooms.values() for p in taken_back)
    return rooms, [publication.topic for publication in remains.wrong]


def test_rooms_of_nodes_that_are_gone_and_own_ones_that_ended_are_found() -> None:
    rooms, wrong = swept(
        {
            TOPICS.node("me"): told("me", beat_ms=0),
            TOPICS.node("other"): told("other", beat_ms=NOW - 1),
            TOPICS.room(1, "about"): told("me"),
            TOPICS.room(2, "about"): told("other"),
            TOPICS.room(3, "about"): told("dead"),
            TOPICS.room(4, "about"): told("me"),
            TOPICS.lobby("strata", 3): told("dead"),
        },
        hosted=frozenset({4}),
    )
    assert wrong == []
    assert sorted(rooms) == [1, 3]
    assert rooms[3][0] == TOPICS.lobby("strata", 3)
    assert rooms[3][-1] == TOPICS.room(3, "about")
    assert rooms[1] == [TOPICS.room(1, part) for part in ("snapshot", "json", "state", "about")]


def test_a_node_that_fell_silent_is_taken_back_with_its_rooms() -> None:
    rooms, wrong = swept(
        {TOPICS.node("mute"): told("mute", beat_ms=NOW - PRESENT_MS), TOPICS.room(1, "about"): told("mute")}
    )
    assert (list(rooms), wrong) == ([1], [TOPICS.node("mute")])


def test_what_nobody_can_make_sense_of_goes() -> None:
    rooms, wrong = swept(
        {
            TOPICS.room(1, "about"): b"poison",
            f"{TOPICS.prefix}/room/x/about": told("me"),
            f"{TOPICS.prefix}/lobby/strata/-1": told("me"),
            TOPICS.node("bad"): b"\xff",
            TOPICS.room(2, "about"): b"[" * 10_000,
        }
    )
    assert sorted(rooms) == [1, 2]
    assert sorted(wrong) == sorted(
        [f"{TOPICS.prefix}/room/x/about", f"{TOPICS.prefix}/lobby/strata/-1", TOPICS.node("bad")]
    )
