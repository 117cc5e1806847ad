"""The registry: installed games, named ones, and what it says about broken ones."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest
from fake_packages import install_game
from sealed_bids import GAME as BIDS

from warroom_games.api import AnyGame
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.registry import Registry, RegistryError, load_game, load_games


def version(game: AnyGame, rules_version: int) -> AnyGame:
    """A game that says it is another version; nothing of it is ever played."""
    names = [name for name in dir(game) if not name.startswith("_")]
    twin = SimpleNamespace(**{name: getattr(game, name) for name in names})
    twin.info = msgspec.structs.replace(game.info, rules_version=rules_version)
    return cast(AnyGame, twin)


class TestLoading:
    def test_installed_games_are_found_by_their_entry_points(self) -> None:
        assert load_games().get("graph_battle") is GRAPH_BATTLE

    def test_a_game_can_be_named_by_hand(self) -> None:
        assert load_games(["sealed_bids:GAME"]).get("sealed_bids") is BIDS

    def test_naming_an_installed_game_again_changes_nothing(self) -> None:
        assert len(load_games(["warroom_games.graph_battle.rules:GAME"])) == len(load_games())

    @pytest.mark.parametrize(
        ("reference", "says"),
        [
            pytest.param("sealed_bids", "write module:object", id="no object"),
            pytest.param(":GAME", "write module:object", id="no module"),
            pytest.param("no_such_module:GAME", "cannot import 'no_such_module'", id="missing module"),
            pytest.param("sealed_bids:GEM", "has no 'GEM'", id="missing object"),
            pytest.param("sealed_bids:GAME.gem", r"has no 'GAME\.gem'", id="missing attribute"),
            pytest.param("sealed_bids:Bid", "lacks info, state_type", id="not a game"),
            pytest.param("sealed_bids:SealedBids", "must be an object", id="the class, not an object of it"),
        ],
    )
    def test_a_broken_reference_says_what_is_wrong(self, reference: str, says: str) -> None:
        with pytest.raises(RegistryError, match=says) as caught:
            load_game(reference)
        assert reference.split(":")[0] in str(caught.value)


class TestBrokenPackages:
    @pytest.mark.parametrize(
        ("source", "says"),
        [
            pytest.param(None, "ModuleNotFoundError: No module named 'wrecked_rules'", id="deleted"),
            pytest.param("def", "SyntaxError: invalid syntax", id="not Python"),
            pytest.param("from os import nothing_of_this_name", "ImportError: cannot import name", id="a bad import"),
            pytest.param("1 / 0", "ZeroDivisionError: division by zero", id="raises"),
            pytest.param("GEM = 1", "has no 'GAME'", id="no game in it"),
        ],
    )
    def test_one_is_left_out_and_the_reason_told(
        self, source: str | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        install_game(tmp_path, "wrecked", source)
        monkeypatch.syspath_prepend(str(tmp_path))
        games = load_games()
        assert games.get("graph_battle") is GRAPH_BATTLE
        reason = games.left_out["wrecked"]
        assert reason.startswith("game wrecked of the package warroom-wrecked: ")
        assert says in reason
        assert reason.endswith("`pip uninstall warroom-wrecked` removes it")
        assert "\n" not in reason

    def test_one_that_is_wanted_is_an_error(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        install_game(tmp_path, "ruined", "1 / 0")
        monkeypatch.syspath_prepend(str(tmp_path))
        with pytest.raises(RegistryError, match=r"ruined of the package warroom-ruined: .*ZeroDivisionError"):
            load_games().get("ruined")
        with pytest.raises(RegistryError, match="cannot import 'ruined_rules': ZeroDivisionError"):
            load_games(["ruined_rules:GAME"])


ANOTHER = """
from types import SimpleNamespace
from warroom_games.{module} import GAME as MODEL
GAME = SimpleNamespace(**{{name: getattr(MODEL, name) for name in dir(MODEL) if not name.startswith("_")}})
"""


class TestPackagesWithTheSameGame:
    def test_the_later_one_is_left_out_and_both_are_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("copied", "borrowed"):
            install_game(tmp_path, name, ANOTHER.format(module="graph_battle.rules"))
        monkeypatch.syspath_prepend(str(tmp_path))
        games = load_games()
        assert games.get("graph_battle") is GRAPH_BATTLE
        version = GRAPH_BATTLE.info.rules_version
        for name in ("copied", "borrowed"):
            assert games.left_out[name] == (
                f"game {name} of the package warroom-{name}: the package warroom already has "
                f"graph_battle version {version}; `pip uninstall warroom-{name}` removes it"
            )

    def test_two_that_cannot_be_loaded_under_one_name_are_both_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for package in ("two", "one"):
            install_game(tmp_path, "missing", None, package=package)
        monkeypatch.syspath_prepend(str(tmp_path))
        left_out = load_games().left_out
        assert "of the package one:" in left_out["missing"]
        assert "of the package two:" in left_out["missing of two"]

    def test_one_named_by_hand_is_an_error(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "named_rules.py").write_text(ANOTHER.format(module="graph_battle.rules"))
        monkeypatch.syspath_prepend(str(tmp_path))
        with pytest.raises(RegistryError, match="two different games are registered as graph_battle version"):
            load_games(["named_rules:GAME"])


class TestLookup:
    def test_the_newest_version_is_the_usual_one(self) -> None:
        old, new = version(BIDS, 1), version(BIDS, 2)
        registry = Registry([old, new, GRAPH_BATTLE])
        assert registry.get("sealed_bids") is new
        assert registry.get("sealed_bids", 1) is old
        assert registry.newest() == [GRAPH_BATTLE, new]
        assert list(registry) == [GRAPH_BATTLE, new, old]

    def test_an_unknown_game_is_answered_with_the_known_ones(self) -> None:
        with pytest.raises(RegistryError, match="unknown game 'chess'; installed: sealed_bids"):
            Registry([BIDS]).get("chess")
        with pytest.raises(RegistryError, match="installed: none"):
            Registry([]).get("chess")

    def test_an_unknown_version_is_answered_with_the_known_ones(self) -> None:
        with pytest.raises(RegistryError, match=r"no rules version 9; installed: 2, 1"):
            Registry([version(BIDS, 1), version(BIDS, 2)]).get("sealed_bids", 9)

    def test_two_games_cannot_share_a_name_and_a_version(self) -> None:
        with pytest.raises(RegistryError, match="registered as sealed_bids version 7"):
            Registry([version(BIDS, 7), version(BIDS, 7)])
