"""How many rooms there may be: counted once each, for as long as there is a reason."""

import pytest

from warroom_server.lobby.quota import Quota


@pytest.fixture
def over() -> set[int]:
    """Return the rooms whose match is over."""
    return set()


@pytest.fixture
def quota(over: set[int]) -> Quota:
    """Return a quota of three rooms, two to a player or to an address."""
    return Quota(in_all=3, per_player=2, per_address=2, is_over=over.__contains__)


def test_a_player_and_a_node_may_have_so_many_and_no_more(quota: Quota) -> None:
    for number in (1, 2):
        assert quota.refusal("ada", number, "") is None
        quota.add("ada", number)
    assert quota.refusal("ada", 3, "") == "a player may have 2 unfinished rooms"
    assert quota.refusal("bob", 3, "") is None
    quota.add("bob", 3)
    assert quota.refusal("bob", 4, "") == "this server holds at most 3 rooms"


def test_a_single_room_is_spoken_of_as_one() -> None:
    quota = Quota(in_all=9, per_player=1, per_address=1, is_over=lambda number: False)
    quota.add("ada", 1, "10.0.0.1")
    assert quota.refusal("ada", 2, "") == "a player may have 1 unfinished room"
    assert quota.refusal("bob", 2, "10.0.0.1") == "from one address there may be 1 unfinished room"


def test_a_room_that_is_counted_already_may_be_wished_for_again(quota: Quota) -> None:
    for number in (1, 2):
        quota.add("ada", number)
    assert quota.refusal("ada", 2, "") is None


def test_a_match_that_is_over_is_not_held_against_its_creator(quota: Quota, over: set[int]) -> None:
    for number in (1, 2):
        quota.add("ada", number)
    over.add(1)
    assert quota.refusal("ada", 3, "") is None


def test_a_room_counts_until_the_last_reason_is_gone(quota: Quota) -> None:
    for _ in range(2):
        quota.add("ada", 1)
    quota.discard(1)
    assert (len(quota), quota.origins) == (1, 1)
    quota.discard(1)
    assert (len(quota), quota.origins) == (0, 0)


def test_players_who_come_from_one_address_share_what_it_may_have(quota: Quota, over: set[int]) -> None:
    for number, player in enumerate(("ada", "bob")):
        assert quota.refusal(player, number, "10.0.0.1") is None
        quota.add(player, number, "10.0.0.1")
    assert quota.refusal("eve", 2, "10.0.0.1") == "from one address there may be 2 unfinished rooms"
    assert quota.refusal("eve", 2, "10.0.0.2") is None
    over.add(1)
    assert quota.refusal("eve", 2, "10.0.0.1") is None


def test_a_room_counts_for_its_address_until_the_last_reason_is_gone(quota: Quota) -> None:
    quota.add("ada", 1, "10.0.0.1")
    quota.add("ada", 1)
    quota.discard(1)
    assert quota.address_of(1) == "10.0.0.1"
    quota.discard(1)
    assert quota.address_of(1) == ""
    for number in (2, 3):
        quota.add("bob", number, "10.0.0.1")
        quota.discard(number)
    assert quota.refusal("ada", 4, "10.0.0.1") is None
