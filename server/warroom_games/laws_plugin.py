"""A pytest plugin: every law of the games as a test of its own, in three lines of a game's test file.

    from my_game.rules import GAME
    from warroom_games.laws_plugin import laws_of

    test_my_game_keeps_the_law = laws_of(GAME)

Every run of pytest loads this module if Warroom is installed. So it imports nothing of Warroom before it is used, and
ignores tests that `laws_of` did not make. `pytest -m warroom_law` runs only those that it made.
"""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, cast

import pytest

if TYPE_CHECKING:
    from hypothesis.strategies import DataObject

    from warroom_games.api import AnyGame
    from warroom_games.conformance import Law

_MARK = "warroom_law"


def laws_of(*games: "AnyGame", matches: int | None = None) -> Callable[..., None]:
    """Return a test that pytest runs once for each game and law, in *matches* random matches each.

    The default is a tenth of the examples in the Hypothesis profile, because each example is a whole match, checked
    from every seat.
    """
    from hypothesis import given, settings
    from hypothesis import strategies as st

    from warroom_games.conformance import LAWS
    from warroom_games.trials import hold_to, tables

    @pytest.mark.warroom_law
    @pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
    @pytest.mark.parametrize("game", games, ids=lambda game: f"{game.info.id}-{game.info.rules_version}")
    @settings(max_examples=matches or max(settings().max_examples // 10, 1), deadline=None)
    @given(data=st.data())
    def keeps_the_law(game: "AnyGame", law: "Law", data: "DataObject") -> None:
        hold_to(law, game, data.draw(tables(game), label="table"))

    test: Callable[..., None] = keeps_the_law
    return test


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark of the laws."""
    config.addinivalue_line("markers", f"{_MARK}: a law that every game keeps, held against one game")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report the broken law in plain words, after the output of Hypothesis and the traceback."""
    report = yield
    if call.excinfo is not None and report.failed and item.get_closest_marker(_MARK):
        assert isinstance(item, pytest.Function)
        game, law = cast("AnyGame", item.callspec.params["game"]), cast("Law", item.callspec.params["law"])
        report.sections.append(("Law broken", _words(game, law, call.excinfo.value)))
    return report


def _words(game: "AnyGame", law: "Law", error: BaseException) -> str:
    name = law.__name__.replace("_", " ")
    return f"{game.info.name} breaks the law that {name}.\nThe law: {law.__doc__}\nSeen: {error}"
