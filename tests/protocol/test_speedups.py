"""The C module: chosen where it was built, safe with whatever it is given, and without leaks."""

import gc
import importlib.util
import subprocess
import sys
import sysconfig
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from transport_double import TransportDouble

from warroom_protocol import frames, patches
from warroom_server.adapters.websocket import connection

ROOT = Path(__file__).resolve().parents[2]
WITHOUT = ROOT / "benchmarks" / "without_speedups.py"
CHOSEN = {
    patches: ("diff",),
    frames: ("unframe", "frame", "frames"),
    connection: ("broadcast", "write_each"),
}


@pytest.fixture
def c() -> Any:
    """Return the module, which the tests need though Warroom does not."""
    return importlib.import_module("warroom_protocol.speedups")


class Cell(Struct, frozen=True):
    owner: Any
    army: Any = 0


class Loose(Struct):
    value: Any


def test_what_was_compiled_is_used(c: Any) -> None:
    for module, names in CHOSEN.items():
        assert [getattr(module, name) for name in names] == [getattr(c, name) for name in names]


def test_every_function_has_a_python_twin(c: Any) -> None:
    functions = {name for name in dir(c) if not name.startswith("_")}
    assert functions == {name for names in CHOSEN.values() for name in names}
    for module, names in CHOSEN.items():
        assert all(callable(getattr(module, f"python_{name}")) for name in names)


def test_a_process_can_be_run_without_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from warroom_protocol import frames, patches\n"
        "from warroom_server.adapters.websocket import connection\n"
        "assert patches.diff is patches.python_diff\n"
        "assert frames.unframe is frames.python_unframe\n"
        "assert connection.write_each is connection.python_write_each\n"
        "print(sys.argv[1:], patches.diff([1], [2]))\n"
    )
    run = subprocess.run([sys.executable, WITHOUT, program, "a"], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("['a'] [((0,), 2)]\n", "")


# --- what it is given -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["unframe", "frame"])
@pytest.mark.parametrize("value", ["text", None, 1, bytearray(b"abc"), memoryview(b"abc"), [b"abc"]])
def test_only_bytes_are_bytes(c: Any, name: str, value: object) -> None:
    with pytest.raises(TypeError, match="bytes are required"):
        getattr(c, name)(value)


@pytest.mark.parametrize("value", [None, 1, [b"a", "b"], [None], "text"])
def test_frames_are_made_of_several_bytes(c: Any, value: object) -> None:
    with pytest.raises(TypeError):
        c.frames(value)


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2, 3)])
def test_another_number_of_arguments_is_refused(c: Any, arguments: tuple[int, ...]) -> None:
    with pytest.raises(TypeError, match=rf"diff\(\) takes 2 arguments, not {len(arguments)}"):
        c.diff(*arguments)


def test_the_errors_of_an_iterable_come_through(c: Any) -> None:
    def broken() -> Any:
        yield b"a"
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        c.frames(broken())
    with pytest.raises(LookupError, match="no more"):
        c.write_each(Line(b"a", fd=-1) for _ in broken())


class Line:
    """A connection to a descriptor that is not open."""

    def __init__(self, *out: Any, fd: int = 2**30) -> None:
        self.out = [*out]
        self.transport = TransportDouble()
        self.is_closing = False
        self.fd = fd


class ShellDouble:
    """What connections share."""

    is_flush_due = False

    def __init__(self) -> None:
        self.due: list[Any] = []

    def flush_soon(self) -> None:
        self.due.clear()  # the connections in it refer to this


class Viewer(Line):
    """A connection that news can be broadcast to."""

    is_congested = False

    def __init__(self, *out: Any) -> None:
        super().__init__(*out)
        self.shell = ShellDouble()


class Meddler:
    """A key that does something when another is compared with it."""

    def __init__(self, meddle: Callable[[], object] = lambda: None) -> None:
        self.meddle = meddle

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        self.meddle()
        return True


