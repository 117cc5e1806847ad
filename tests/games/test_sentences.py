"""What happened, in sentences."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

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
        holes = {re.split(r"[ ./']", hole.lstrip("@+"))[0] for hole in re.findall(r"\{([^{}]*)\}", each.text)}
        assert holes | set(each.when) <= fields, each


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
                assert not re.search(r"[{}\[\]]|you (?:takes|is|has)\b|\bseat \d", line), line
