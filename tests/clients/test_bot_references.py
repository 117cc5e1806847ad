"""Bots named by a module or a file."""

import pickle
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from fake_packages import install_bot

from warroom_bots.api import BotKind, Decision
from warroom_bots.games.strata import BOT as STRATA_GREEDY
from warroom_bots.registry import UnknownBotError, bots_for, find_bot
from warroom_games.rng import Rng

KEY = bytes(16)
WANTED = "write a function choose(decision), a class with a method choose(decision), or a BotKind"
DECISION = Decision(0, None, None, ({"type": "first"}, {"type": "last"}), complete=True)

FUNCTION = """
def choose(decision):
    '''Plays what comes last.

    Always.
    '''
    return decision.legal[-1]
"""
DRAWING = """
def choose(decision, rng):
    return rng.choice(decision.legal)[0]
"""
CLASS = """
class Last:
    def choose(self, decision):
        return decision.legal[-1]
"""
DRAWING_CLASS = """
class Drawing:
    is_slow = True
    wants_notes = True
    least_think_ms = 200
    summary = "draws"

    def __init__(self, rng):
        self.rng = rng

    def choose(self, decision):
        action, self.rng = self.rng.choice(decision.legal)
        return action
"""
OPTIONAL_RNG = """
class Optional:
    def __init__(self, depth=3, rng=None):
        assert (depth, type(rng).__name__) == (3, "Rng")

    def choose(self, decision):
        return decision.legal[-1]
"""
KIND = """
from warroom_bots.api import BotKind
from warroom_bots.random_bot import RandomBot

class Mine(RandomBot):
    pass

BOT = BotKind(name="mine", game="strata", summary="mine", make=Mine)
OTHER = BotKind(name="other", game="timberwall", summary="for another game", make=Mine)
"""


def write(folder: Path, source: str, name: str = "my_bot.py") -> str:
    path = folder / name
    path.write_text(dedent(source))
    return str(path)


def played(kind: BotKind) -> object:
    return kind.make(Rng(KEY)).choose(DECISION)


@pytest.mark.parametrize("source", [FUNCTION, CLASS, OPTIONAL_RNG], ids=["function", "class", "class with options"])
def test_a_file_with_one_bot_is_a_bot(source: str, tmp_path: Path) -> None:
    kind = find_bot("strata", write(tmp_path, source))
    assert (kind.name, kind.game) == ("my_bot", "strata")
    assert played(kind) == {"type": "last"}


@pytest.mark.parametrize("source", [DRAWING, DRAWING_CLASS], ids=["function", "class"])
def test_a_bot_that_takes_a_generator_gets_its_own(source: str, tmp_path: Path) -> None:
    kind = find_bot("strata", write(tmp_path, source))
    one, same, other = kind.make(Rng(KEY)), kind.make(Rng(KEY)), kind.make(Rng(bytes(15) + b"1"))
    draws = [[str(bot.choose(DECISION)) for _ in range(20)] for bot in (one, same, other)]
    assert draws[0] == draws[1] != draws[2]
    assert len(set(draws[0])) == 2


def test_a_class_says_what_it_is_like(tmp_path: Path) -> None:
    kind = find_bot("strata", write(tmp_path, DRAWING_CLASS) + ":Drawing")
    assert (kind.name, kind.summary, kind.is_slow, kind.wants_notes) == ("my_bot.Drawing", "draws", True, True)
    assert kind.least_think_ms == 200
    assert find_bot("strata", write(tmp_path, FUNCTION, "other.py")).summary == "Plays what comes last."


def test_a_file_offers_the_kind_that_fits_the_game(tmp_path: Path) -> None:
    file = write(tmp_path, KIND)
    assert find_bot("strata", file).name == "mine"
    assert find_bot("timberwall", file).name == "other"
    assert find_bot("timberwall", f"{file}:OTHER").name == "other"


def test_a_module_names_its_bots() -> None:
    assert find_bot("strata", "warroom_bots.games.strata:BOT") is STRATA_GREEDY
    assert find_bot("strata", "warroom_bots.games.strata:GreedyBot").make is STRATA_GREEDY.make


def test_a_module_in_the_current_folder_need_not_be_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FUNCTION, "a_module_of_mine.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    assert played(find_bot("strata", "a_module_of_mine:choose")) == {"type": "last"}


def test_a_bot_from_a_file_reaches_a_process_that_never_saw_the_file(tmp_path: Path) -> None:
    bot = find_bot("strata", write(tmp_path, CLASS)).make(Rng(KEY))
    code = "import sys, pickle, warroom_bots.bot_files; print(type(pickle.load(sys.stdin.buffer)).__name__)"
    child = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(bot), capture_output=True, check=True)
    assert child.stdout.split() == [b"Last"]