def grow(view: dict[Any, Any]) -> None:
    view.update(dict.fromkeys(map(str, range(100))))


def test_a_list_that_shrinks_under_the_comparison_is_an_error(c: Any) -> None:
    new: list[Any] = [{Meddler(): [1]}, [2], [3]]
    with pytest.raises(RuntimeError, match="changed its size"):
        c.diff([{Meddler(new.clear): [0]}, [1], [2]], new)


def test_a_map_that_grows_under_the_comparison_is_an_error(c: Any) -> None:
    new: dict[Any, Any] = {Meddler(): [1], "b": [2]}
    with pytest.raises(RuntimeError, match="changed its size"):
        c.diff({Meddler(lambda: grow(new)): [0], "b": [1]}, new)


def test_a_map_that_grows_while_keys_are_removed_is_an_error(c: Any) -> None:
    old: dict[Any, Any] = {Meddler(): 1, "gone": 1}
    with pytest.raises(RuntimeError, match="changed its size"):
        c.diff(old, {Meddler(lambda: grow(old)): 1})


def test_what_a_comparison_raises_comes_through(c: Any) -> None:
    def fail() -> None:
        raise LookupError("cannot be compared")

    with pytest.raises(LookupError, match="cannot be compared"):
        c.diff({Meddler(fail): 1}, {Meddler(fail): 2})
    with pytest.raises(TypeError, match="unhashable"):
        c.diff([Unhashable()], [Unhashable()])


class _Unhashable(type):
    __hash__ = None  # type: ignore[assignment]


class Unhashable(metaclass=_Unhashable):
    """A value whose type cannot be looked up."""


def test_a_field_that_was_never_set_is_an_error(c: Any) -> None:
    empty, full = Loose(1), Loose(1)
    del empty.value
    for diff in (c.diff, patches.python_diff):
        for pair in ((empty, full), (full, empty)):
            with pytest.raises(AttributeError):
                diff(*pair)


# --- what it holds ----------------------------------------------------------------------------------------------


def _attempt(call: Callable[[], object]) -> None:
    with suppress(TypeError, ValueError, OverflowError, LookupError, AttributeError):
        call()


VALUE = [10**20]
FRAMES = [bytes(1000), bytes(2000)]
KEY, GONE = "".join(("k", "ey")), "".join(("go", "ne"))  # not interned, for such text may live forever
OLD = {"cells": (Cell(1, VALUE), Cell(2)), "list": [1, 2, 3], KEY: 1, GONE: 1}
NEW = {"cells": (Cell(1, [10**20]), Cell("x")), "list": [1, 4, 5, "tail"], KEY: 2, "new": VALUE}
DEEP: Any = VALUE
DEEPER: Any = [10**21]
for _ in range(40):
    DEEP, DEEPER = [DEEP], {"a": [DEEPER]}
