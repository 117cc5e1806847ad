"""How hard the tests try: `./dev test` and `./dev test --long` choose a profile, plain pytest gets the quick one."""

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# These helpers assert for the tests that use them, and a failure should show the values there as well.
pytest.register_assert_rewrite("rules_page")

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "dev")
TESTS = Path(__file__).parent

# A busy machine must not fail a test, so nothing here looks at the wall clock. What is left out here would come from
# Hypothesis's own defaults, which are others where the variable CI is set.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True, derandomize=False)

_COUNTED = ("secrecy cases", "law cases", "events compared")
"""How the properties begin by which tests tell how many cases there were."""

settings.register_profile("dev", _PATIENT, max_examples=50)
settings.register_profile("ci", _PATIENT, max_examples=100, derandomize=True)
settings.register_profile("long", _PATIENT, max_examples=1000)
settings.load_profile(PROFILE)


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the identities of players and bots out of the home folder of the user who runs the tests."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many cases the tests of laws and of secrecy have looked at, game by game, and of which events."""
    reports = terminalreporter.getreports("passed")
    counted = [told for report in reports for told in report.user_properties if told[0].startswith(_COUNTED)]
    for name in sorted({name for name, _ in counted}):
        found = [count for told, count in counted if told == name]
        words = [word for word in found if isinstance(word, str)]
        terminalreporter.write_line(f"{name}: {words[0] if words else sum(found)}")


def pytest_configure(config: pytest.Config) -> None:
    """Let each of several processes begin with another folder, if all are to be read.

    A file that is read for the first time takes far longer, and whoever has read it keeps it for the others. What is
    named is read whatever was to be ignored, so then the order stays as it is.
    """
    worker = getattr(config, "workerinput", None)
    ignored = config.getoption("ignore") or config.getoption("ignore_glob")
    if worker is not None and not ignored and [Path(argument).resolve() for argument in config.args] == [TESTS]:
        places = [str(path) for path in sorted(TESTS.iterdir()) if path.is_dir() or path.match("test_*.py")]
        first = len(places) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args = places[first:] + places[:first]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the collector of garbage away from modules and tests, which stay: to look all of them through takes long."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests marked `long` to the long run."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path)  # the processes divide one list among them, whatever they read first
    if PROFILE == "long":
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
