"""The bots, and how they are found."""

import sys
from pathlib import Path

import pytest
import sealed_bids
from fake_packages import install_bot

from warroom_bots.api import Decision
from warroom_bots.games.graph_battle import SimpleBot
from warroom_bots.random_bot import RandomBot
from warroom_bots.registry import UnknownBotError, bots_for, find_bot
from warroom_bots.simulation import simulate
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.registry import Registry
from warroom_games.replay import verify
from warroom_games.rng import Rng

KEY = bytes(16)
END_TURN = {"type": "end_turn"}


def attack(source: int, target: int) -> dict[str, object]:
    return {"type": "attack", "source": source, "target": target}


def decision(strengths: list[int], *attacks: dict[str, object]) -> Decision:
    public = {"nodes": [{"color": "red", "strength": strength} for strength in strengths], "turn": 1}
    return Decision(0, public, None, (*attacks, END_TURN), complete=True)


@pytest.mark.parametrize(
    ("strengths", "attacks", "chosen"),
    [
        pytest.param([5, 2, 4], [attack(0, 1), attack(0, 2)], attack(0, 1), id="the greatest advantage"),
        pytest.param([2, 1], [attack(0, 1)], attack(0, 1), id="a small advantage is one"),
        pytest.param([3, 3], [attack(0, 1)], END_TURN, id="equal strength is none"),
        pytest.param([2, 9], [attack(0, 1)], END_TURN, id="never from the weaker side"),
        pytest.param([1, 1], [], END_TURN, id="nothing to attack with"),
    ],
)
def test_the_simple_bot_attacks_only_with_greater_strength(
    strengths: list[int], attacks: list[dict[str, object]], chosen: dict[str, object]
) -> None:
    assert SimpleBot(Rng(KEY)).choose(decision(strengths, *attacks)) == chosen


def test_the_simple_bot_draws_among_equally_good_attacks() -> None:
    bot = SimpleBot(Rng(KEY))
    choices = [bot.choose(decision([5, 1, 1], attack(0, 1), attack(0, 2))) for _ in range(40)]
    assert attack(0, 1) in choices
    assert attack(0, 2) in choices


def test_the_random_bot_plays_everything_that_is_legal() -> None:
    bot = RandomBot(Rng(KEY))
    chosen = [bot.choose(decision([5, 1], attack(0, 1))) for _ in range(40)]
    assert END_TURN in chosen
    assert attack(0, 1) in chosen


def test_bots_of_a_game_are_found_by_name() -> None:
    assert {"greedy", "random", "search", "simple"} <= bots_for("graph_battle").keys()
    assert sorted(bots_for("sealed_bids")) == ["random"]
    assert find_bot("graph_battle").name == "simple"
    assert find_bot("sealed_bids").name == "random"


def test_an_unknown_bot_is_reported_with_the_known_ones() -> None:
    with pytest.raises(
        UnknownBotError, match=r"unknown bot 'deep' for graph_battle; installed: greedy, level:1, .*, random, "
    ):
        find_bot("graph_battle", "deep")


def test_simulating_twice_gives_the_same_bytes_and_another_seed_others() -> None:
    bots = [find_bot("graph_battle", "simple"), find_bot("graph_battle", "random")]
    first, second = simulate(GRAPH_BATTLE, bots, seed="7"), simulate(GRAPH_BATTLE, bots, seed="7")
    assert first.replay == second.replay
    assert first.replay != simulate(GRAPH_BATTLE, bots, seed="8").replay


def test_a_simulated_match_with_secrets_verifies() -> None:
    bots = [find_bot("sealed_bids")] * 3
    simulated = simulate(sealed_bids.GAME, bots, seed="7", options={"rounds": 3})
    found = verify(simulated.replay, Registry([sealed_bids.GAME]))
    assert found.chain == simulated.match.chain
    assert [sitter.name for sitter in found.players if sitter] == ["random 1", "random 2", "random 3"]


def test_a_bot_sees_no_more_than_its_views() -> None:
    seen: list[Decision] = []

    class Spy(RandomBot):
        def choose(self, decision: Decision) -> object:
            seen.append(decision)
            return super().choose(decision)

    spy = type(find_bot("sealed_bids"))(name="spy", game=None, summary="", make=Spy)
    simulate(sealed_bids.GAME, [spy, spy], seed="1")
    keys = {frozenset(each.private) for each in seen if isinstance(each.private, dict)}
    assert keys == {frozenset({"hand", "bid", "peeks", "next_prize"})}
    assert all(isinstance(each.public, dict) and "deck" not in each.public for each in seen)


@pytest.mark.parametrize("source", ["import nothing_of_the_kind", "BOT = 7", ""], ids=["raising", "wrong", "empty"])
def test_a_broken_bot_does_not_take_the_others_with_it(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install_bot(tmp_path, "broken", source)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "broken_bot", raising=False)
    assert "broken" not in bots_for("graph_battle")
    assert "greedy" in bots_for("graph_battle")
    assert "bot skipped name=broken" in caplog.text
