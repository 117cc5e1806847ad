"""Who gives how many matches to whom: a law, and cases by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_server.cluster.load_shares import LEAST, PART, gifts, is_uneven

LOADS = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(0, 200), max_size=8)


def after(loads: dict[str, int]) -> dict[str, int]:
    """Return what everybody has once all have given what they had to."""
    settled = dict(loads)
    for giver in loads:
        for taker in gifts(giver, loads):
            settled[giver] -= 1
            settled[taker] += 1
    return settled


@given(loads=LOADS)
def test_everybody_ends_with_its_share_by_as_few_moves_as_can_be_and_nothing_moves_again(loads: dict[str, int]) -> None:
    settled = after(loads)
    if not loads:
        return
    share = sum(loads.values()) / len(loads)
    assert max(settled.values()) - min(settled.values()) <= 1
    for node, load in loads.items():
        moved = gifts(node, loads)
        assert len(moved) == max(0, load - settled[node]), "who gives takes nothing"
        assert not moved or load > share, "nobody gives who has no more than its share"
    assert after(settled) == settled


@given(loads=LOADS, change=st.integers(1 - LEAST // 2, LEAST // 2 - 1), data=st.data())
def test_a_few_that_begin_or_end_afterwards_are_not_worth_a_move(
    loads: dict[str, int], change: int, data: st.DataObject
) -> None:
    settled = after(loads)
    for node in data.draw(st.sets(st.sampled_from(sorted(loads)))) if loads else ():
        settled[node] = max(0, settled[node] + change)
    assert not is_uneven(settled)


@pytest.mark.parametrize(
    ("loads", "expected"),
    [
        pytest.param({"a": 30, "b": 30, "c": 0}, {"a": "c" * 10, "b": "c" * 10}, id="one came back empty"),
        pytest.param({"a": 60, "b": 0, "c": 0}, {"a": "b" * 20 + "c" * 20}, id="two did"),
        pytest.param({"a": 25, "b": 24, "c": 0}, {"a": "c" * 8, "b": "c" * 8}, id="whoever has most keeps the odd one"),
        pytest.param({**dict.fromkeys("abcdefghi", 100), "z": 0}, dict.fromkeys("abcdefghi", "z" * 10), id="ten nodes"),
        pytest.param({"a": 21, "b": 20, "c": 19}, {"a": "c"}, id="however little it is"),
        pytest.param({"a": 500}, {}, id="alone"),
        pytest.param({}, {}, id="nobody"),
    ],
)
def test_who_gives_to_whom(loads: dict[str, int], expected: dict[str, str]) -> None:
    assert {node: "".join(sorted(given)) for node in loads if (given := gifts(node, loads))} == expected


@pytest.mark.parametrize(
    ("loads", "is_worth_it"),
    [
        pytest.param({"a": 2 * LEAST - 1, "b": 0}, False, id="a few"),
        pytest.param({"a": 2 * LEAST, "b": 0}, True, id="enough"),
        pytest.param({"a": 100 + 100 // PART - 1, "b": 100, "c": 100 - 100 // PART + 1}, False, id="a small part"),
        pytest.param({"a": 100, "b": 100, "c": 100, "d": 60}, True, id="one that lacks enough"),
        pytest.param({"a": 500}, False, id="alone"),
        pytest.param({}, False, id="nobody"),
    ],
)
def test_what_is_worth_a_move(loads: dict[str, int], is_worth_it: bool) -> None:
    assert is_uneven(loads) == is_worth_it
