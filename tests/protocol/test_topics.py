"""Topics are made of numbers and ids, and nobody can make one that means another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_protocol.errors import TopicError
from warroom_protocol.topics import NodeTopic, RoomTopic, Topics, is_prefix, level

TOPICS = Topics("games/warroom")


@pytest.mark.parametrize(
    ("topic", "parsed"),
    [
        (TOPICS.room(7, "about"), RoomTopic(7, "about")),
        (TOPICS.room(2**32 - 1, "state"), RoomTopic(2**32 - 1, "state")),
        (TOPICS.update(7, 3), RoomTopic(7, "update", 3)),
        (TOPICS.lobby("tile_blitz", 7), RoomTopic(7, "lobby")),
        (TOPICS.node("a/b"), NodeTopic("a/b")),
        (TOPICS.notice, None),
        (TOPICS.match("strata", "ended"), None),
        (TOPICS.ranking("strata"), None),
        (TOPICS.wanted("strata"), None),
        ("games/warroom/room/4294967296/about", None),
        ("games/warroom/room/07/about", None),
        ("games/warroom/room/x/about", None),
        ("games/warroom/room/7/update/x", None),
        ("games/warroom/lobby/strata/x", None),
        ("games/other/room/7/about", None),
        ("games/warroom", None),
        ("", None),
    ],
)
def test_a_topic_says_which_room_or_node_it_belongs_to(topic: str, parsed: object) -> None:
    assert TOPICS.parse(topic) == parsed


def test_filters_are_wider_than_topics() -> None:
    assert TOPICS.whole_room(7) == "games/warroom/room/7/#"
    assert TOPICS.wanted("+") == "games/warroom/wanted/+"


@given(st.text())
def test_whatever_a_game_is_called_is_one_level_without_wildcards(name: str) -> None:
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        return
    assert not set("/+#$\0") & set(level(name)) or level(name).startswith("$") is False
    assert TOPICS.lobby(name, 1).count("/") == TOPICS.lobby("x", 1).count("/")
    assert not set("+#") & set(TOPICS.match(name, "ended"))


@pytest.mark.parametrize("prefix", ["warroom", "a/b-c/d_e.f", "x" * 128])
def test_a_prefix_is_levels_of_plain_letters(prefix: str) -> None:
    assert Topics(prefix).notice == f"{prefix}/notice"


@pytest.mark.parametrize("prefix", ["", "/", "a/", "/a", "a//b", "a/+/b", "#", "$SYS", "a b", "ä", "x" * 129])
def test_what_is_no_prefix_is_refused(prefix: str) -> None:
    assert not is_prefix(prefix)
    with pytest.raises(TopicError, match="no topic prefix"):
        Topics(prefix)
