"""The law that the rules page mentions every refusal code, for games with a page of their own."""

import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest
from sealed_bids import GAME, Options

from warroom_games.api import AnyGame
from warroom_games.law import LawBrokenError
from warroom_games.playthrough import play
from warroom_games.refusals import codes_in_source, refusal_codes_are_on_the_rules_page

RULES = """
from sealed_bids import SealedBids

from warroom_games.api import IllegalActionError


class Rules(SealedBids):
    def check(self, state, seat, action):
        try:
            super().check(state, seat, action)
        except IllegalActionError as error:
            if state.table.round > 10_000:
                raise IllegalActionError("bid.never", "not even once") from error
            raise IllegalActionError(f"{error.code}_{PLAYED}", error.detail) from error


PLAYED = "late"
GAME = Rules()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose packages can be imported, and are forgotten at the end."""
    known = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in set(sys.modules) - known:
        del sys.modules[name]


def game_with(folder: Path, name: str, page: str) -> AnyGame:
    """Return the game of a new package with that rules page."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text("")
    (folder / name / "rules.py").write_text(RULES)
    (folder / name / "RULES.md").write_text(page)
    invalidate_caches()
    game: AnyGame = import_module(f"{name}.rules").GAME
    return game


def hold(game: AnyGame) -> None:
    refusal_codes_are_on_the_rules_page(play(game, 3, Options(), b"the page is here"))


def all_codes(game: AnyGame) -> list[str]:
    return [raised.code for raised in codes_in_source(game)]


def test_a_game_without_a_page_keeps_the_law() -> None:
    hold(GAME)


def test_the_source_shows_codes_of_the_game_and_of_what_it_is_derived_from(folder: Path) -> None:
    game = game_with(folder, "derived", "")
    assert set(all_codes(GAME)) | {"bid.never"} == set(all_codes(game))
    assert {"bid.waiting", "bid.spent"} < set(all_codes(GAME))


def test_a_code_that_no_match_meets_is_missed_by_its_line(folder: Path) -> None:
    game = game_with(folder, "rare", "")
    known = [code for code in all_codes(game) if code != "bid.never"]
    page = "\n".join(f"| `{code}` | `{code}_late` |" for code in known)
    (folder / "rare" / "RULES.md").write_text(f"{page}\nbid.nevermore, my.bid.never and bid.never.ever are others")
    with pytest.raises(LawBrokenError, match=r"^the rules page does not mention bid\.never \(line 13 of rules\.py\)$"):
        hold(game)
    (folder / "rare" / "RULES.md").write_text(f"{page}\nat last, bid.never.")
    hold(game)


def test_a_code_that_the_source_does_not_show_is_found_by_playing(folder: Path) -> None:
    game = game_with(folder, "computed", "")
    (folder / "computed" / "RULES.md").write_text(" ".join(all_codes(game)))
    with pytest.raises(LawBrokenError, match=r"the rules page does not mention \w+\.\w+_late"):
        hold(game)
