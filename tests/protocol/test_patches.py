"""Patches: what they say, that they are right for any two views, and that they cost what changed."""

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from typing import Any, TypeAlias

import pytest
from golden_patches import PATCHES, golden_patches
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.msgpack import decode, encode
from msgspec.structs import replace
from protocol_document import GUIDE

from warroom_protocol.canonical import canonical, plain
from warroom_protocol.errors import PatchError
from warroom_protocol.limits import MAX_OPERATIONS, MAX_PATH
from warroom_protocol.patches import Patch, apply, diff_visits, python_diff

Diff: TypeAlias = Callable[[object, object], Patch]


class Cell(Struct, frozen=True):
    owner: int | None = None
    army: Any = 0


class Board(Struct, frozen=True, tag="board", rename="camel"):
    turn_number: int
    cells: tuple[Any, ...]
    notes: Any = None


class Nothing(Struct, frozen=True):
    pass


class Marked(Struct, frozen=True, tag="marked", rename={"first": "\uffff", "second": "\U00010000"}):
    """A tag among its keys, and keys that UTF-16 sorts otherwise."""

    first: Any
    second: Any


scalars = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.integers(0, 2) | st.text(max_size=3)
keys = st.sampled_from(["a", "b", "c", "é", "", "\uffff", "\U00010000"])  # the last two sort otherwise by UTF-16


