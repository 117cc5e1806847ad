"""`warroom check-game`."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from fake_packages import install_game

from warroom_games.conformance import LAWS
from warroom_server.cli import main

CONSERVED = "conserved_quantities_are_conserved"
EVENTS = "events_tell_no_more_than_views"
NAMES = [law.__name__ for law in LAWS]


def test_a_lawful_game_gets_a_line_for_each_law(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "sealed_bids", "--examples", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(LAWS)]] == NAMES
    assert all(line.endswith("kept in 2 matches") for line in lines[: len(LAWS)])
    assert lines[-4] == f"Sealed Bids (rules version 1) keeps all {len(LAWS)} laws."
    assert lines[-3] == "The game has no rules page, so its refusal codes were looked up nowhere."
    compared = r"Events compared between indistinguishable worlds: committed \d+, left \d+, .*\d+\."
    assert re.fullmatch(compared, lines[-2])
    assert lines[-1] == "Conserved quantities checked at each step: cards, prizes."


def test_what_gets_lost_is_named_with_the_step_that_lost_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "broken_games:CARELESS", "--law", CONSERVED, "--examples", "2"]) == 1
    out = capsys.readouterr().out
    assert (
        "  the law:  Each step leaves all conserved quantities unchanged, except for changes that its events report."
        in out
    )
    assert "  found:    prizes: 1 before seat 0 has left, 0 after it, expected 1\n" in out
    assert "Counted" not in out


@pytest.mark.parametrize(
    ("name", "way"),
    [
        pytest.param("WHISPERED", "private", id="to every seat alone"),
        pytest.param("SHOUTED", "public", id="to all"),
    ],
)
def test_hands_in_an_event_are_found_and_named(name: str, way: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Only this law is broken: views, answers and what is imagined are those of an honest game."""
    assert main(["check-game", f"telling_dice:{name}"]) == 1
    out = capsys.readouterr().out
    assert f"Liar's Dice (rules version 1) breaks 1 of {len(LAWS)} laws." in out
    seen = rf"^  found:    event 'cups' \({way}\), field hands\[0\]\[0\]: seat 1 is told \d here and \d there, and sees"
    assert re.search(seen, out, re.MULTILINE)
    assert f"  rerun:    warroom check-game telling_dice:{name} --law {EVENTS} --examples 25 --seed 1\n" in out


def test_honest_dice_keep_every_law_and_their_events_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "telling_dice:HONEST", "--examples", "5"]) == 0
    assert re.search(
        r"^Events compared .*: bid \d+, left \d+, rolled \d+, shown 0\.$", capsys.readouterr().out, re.MULTILINE
    )
    assert main(["check-game", "telling_dice:HONEST", "--examples", "5", "--law", EVENTS, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["laws"]
    assert sorted(found["compared"]) == ["bid", "left", "rolled", "shown"]
    assert [name for name, count in found["compared"].items() if not count] == ["shown"]
    assert found["hiding"] == 5


def test_a_game_that_hides_nothing_is_said_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "strata", "--examples", "1", "--law", EVENTS]) == 0
    out = capsys.readouterr().out
    assert out.endswith("The game hides nothing, so there are no hidden worlds to compare events between.\n")
    assert main(["check-game", "strata", "--examples", "1", "--law", EVENTS, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["laws"]
    assert found["hiding"] == 0
    assert set(found["compared"].values()) == {0}


def test_a_card_named_face_down_is_found_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "face_down:HONEST", "--examples", "5"]) == 0
    assert main(["check-game", "face_down:NAMED", "--examples", "5"]) == 1
    out = capsys.readouterr().out
    assert f"Face Down (rules version 1) breaks 1 of {len(LAWS)} laws." in out
    assert "  found:    event 'laid' (public), field card: seat 1 is told" in out


def test_a_game_without_conserved_quantities_gets_a_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-game", "uncounted", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(tmp_path / "uncounted"))
        assert main(["check-game", "uncounted", "--law", CONSERVED, "--examples", "2"]) == 0
    assert capsys.readouterr().out.endswith("add `conserved` to it.\n")


