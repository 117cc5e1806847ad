"""`warroom balance`."""

import json
import re
from pathlib import Path

import pytest
from fake_packages import install_bot
from sealed_bids import GAME

from warroom_bots.balance import Balance, Comparison, Played, measure_balance, measure_bot, usual_bot, usual_tables
from warroom_games.registry import load_games
from warroom_server.cli import main

MAKER = """
from warroom_bots.api import BotKind
from warroom_bots.random_bot import RandomBot

def BOT(game):
    return [BotKind(name="eager", game=game.info.id, summary="random", make=RandomBot)]
"""
SEALED_BIDS = ["sealed_bids", "--game", "sealed_bids:GAME"]


def played(*ranks: int, turns: int = 5, reason: str = "victory", traits: tuple[str, ...] = ()) -> Played:
    return Played(turns, 2 * turns, reason, ranks, traits)


def test_victories_are_counted_by_seat_and_shared_ones_in_parts() -> None:
    balance = Balance(GAME, "random", 2, (played(1, 2), played(1, 2), played(2, 1), played(1, 1)))
    assert [share.won for share in balance.by_seat()] == [0.625, 0.375]
    assert balance.by_trait() == []


def test_victories_are_counted_by_what_the_seats_were_dealt() -> None:
    matches = (
        played(1, 2, traits=("elf", "orc")),
        played(1, 2, traits=("orc", "elf")),
        played(2, 1, traits=("elf", "orc")),
    )
    shares = Balance(GAME, "random", 2, matches).by_trait()
    assert {share.name: share.matches for share in shares} == {"elf": 3, "orc": 3}
    assert {share.name: share.won for share in shares} == pytest.approx({"elf": 1 / 3, "orc": 2 / 3})


def test_lengths_are_reported_by_deciles_and_ends_by_their_rule() -> None:
    matches = tuple(played(1, 2, turns=turns, reason="cap" if turns > 9 else "victory") for turns in range(13))
    balance = Balance(GAME, "random", 2, matches)
    assert balance.spread(lambda match: match.turns) == (1, 6, 11)
    assert balance.by_rule == pytest.approx(10 / 13)
    assert Balance(GAME, "random", 2, matches[3:4]).spread(lambda match: match.actions) == (6, 6, 6)


def test_what_chance_does_not_explain_is_marked() -> None:
    fair = Balance(GAME, "random", 2, (played(1, 2), played(2, 1)) * 50)
    unfair = Balance(GAME, "random", 2, (played(1, 2),) * 90 + (played(2, 1),) * 10)
    assert [share.is_off for share in fair.by_seat()] == [False, False]
    assert [share.is_off for share in unfair.by_seat()] == [True, True]


def test_every_seat_of_thardferr_is_dealt_a_race_of_its_own() -> None:
    game = load_games().get("thardferr")
    heard: list[int] = []
    bot = usual_bot(game, "random")
    balance = measure_balance(game, bot, seats=2, matches=3, seed="1", options={"max_turns": 5}, progress=heard.append)
    assert heard == [1, 2, 3]
    assert all(len(set(match.traits)) == 2 for match in balance.played)
    chosen = {"max_turns": 5, "race_2": "elf"}
    (match,) = measure_balance(game, bot, seats=2, matches=1, seed="1", options=chosen, progress=heard.append).played
    assert match.traits[1] == "elf"


def test_the_greedy_bot_is_preferred_and_the_usual_one_replaces_it() -> None:
    tile_blitz = load_games().get("tile_blitz")
    assert usual_bot(tile_blitz, None).name == "greedy"
    assert usual_bot(tile_blitz, "random").name == "random"
    assert usual_bot(GAME, None).name == "random"
    assert usual_tables(GAME) == [2, 3]


def test_bots_that_packages_make_play_a_game_given_by_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_bot(tmp_path, "eager", MAKER)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["balance", *SEALED_BIDS, "--matches", "2", "--bots", "eager", "--brief"]) == 0
    assert "2 matches of eager, " in capsys.readouterr().out


def test_the_tables_of_both_usual_sizes_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["balance", *SEALED_BIDS, "--matches", "4"]) == 0
    out = capsys.readouterr().out
    assert out.count("4 matches of `random`, rules version 1.") == 2
    assert "### Sealed Bids: 2 seats" in out
    assert "| Seat | 0 | 1 | 2 |" in out
    assert "Ended by rule 100%, by the length limit 0%." in out