def containers(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return (
        st.lists(children, max_size=6)
        | st.lists(children, max_size=6).map(tuple)
        | st.dictionaries(keys, children, max_size=4)
        | st.builds(Cell, owner=scalars, army=children)
        | st.builds(Board, turn_number=scalars, cells=st.lists(children, max_size=4).map(tuple), notes=children)
        | st.builds(Marked, first=children, second=children)
        | st.just(Nothing())
    )


views = st.recursive(scalars, containers, max_leaves=20)


@pytest.fixture(scope="module", params=["python", "c"])
def diff(request: pytest.FixtureRequest) -> Diff:
    """Return the specification, and the same in C."""
    if request.param == "python":
        return python_diff
    from warroom_protocol import speedups

    return speedups.diff


def sent(patch: object) -> Any:
    return decode(encode(patch))


@st.composite
def changed(draw: st.DrawFn, view: Any) -> Any:
    """Return a view that shares most of its subtrees with *view*, as two positions of one game do."""
    if draw(st.integers(0, 4)) == 0:
        return draw(views)
    if isinstance(view, Struct):
        name = draw(st.sampled_from([*view.__struct_fields__, ""]))
        return replace(view, **{name: draw(changed(getattr(view, name)))}) if name else view
    if isinstance(view, dict):
        kept = {key: value for key, value in view.items() if draw(st.booleans())}
        return kept | {key: draw(changed(view.get(key))) for key in draw(st.lists(keys, max_size=2))}
    if isinstance(view, tuple | list):
        items = [draw(changed(item)) if draw(st.integers(0, 3)) == 0 else item for item in view]
        del items[draw(st.integers(0, 9)) : draw(st.integers(0, 9))]
        return type(view)([*items, *draw(st.lists(scalars, max_size=2))])
    return view


@given(views, views)
def test_a_patch_turns_any_view_into_any_other(diff: Diff, old: object, new: object) -> None:
    assert canonical(apply(plain(old), sent(diff(old, new)))) == canonical(new)


@given(st.data())
def test_a_patch_between_views_that_share_subtrees_is_right(diff: Diff, data: st.DataObject) -> None:
    old = data.draw(views)
    new = data.draw(changed(old))
    assert canonical(apply(plain(old), sent(diff(old, new)))) == canonical(new)


@given(st.data())
def test_c_finds_the_very_patch_of_python(data: st.DataObject) -> None:
    from warroom_protocol import speedups

    old = data.draw(views)
    new = data.draw(views | changed(old))
    assert repr(speedups.diff(old, new)) == repr(python_diff(old, new))  # 1 == True, but not as text


@given(views, views)
def test_the_function_of_the_guide_applies_patches_too(old: object, new: object) -> None:
    names: dict[str, Any] = {}
    exec(GUIDE.read_text().split("<!-- patched -->\n```python\n")[1].split("```")[0], names)
    held = view = plain(old)
    for operation in sent(python_diff(old, new)):
        view = names["patched"](view, *operation)
    assert canonical(view) == canonical(new)
    assert canonical(held) == canonical(old)


def test_the_golden_patches_are_what_diff_makes() -> None:
    assert PATCHES.read_text() == golden_patches()
    for case in json.loads(PATCHES.read_text()):
        assert canonical(apply(case["before"], case["patch"])) == canonical(case["after"])


@given(views)
def test_there_is_no_patch_between_a_view_and_its_copy(diff: Diff, view: object) -> None:
    assert diff(view, deepcopy(view)) == []


@given(views, views)
def test_applying_leaves_view_and_patch_as_they_were(diff: Diff, old: object, new: object) -> None:
    view, patch = plain(old), sent(diff(old, new))
    before = canonical(view), canonical(patch)
    apply(view, patch)
    assert (canonical(view), canonical(patch)) == before


@given(views, views)
def test_counting_visits_changes_no_patch(diff: Diff, old: object, new: object) -> None:
    assert diff_visits(old, new)[0] == diff(old, new)


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        pytest.param({"a": 1}, {"a": 2}, [[["a"], 2]], id="a value is set"),
        pytest.param({"a": 1}, {"a": True}, [[["a"], True]], id="1 is not true"),
        pytest.param({"a": 1}, {"a": 1, "b": 2}, [[["b"], 2]], id="a key is added"),
        pytest.param({"a": 1, "b": 2}, {"a": 1}, [[["b"]]], id="a key is removed"),
        pytest.param({"a": 1, "b": 2}, {"c": 3, "a": 1}, [[["c"], 3], [["b"]]], id="one key comes, one goes"),
        pytest.param(None, {"a": 1}, [[[], {"a": 1}]], id="the root is set"),
        pytest.param([1, 2, 3], [1, 5, 3], [[[1], 5]], id="one item changes"),
        pytest.param([1, 2], [1, 2, 3], [[[], 2, [3]]], id="an item is appended"),
        pytest.param([1, 2, 3], [1], [[[], 1, []]], id="the tail is cut"),
        pytest.param([1, 2, 3, 4, 5], [1, 3, 4, 5], [[[], 1, [3, 4, 5]]], id="an item leaves the middle"),
        pytest.param([3, 4], [4], [[[], 0, [4]]], id="the first of two items goes"),
        pytest.param([1, 2, 3, 4], [1, 3, 4, 5], [[[], 1, [3, 4, 5]]], id="a hand plays one card and draws another"),
        pytest.param([1, 2, 3, 4, 5], [9, 2, 3, 4, 8], [[[0], 9], [[4], 8]], id="few of many items change"),
        pytest.param([1, 2, 3, 4], [9, 2, 3, 8], [[[0], 9], [[3], 8]], id="half of the items change"),
        pytest.param(([1], [2]), [[1], [3]], [[[1, 0], 3]], id="tuples and lists are alike"),
        pytest.param([{"a": 1}, {"a": 2}], [{"a": 3}, {"a": 4}], [[[0, "a"], 3], [[1, "a"], 4]], id="maps in a list"),
        pytest.param([{"a": 1}], [{"a": 2}, {"a": 3}], [[[0, "a"], 2], [[], 1, [{"a": 3}]]], id="change and append"),
        pytest.param({"a": [1]}, {"a": {"b": 1}}, [[["a"], {"b": 1}]], id="another kind of node"),
        pytest.param(Cell(1, 2), Cell(1, 3), [[[0], 3]], id="a Struct is the map of its fields"),
        pytest.param(Cell(1, 2), Nothing(), [[[], {}]], id="another Struct is another map"),
        pytest.param(Board(1, ()), Board(2, ()), [[[2], 2]], id="fields sort by the names they are sent under"),
    ],
)
def test_a_patch_says_what_changed(diff: Diff, old: object, new: object, patch: object) -> None:
    assert sent(diff(old, new)) == patch


def test_equal_values_that_are_two_objects_make_no_patch(diff: Diff) -> None:
    number, text = 10**6, "a b"
    again = [int(str(number)), " ".join(text)]
    assert diff([number, " ".join(text)], again) == []


def test_only_what_changed_is_visited() -> None:
    cells = tuple(Cell(index % 3, index) for index in range(1000))
    old = Board(1, cells, {"log": tuple(range(1000))})
    new = replace(old, cells=(*cells[:500], Cell(0, 7), *cells[501:]))
    patch, visits = diff_visits(old, new)
    assert sent(patch) == [[[0, 500, 1], 0], [[0, 500, 0], 7]]
    assert visits == 5  # board, cells, the cell, its two fields
    assert diff_visits(old, old) == ([], 0)


def test_what_lies_too_deep_is_replaced_as_a_whole(diff: Diff) -> None:
    def nested(value: object, depth: int) -> object:
        return nested([value], depth - 1) if depth else value

    old, new = nested([1, 2], MAX_PATH), nested([1, 3], MAX_PATH)
    assert diff(old, new) == [((0,) * MAX_PATH, [1, 3])]
    assert apply(old, diff(old, new)) == new