def test_a_broken_law_is_explained_with_the_smallest_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "broken_games:MUTE", "--examples", "2"]) == 1
    out = capsys.readouterr().out
    assert f"Sealed Bids (rules version 1) breaks 1 of {len(LAWS)} laws." in out
    assert "  the law:  Every view can be drawn as printable text.\n" in out
    assert "  found:    '' is not a drawing\n" in out
    assert f'  smallest: 2 seats, options {{"rounds":1,"cards":1,"peeks":0}}, key {"00" * 16}\n' in out


def test_what_it_says_to_type_shows_the_same_again(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check-game", "broken_games:MUTE", "--law", "views_can_be_drawn", "--examples", "3", "--seed", "9"])
    out = capsys.readouterr().out
    (again,) = [line.removeprefix("  rerun:    warroom ") for line in out.splitlines() if "rerun:" in line]
    assert main(shlex.split(again)) == 1
    assert capsys.readouterr().out == out


def test_an_exception_of_a_game_has_its_name_and_place(capsys: pytest.CaptureFixture[str]) -> None:
    law = "somebody_acts_until_the_result"
    assert main(["check-game", "broken_games:FAILING", "--law", law, "--examples", "5"]) == 1
    out = capsys.readouterr().out
    assert "IndexError: tuple index out of range (line " in out
    assert "broken_games.py)" in out


def test_a_crash_is_reported_once_for_all_laws_in_which_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    """Playing a match calls nothing that fails; the laws that ask for the turn do."""
    laws = ["views_are_plain", "turns_belong_to_their_seats", "somebody_acts_until_the_result"]
    tried = [word for law in laws for word in ("--law", law)]
    assert main(["check-game", "broken_games:FAILING", *tried, "--examples", "5"]) == 1
    out = capsys.readouterr().out
    assert [line.split()[1] for line in out.splitlines()[:3]] == ["kept", "CRASHED", "CRASHED"]
    assert "Sealed Bids (rules version 1) crashes in 2 of 3 laws.\n\ncrash in turns_belong_to_their_seats\n" in out
    assert out.count("IndexError") == out.count("rerun: ") == 1
    assert out.endswith("  also in:  somebody_acts_until_the_result\n")
    assert main(["check-game", "broken_games:FAILING", *tried[2:], "--examples", "5"]) == 1
    assert capsys.readouterr().out.endswith("  also in:  all other laws\n")


def test_crashes_and_broken_laws_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    tried = ["--law", "views_can_be_drawn", "--law", "views_are_plain"]
    assert main(["check-game", "broken_games:CLUMSY", *tried, "--examples", "5"]) == 1
    out = capsys.readouterr().out
    assert "crashes in 1 of 2 laws and breaks 1 of 2 laws.\n" in out
    assert re.search(
        r"^crash in views_can_be_drawn\n  found:    AssertionError: no pen \(line \d+ of", out, re.MULTILINE
    )
    assert re.search(r"^views_are_plain\n  the law: ", out, re.MULTILINE)
    assert main(["check-game", "broken_games:CLUMSY", *tried, "--examples", "5", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (crash,) = found["crashes"]
    assert (crash["laws"], crash["seen"].split(" (")[0]) == (["views_can_be_drawn"], "AssertionError: no pen")
    assert found["laws"][0] == {"law": "views_can_be_drawn", "kept": False, "crash": 0}
    assert "holds 0.5" in found["laws"][1]["seen"]


def test_the_place_of_a_crash_is_in_the_game_and_not_in_what_it_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "broken_games:UNLUCKY", "--law", "views_are_plain", "--examples", "2"]) == 1
    assert re.search(r"found:    \w+: .* \(line \d+ of .*broken_games\.py\)$", capsys.readouterr().out, re.MULTILINE)


def test_codes_on_the_rules_page_are_counted_and_missing_ones_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", "paged", "--out", str(tmp_path)]) == 0
    monkeypatch.syspath_prepend(str(tmp_path / "paged"))
    check = ["check-game", "paged", "--law", "refusal_codes_are_on_the_rules_page", "--examples", "2"]
    assert main(check) == 0
    assert capsys.readouterr().out.endswith("Refusal codes in the source, all on the rules page: 4.\n")
    page = tmp_path / "paged" / "paged" / "RULES.md"
    page.write_text(page.read_text().replace("`place.taken`", "taken"))
    assert main(check) == 1
    assert "  found:    the rules page does not mention place.taken (line " in capsys.readouterr().out


def test_as_json_every_law_has_its_finding(capsys: pytest.CaptureFixture[str]) -> None:
    laws = ["--law", "views_are_plain", "--law", "views_can_be_drawn"]
    assert main(["check-game", "broken_games:MUTE", *laws, "--examples", "2", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    kept, broken = found["laws"]
    assert (found["game"], found["rules_version"], found["kept"]) == ("sealed_bids", 1, False)
    assert kept == {"law": "views_are_plain", "kept": True, "matches": 2}
    assert broken["smallest"] == {"seats": 2, "options": {"rounds": 1, "cards": 1, "peeks": 0}, "key": "00" * 16}
    assert broken["seen"] == "'' is not a drawing"


@pytest.mark.parametrize(
    "name", ["graph_battle", "warroom_games.graph_battle", "warroom_games.graph_battle.rules:GAME"]
)
def test_a_game_is_found_by_its_id_its_package_or_its_object(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", name, "--law", "the_game_describes_itself", "--examples", "1"]) == 0
    assert "Graph Battle (rules version" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "why"),
    [
        pytest.param("nowhere", "cannot import 'nowhere'", id="no module"),
        pytest.param("./sealed_bids.py", "is not a module", id="a path"),
        pytest.param("sealed_bids:NOTHING", "has no 'NOTHING'", id="no object"),
        pytest.param("broken_games", "has no 'GAME'", id="no game in it"),
        pytest.param("sealed_bids:Options", "is not a game: it lacks", id="something else"),
    ],
)
def test_an_invalid_game_is_one_line_and_a_usage_error(name: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", name]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert why in line


@pytest.mark.parametrize("name", ["wrecked", "wrecked_rules", "wrecked_rules:GAME"])
@pytest.mark.parametrize("source", ["def", "1 / 0"], ids=["not Python", "raises"])
def test_a_game_that_cannot_be_imported_is_one_line_and_usage(name: str, source: str, tmp_path: Path) -> None:
    install_game(tmp_path, "wrecked", source)
    answer = _run(tmp_path, "check-game", name)
    assert (answer.returncode, answer.stdout) == (2, "")
    (line,) = answer.stderr.splitlines()
    assert line.startswith("warroom check-game: ")
    assert "cannot import 'wrecked_rules': " in line


@pytest.mark.parametrize(
    "command",
    [("rules", "graph_battle"), ("simulate", "tile_blitz", "--seed", "1", "--out", "match.replay")],
    ids=["rules", "simulate"],
)
def test_a_broken_package_does_not_stop_the_other_games(command: tuple[str, ...], tmp_path: Path) -> None:
    install_game(tmp_path, "wrecked", None)
    answer = _run(tmp_path, *command)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_the_list_of_games_tells_which_were_left_out(tmp_path: Path) -> None:
    install_game(tmp_path, "wrecked", None)
    answer = _run(tmp_path, "games")
    assert answer.returncode == 0
    (warning,) = answer.stderr.splitlines()
    assert warning.startswith("warroom games: skipped: game wrecked of the package warroom-wrecked: ")


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command where the packages in *folder* are installed besides the others."""
    program = [sys.executable, "-c", "import sys; from warroom_server.cli import main; sys.exit(main(sys.argv[1:]))"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [*program, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_an_unknown_law_and_no_matches_are_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (["--law", "murphys"], ["--examples", "0"]):
        with pytest.raises(SystemExit) as left:
            main(["check-game", "sealed_bids", *wrong])
        assert left.value.code == 2
    assert "'murphys'" in capsys.readouterr().err


def test_without_hypothesis_it_says_what_to_install(tmp_path: Path) -> None:
    probe = (
        "import sys; sys.modules['hypothesis'] = None; from warroom_server.cli import main;"
        "sys.exit(main(['check-game', 'graph_battle']))"
    )
    answer = subprocess.run([sys.executable, "-c", probe], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert answer.stderr == "warroom check-game: hypothesis is missing: pip install 'warroom[laws]'\n"
