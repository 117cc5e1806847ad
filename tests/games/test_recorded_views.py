"""Everything that recorded matches took and showed fits the committed schemas, as independent validators say."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest
from golden_replays import shown
from golden_results import Results
from jsonschema import Draft202012Validator
from protocol_document import SCHEMAS
from strict_validator import problems

from warroom_games.registry import load_games

GAMES = load_games(["sealed_bids:GAME"])
MATCHES = {name: text for name, text in Results().matches().items() if not name.startswith("sealed_bids")}
"""The matches of games that are shipped: others have no committed schemas."""
SAMPLE = 12
"""The usual run looks at one value in so many with the validator in Python, which is slow."""


def values_of(match: str) -> Iterator[tuple[str, Any]]:
    """Yield what a match took and showed, after the path of its schema."""
    header = json.loads(MATCHES[match].splitlines()[0])
    game = GAMES.get(header["game"], header["rules_version"])
    for name, value in shown(game, MATCHES[match]):
        yield f"games/{game.info.id}/{name}.json", value


def misfits(values: Iterable[tuple[str, Any]]) -> list[str]:
    """Return what the validator in Python finds."""
    validators: dict[str, Draft202012Validator] = {}
    found = []
    for path, value in values:
        if path not in validators:
            validators[path] = Draft202012Validator(json.loads((SCHEMAS / path).read_text()))
        found += [f"{path}: {error.json_path} {error.message}" for error in validators[path].iter_errors(value)]
    return found


def test_a_strict_validator_takes_everything_of_every_recorded_match() -> None:
    cases = [case for match in MATCHES for case in values_of(match)]
    kinds = {path for path, _ in cases}
    assert {path.relative_to(SCHEMAS).as_posix() for path in SCHEMAS.glob("games/*/*.json")} - kinds == {
        f"games/{game}/private.json"
        for game in ("graph_battle", "strata")  # which hide nothing
    }
    wrong = [(case, problem) for case, problem in zip(cases, problems(cases), strict=True) if problem]
    assert wrong == []


@pytest.mark.parametrize("match", MATCHES)
def test_so_does_a_validator_in_python(match: str) -> None:
    assert misfits(islice(values_of(match), 0, None, SAMPLE)) == []


@pytest.mark.long
@pytest.mark.parametrize("match", MATCHES)
def test_a_validator_in_python_takes_all_of_it(match: str) -> None:
    assert misfits(values_of(match)) == []


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("games/*/public.json")), ids=lambda path: path.parent.name)
def test_a_view_without_a_field_does_not_fit(path: Any) -> None:
    match = next(name for name in MATCHES if name.startswith(path.parent.name))
    view = next(value for name, value in values_of(match) if name.endswith("public.json"))
    name = path.relative_to(SCHEMAS).as_posix()
    cases = [(name, {key: value for key, value in view.items() if key != left_out}) for left_out in view]
    assert all(problem is not None for problem in problems(cases))
    assert all(misfits([case]) for case in cases)