def test_a_bot_plays_against_others_from_each_seat_in_turn() -> None:
    game, heard = load_games().get("graph_battle"), list[int]()
    bots = usual_bot(game, "greedy"), usual_bot(game, "random")
    options = {"reinforcement": "capital"}
    comparison = measure_bot(game, *bots, seats=3, matches=6, seed="1", options=options, progress=heard.append)
    assert heard == [1, 2, 3, 4, 5, 6]
    assert (comparison.bot, comparison.rival, len(comparison.ranks)) == ("greedy", "random", 6)
    assert comparison.top(1) >= 0.5
    swapped = measure_bot(game, *bots[::-1], seats=3, matches=6, seed="1", options=options, progress=heard.append)
    assert swapped.top(1) < comparison.top(1)


def test_ranks_against_others_are_counted_from_the_top() -> None:
    comparison = Comparison(GAME, "greedy", "random", 5, (1, 1, 2, 3, 5))
    assert (comparison.top(1), comparison.top(2), comparison.top(5)) == (0.4, 0.6, 1.0)
    assert (comparison.share.won, comparison.share.fair) == (0.4, 0.2)


def test_strength_is_printed_in_a_line_or_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["balance", *SEALED_BIDS, "--against", "random", "--seats", "2", "--matches", "8"]
    assert main(command) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("Sealed Bids, 2 seats: 8 matches of random against random, first ")
    assert line.endswith("% (fair: 50.0% ± 35.4%), first or second 100.0%")
    assert main([*command, "--json"]) == 0
    (counts,) = json.loads(capsys.readouterr().out)
    assert (counts["against"], counts["matches"], counts["first_or_second"]) == ("random", 8, 1.0)
    assert f"first {counts['first']:.1%} " in line


def test_a_bot_that_fails_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(decision):\n    return 1 // 0\n")
    assert main(["balance", *SEALED_BIDS, "--bots", str(bot)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert re.match(r"warroom balance: the bot bot at seat \d fails: ZeroDivisionError: ", line)
    assert line.endswith(" (bot.py, line 2)")


def test_a_brief_report_has_a_line_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["balance", *SEALED_BIDS, "--matches", "4", "--brief"]) == 0
    two, three = capsys.readouterr().out.splitlines()
    assert two.startswith("Sealed Bids, 2 seats: 4 matches of random, by rule 100%, median ")
    assert three.endswith("% (fair: 33.3% ± 47.1%)")


def test_the_same_seed_counts_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    counts = []
    for seed in ("1", "1", "2"):
        assert main(["balance", *SEALED_BIDS, "--matches", "9", "--seats", "3", "--seed", seed, "--json"]) == 0
        counts.append(json.loads(capsys.readouterr().out))
    assert counts[0] == counts[1] != counts[2]
    (only,) = counts[0]
    assert (only["game"], only["seats"], only["matches"], only["by_rule"]) == ("sealed_bids", 3, 9, 1.0)
    assert sum(only["wins_by_seat"]) == pytest.approx(1)


def test_a_page_keeps_what_stands_around_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Before\n\n<!-- tables: sealed_bids -->\nold\n<!-- end of tables -->\n\nAfter.\n")
    command = ["balance", *SEALED_BIDS, "--matches", "2", "--seats", "2", "--write", str(page)]
    assert main(command) == main(command) == 0
    text = page.read_text()
    assert text.startswith("# Before\n\n<!-- tables: sealed_bids -->\n\n### Sealed Bids: 2 seats")
    assert text.endswith("\n\n<!-- end of tables -->\n\nAfter.\n")
    assert "old" not in text
    assert text.count("### ") == 1


def test_a_page_without_a_place_is_refused_before_a_match_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.md").write_text("nothing")
    assert main(["balance", *SEALED_BIDS, "--write", str(tmp_path / "page.md")]) == 2
    assert main(["balance", *SEALED_BIDS, "--write", str(tmp_path / "none.md")]) == 1
    refused, missing = capsys.readouterr().err.splitlines()
    assert "<!-- tables: sealed_bids -->" in refused
    assert "none.md" in missing


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["chess"], "unknown game 'chess'", id="unknown game"),
        pytest.param(["graph_battle", "--bots", "deep"], "unknown bot 'deep' for graph_battle", id="unknown bot"),
        pytest.param(["graph_battle", "--option", "max_rounds=0"], "max_rounds", id="option out of range"),
        pytest.param(["all", "--seats", "9"], "seats, not 9", id="seats"),
        pytest.param(["graph_battle", "--against", "deep"], "unknown bot 'deep' for graph_battle", id="unknown rival"),
        pytest.param(["graph_battle", "--against", "random", "--write", "page.md"], "--against", id="no place"),
    ],
)
def test_a_wrong_wish_is_one_line_and_usage(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["balance", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
