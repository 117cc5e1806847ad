"""What happened, in sentences."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from golden_replays import steps
from golden_results import Results

from warroom_games.api import AnyGame
from warroom_games.playthrough import finish
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES, Rng
from warroom_games.sentences import Sentence, Telling, sentence, told
from warroom_protocol.canonical import plain

GAMES = load_games().newest()
GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "sentences.json").read_text(encoding="utf-8")
)
"""Texts and what becomes of them: the page is held to the same ones."""
NAMES = tuple(GOLDEN["names"])
TAKE = {"type": "take", "seat": 0, "tile": 4, "lost": 1}


class Teller:
    """As much of a game as tells."""

    def __init__(self, *sentences: Any) -> None:
        self.sentences = sentences


@pytest.mark.parametrize(("text", "line"), GOLDEN["texts"])
def test_a_text_is_filled_in(text: str, line: str | None) -> None:
    assert list(told(Teller(sentence("take", text)), [GOLDEN["event"]], NAMES)) == ([] if line is None else [line])


@pytest.mark.parametrize("case", GOLDEN["told"])
def test_the_first_sentence_that_fits_is_taken_and_several_events_may_be_one(case: dict[str, Any]) -> None:
    game = Teller(*msgspec.convert(GOLDEN["sentences"], tuple[Sentence, ...]))
    assert list(told(game, case["events"], NAMES)) == case["lines"]


def test_what_no_sentence_fits_is_told_field_by_field() -> None:
    game = Teller(sentence("take", "{lost} lost"))
    assert list(told(game, [{"type": "fall", "loser": 1}, TAKE], NAMES)) == ["fall: loser 1", "1 lost"]


def test_a_game_without_sentences_is_told_field_by_field() -> None:
    assert list(told(None, [TAKE], NAMES)) == ["take: you, tile 4, lost 1"]


def events_of(game: AnyGame) -> dict[str, type[msgspec.Struct]]:
    """Return the events of a game by the name of their type."""
    module = import_module(type(game).__module__.replace(".rules", ".events"))
    found = (value for value in vars(module).values() if isinstance(value, type) and issubclass(value, msgspec.Struct))
    return {tag: event for event in found if isinstance(tag := event.__struct_config__.tag, str)}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_every_event_has_a_sentence_and_every_sentence_speaks_of_fields_that_there_are(game: AnyGame) -> None:
    assert isinstance(game, Telling)
    events = events_of(game)
    always = {each.of[0] for each in game.sentences if len(each.of) == 1 and not each.when}
    assert always == set(events)
    for each in game.sentences:
        fields = {name for kind in each.of for name in events[kind].__struct_fields__}
        holes = {re.split(r"[ ./']", hole.lstrip("@&+"))[0] for hole in re.findall(r"\{([^{}]*)\}", each.text)}
        assert holes | set(each.when) <= fields, each


def disagreeing(line: str) -> list[str]:
    """Return the verbs after `you` in the third person, also those that follow `and`, `but`, `then` or `or`."""
    said = re.split(r"[;:]", line)
    first = [verb for part in said for verb in re.findall(r"\byou (\w*[^\Ws]s)\b", part)]
    further = [verb for part in said for verb in re.findall(r"\byou\b.*?\b(?:and|but|then|or) (\w*[^\Ws]s)\b", part)]
    return first + further


@pytest.mark.parametrize("line", ["you takes 4", "you take 4 and moves there", "Bob hits 3: you win, but pays 2"])
def test_wrong_forms_are_found(line: str) -> None:
    assert disagreeing(line)


@pytest.mark.parametrize("line", ["you pass", "you take 4 and move there", "Bob takes 4 and moves", "you get 2 points"])
def test_right_forms_are_not_objected_to(line: str) -> None:
    assert not disagreeing(line)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_every_verb_of_every_sentence_agrees_with_you(game: AnyGame) -> None:
    assert isinstance(game, Telling)
    for each in game.sentences:
        holes = re.findall(r"\{([@&]?)(\w+)", each.text)
        fields = {name: 0 if mark else 3 for mark, name in holes}
        for line in told(Teller(sentence("any", each.text)), [{**fields, "type": "any"}], ["you"]):
            assert not disagreeing(line), each.text


@pytest.mark.parametrize(("name", "text"), Results().matches().items(), ids=Results().matches())
def test_every_verb_in_a_recorded_match_agrees_with_its_reader(name: str, text: str) -> None:
    header = json.loads(text.splitlines()[0])
    game = load_games(["sealed_bids:GAME"]).get(header["game"], header["rules_version"])
    names = ["you", *(f"Player {seat}" for seat in range(1, header["seats"]))]
    for step in steps(game, text):
        events = [plain(each.public) for each in step.events if each.public is not None]
        assert [wrong for line in told(game, events, names) for wrong in disagreeing(line)] == [], name


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_what_happens_in_a_match_reads_as_sentences(game: AnyGame) -> None:
    state = game.setup(game.info.usual_seats, game.options_type(), Rng(bytes(KEY_BYTES)))
    names = ["you", *(f"player {seat}" for seat in range(1, game.info.usual_seats))]
    for move in finish(game, state, Rng(bytes(range(KEY_BYTES))))[:300]:
        for seat in range(len(names)):
            forms = [
                plain(form)
                for event in move.step.events
                for at, form in ((None, event.public), *event.private)
                if form is not None and at in (None, seat)
            ]
            for line in told(game, forms, names):
                assert len(line) < 160, line
                assert not re.search(r"[{}\[\]]|\bseat \d", line), line
                assert not disagreeing(line), line