@pytest.mark.parametrize(
    ("source", "suffix", "message"),
    [
        pytest.param("x = 1\ndef choose(:\n", "", "{}, line 2: invalid syntax", id="syntax"),
        pytest.param("x = 1\n\ny = 1 / 0", "", "{}, line 3: ZeroDivisionError: division by zero", id="raises"),
        pytest.param(
            "import nowhere_at_all",
            "",
            "{}, line 1: ModuleNotFoundError: No module named 'nowhere_at_all'",
            id="import",
        ),
        pytest.param(
            "x = 1",
            "",
            "{} has no bot; " + WANTED,
            id="none",
        ),
        pytest.param(
            CLASS + CLASS.replace("Last", "Second"),
            "",
            "{0} has several bots: Last, Second; name one, such as {0}:Last",
            id="several",
        ),
        pytest.param(CLASS, ":First", "{} has no 'First'; it has Last", id="no such object"),
        pytest.param(
            "X = 7",
            ":X",
            "{}:X is not a bot; " + WANTED,
            id="no bot",
        ),
        pytest.param(
            CLASS.replace("def choose", "def __init__(self, a, b): ...\n    def choose"),
            "",
            "{} takes a, b; a bot is made with an Rng or with nothing",
            id="constructor",
        ),
        pytest.param(
            "def choose(): ...", "", "{} is not a bot: write choose(decision), or (decision, rng)", id="signature"
        ),
        pytest.param(KIND, ":OTHER", "{}:OTHER plays timberwall, not strata", id="another game"),
    ],
)
def test_a_file_that_is_no_bot_is_one_line(source: str, suffix: str, message: str, tmp_path: Path) -> None:
    file = write(tmp_path, source)
    with pytest.raises(UnknownBotError) as refused:
        find_bot("strata", file + suffix)
    assert str(refused.value) == message.format(file)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("nowhere.py", "there is no file nowhere.py"),
        (".", "unknown bot '.' for strata; installed: "),
        ("./nowhere", "'./nowhere' names no bot; write PATH.py, PATH.py:OBJECT or MODULE:OBJECT"),
        ("nowhere:BOT", "cannot import 'nowhere': ModuleNotFoundError: No module named 'nowhere'"),
        (":", "':' names no bot; write PATH.py, PATH.py:OBJECT or MODULE:OBJECT"),
        ("my.bots:", "'my.bots:' names no bot; write PATH.py, PATH.py:OBJECT or MODULE:OBJECT"),
        ("warroom_bots.games.thardferr:BOT", "warroom_bots.games.thardferr:BOT plays thardferr, not strata"),
    ],
)
def test_a_reference_to_nothing_is_one_line(reference: str, message: str) -> None:
    with pytest.raises(UnknownBotError) as refused:
        find_bot("strata", reference)
    assert str(refused.value).startswith(message)


MAKERS = """
from warroom_bots.api import BotKind
from warroom_bots.random_bot import RandomBot

def BOT(game):
    return [BotKind(name=f"level:{n}", game=game.info.id, summary=game.info.name, make=RandomBot) for n in (7, 8)]
"""


def test_a_package_may_make_bots_for_every_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_bot(tmp_path, "making", MAKERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert {"level:7", "level:8", "greedy"} <= set(bots_for("strata"))
    assert find_bot("graph_battle", "level:8").summary == "Graph Battle"
    assert "level:7" not in bots_for("a game that is not installed")
    with pytest.raises(UnknownBotError, match="unknown bot 'level:9' for strata; installed: "):
        find_bot("strata", "level:9")


def test_a_package_that_fails_to_make_its_bots_does_not_block_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install_bot(tmp_path, "faltering", "def BOT(game):\n    raise KeyError(game.info.id)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "greedy" in bots_for("strata")
    assert "bots skipped name=faltering = faltering_bot:BOT game=strata" in caplog.text


def test_bots_are_named_after_their_files(tmp_path: Path) -> None:
    one, other = write(tmp_path, CLASS, "a.py"), write(tmp_path, CLASS, "b.py")
    assert [find_bot("strata", f"{path}:Last").name for path in (one, other)] == ["a.Last", "b.Last"]
    assert [find_bot("strata", path).name for path in (one, other)] == ["a", "b"]
    assert find_bot("strata", one).source == str(tmp_path / "a.py")
    assert (
        find_bot("strata", "warroom_bots.games.graph_battle_greedy:GreedyBot").name == "graph_battle_greedy.GreedyBot"
    )
    assert find_bot("strata", write(tmp_path, KIND)).source == ""  # its author named it