def test_a_patch_of_too_many_operations_becomes_a_new_root(diff: Diff) -> None:
    old = [{"n": index} for index in range(MAX_OPERATIONS + 1)]
    new = [{"n": index + 1} for index in range(MAX_OPERATIONS + 1)]
    assert diff(old, new) == [((), new)]


@pytest.mark.parametrize("foreign", [1.5, b"bytes", {1, 2}])
def test_a_value_that_no_view_may_hold_is_a_programmers_mistake(diff: Diff, foreign: Any) -> None:
    other = type(foreign)()
    with pytest.raises(TypeError, match="a view holds plain values"):
        diff({"a": foreign}, {"a": other})


class Row(Struct, frozen=True, array_like=True):
    value: int


class Sparse(Struct, frozen=True, omit_defaults=True):
    value: int = 0


@pytest.mark.parametrize("kind", [Row, Sparse])
def test_a_struct_that_is_no_map_of_its_fields_is_a_programmers_mistake(diff: Diff, kind: Any) -> None:
    with pytest.raises(TypeError, match="a map of all their fields"):
        diff(kind(1), kind(2))


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param(None, id="no list"),
        pytest.param({}, id="a map"),
        pytest.param([[["a"], 1]] * (MAX_OPERATIONS + 1), id="too many operations"),
        pytest.param([None], id="no operation"),
        pytest.param([[]], id="an empty operation"),
        pytest.param([[["a"], 1, [], 0]], id="a long operation"),
        pytest.param([["a", 1]], id="a path that is no list"),
        pytest.param([[["a"] * (MAX_PATH + 1), 1]], id="a long path"),
        pytest.param([[[]]], id="the root removed"),
        pytest.param([[["x"]]], id="an absent key removed"),
        pytest.param([[["list", 0]]], id="an item removed"),
        pytest.param([[["x", "y"], 1]], id="a key below nothing"),
        pytest.param([[["a", "y"], 1]], id="a key below a number"),
        pytest.param([[[2], 1]], id="a position past the last key"),
        pytest.param([[[-1], 1]], id="a negative position"),
        pytest.param([[[True], 1]], id="a boolean for a position"),
        pytest.param([[[2]]], id="a key removed past the last"),
        pytest.param([[[2, 0], 1]], id="a path through a position past the last key"),
        pytest.param([[[None], 1]], id="nothing for a key"),
        pytest.param([[["list", "0"], 1]], id="a key into a list"),
        pytest.param([[["list", 2], 1]], id="an index past the end"),
        pytest.param([[["list", -1], 1]], id="a negative index"),
        pytest.param([[["list", False], 1]], id="a boolean for an index"),
        pytest.param([[["list", 2, "a"], 1]], id="a path past the end"),
        pytest.param([[["list", -1, "a"], 1]], id="a path through a negative index"),
        pytest.param([[["list"], 3, []]], id="more kept than there are"),
        pytest.param([[["list"], -1, []]], id="a negative number kept"),
        pytest.param([[["list"], True, []]], id="a boolean number kept"),
        pytest.param([[["list"], 1, {}]], id="items that are no list"),
        pytest.param([[["a"], 0, []]], id="a number cut"),
        pytest.param([[[], 0, []]], id="a map cut"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused_and_changes_nothing(patch: object) -> None:
    view = {"a": 1, "list": [{"a": 1}, 2]}
    good_first = [[["a"], 2], *patch] if isinstance(patch, list) else patch
    with pytest.raises(PatchError):
        apply(view, good_first)
    assert view == {"a": 1, "list": [{"a": 1}, 2]}


@given(views, views.map(plain))
def test_any_nonsense_for_a_patch_is_refused_as_such(view: object, nonsense: Any) -> None:
    plain_view = plain(view)
    for patch in (nonsense, [nonsense], [[nonsense, nonsense]], [[nonsense, 1, nonsense]]):
        with suppress(PatchError):
            apply(plain_view, patch)
    assert canonical(plain_view) == canonical(view)


@given(st.data())
def test_a_position_is_the_place_of_the_key_in_the_canonical_bytes(data: st.DataObject) -> None:
    view = plain(data.draw(st.dictionaries(st.text(max_size=3) | keys, scalars, min_size=1)))
    position = data.draw(st.integers(0, len(view) - 1))
    key = list(decode(canonical(view)))[position]
    assert apply(view, [[[position], [1]]]) == {**view, key: [1]}
    assert apply(view, [[[position], [1]], [[position, 0], 2]]) == {**view, key: [2]}
    assert apply(view, [[[position]]]) == {name: value for name, value in view.items() if name != key}


def test_unchanged_parts_are_shared_with_the_view_before() -> None:
    view = {"left": {"n": 1}, "right": {"n": 1}}
    after = apply(view, [[["left", "n"], 2]])
    assert after == {"left": {"n": 2}, "right": {"n": 1}}
    assert after["right"] is view["right"]