LONG: list[object] = [1] * 5000
LONGER: list[object] = [{}] * 5000


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda c: c.diff(OLD, NEW), id="diff"),
        pytest.param(lambda c: c.diff(NEW, OLD), id="diff back"),
        pytest.param(lambda c: c.diff(DEEP, DEEPER), id="diff deep"),
        pytest.param(lambda c: c.diff({"a": [1, {"b": 1.5}]}, {"a": [2, {"b": 2.5}]}), id="diff foreign"),
        pytest.param(lambda c: c.diff([Unhashable()], [Unhashable()]), id="diff unhashable"),
        pytest.param(lambda c: c.unframe(b"\x82\x83\x01\x02\x03\x04abc"), id="unframe"),
        pytest.param(lambda c: c.unframe(b"\x82\x84\x01\x02\x03\x04abc"), id="unframe something else"),
        pytest.param(lambda c: c.frame(b"abc" * 100), id="frame"),
        pytest.param(lambda c: c.frames(bytes(size) for size in (0, 125, 126, 65_536)), id="frames"),
        pytest.param(lambda c: c.frames([b"a", "b"]), id="frames foreign"),
        pytest.param(lambda c: c.broadcast(FRAMES[0], [Viewer(), Viewer(b"a")]), id="broadcast"),
        pytest.param(lambda c: c.broadcast(FRAMES[0], [Viewer(), None]), id="broadcast to no connection"),
        pytest.param(lambda c: c.broadcast(FRAMES[0], [Line()]), id="broadcast without a shell"),
        pytest.param(lambda c: c.broadcast("text", [Viewer()]), id="broadcast foreign"),
        pytest.param(lambda c: c.write_each([Line(b"abc"), Line(*FRAMES), Line(b"a", fd=-1)]), id="write_each"),
        pytest.param(lambda c: c.write_each([Line(b"abc"), Line(*FRAMES, "de"), Line()]), id="write_each foreign"),
        pytest.param(lambda c: c.write_each([Line(b"abc"), Line(b"abc", fd=10**30)]), id="write_each to no descriptor"),
        pytest.param(lambda c: c.write_each([Line(b"abc"), None]), id="write_each to no connection"),
    ],
)
def test_nothing_leaks(c: Any, call: Callable[[Any], object]) -> None:
    assert_nothing_leaks(c, call, times=500)


def test_a_patch_that_became_too_long_leaks_nothing(c: Any) -> None:
    assert_nothing_leaks(c, lambda c: c.diff(LONG, LONGER), times=50)


def assert_nothing_leaks(c: Any, call: Callable[[Any], object], *, times: int) -> None:
    """Hold that many calls leave neither memory, nor references to what was given."""

    def repeat(times: int) -> tuple[int, int]:
        for _ in range(times):
            _attempt(lambda: call(c))
        gc.collect()
        held = sum(map(sys.getrefcount, (VALUE, *FRAMES, KEY, GONE, OLD, NEW, DEEP, DEEPER, Cell, patches)))
        return tracemalloc.get_traced_memory()[0], held

    tracemalloc.start()
    try:
        memory, held = repeat(times // 10)
        memory_later, held_later = repeat(times)
    finally:
        tracemalloc.stop()
    assert held_later == held
    assert memory_later - memory < times * 16  # a leaked object would be larger


def test_what_it_knows_of_a_struct_is_not_held_once_more_by_each_call(c: Any) -> None:
    c.diff(Cell(1), Cell(2))
    (layout,) = [known[Cell] for known in gc.get_referents(c) if isinstance(known, dict) and Cell in known]
    held = sys.getrefcount(layout)
    for _ in range(100):
        c.diff(Cell(1), Cell(2))
    assert sys.getrefcount(layout) == held


def test_the_patch_shares_its_values_with_the_view(c: Any) -> None:
    value = {"many": list(range(10))}
    ((_, shared),) = c.diff({"a": 1}, {"a": value})
    assert shared is value


# --- how it is built --------------------------------------------------------------------------------------------


def test_each_interpreter_has_a_module_of_its_own(c: Any) -> None:
    """A second instance, as in a second interpreter, shares nothing with the first."""
    spec = importlib.util.find_spec("warroom_protocol.speedups")
    assert spec is not None
    second = importlib.util.module_from_spec(spec)
    assert second is not c
    assert spec.loader is not None
    spec.loader.exec_module(second)
    assert second.diff([Cell(1)], [Cell(2)]) == c.diff([Cell(1)], [Cell(2)])
    del second
    gc.collect()
    assert c.diff([Cell(1)], [Cell(2)])


def test_the_compiler_has_nothing_to_warn_of(tmp_path: Path) -> None:
    source = ROOT / "protocol" / "warroom_protocol" / "speedups.c"
    command = ["gcc", "-O2", "-fPIC", "-c", "-o", str(tmp_path / "speedups.o"), str(source)]
    command += ["-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wshadow", "-Wvla", "-Werror"]
    command += ["-isystem", sysconfig.get_path("include")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.stderr, run.returncode) == ("", 0)
