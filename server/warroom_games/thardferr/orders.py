"""Battles in JSON, with precise errors: every mistake is reported with its place and value.

A battle is a map with `attacker` and `defender` (the fields of `Force`), and optionally `max_rounds` and an `id`. It
may also be the `input` of another map, whose other keys are ignored.
"""

import json
from collections.abc import Iterable

from msgspec import Struct

from warroom_games.api import RulesError
from warroom_games.thardferr.forces import DEFAULT_LAND, Force
from warroom_games.thardferr.names import UnknownNameError, known_name

MAX_COUNT = 1_000_000_000
MAX_ROUNDS = 100


class OrderError(RulesError):
    """The input is not a battle; the message names the place and the value."""


class Order(Struct, frozen=True):
    """A battle to fight."""

    attacker: Force
    defender: Force
    max_rounds: int = 1
    id: str | int | None = None


def read_order(value: object) -> Order:
    """Return the battle that decoded JSON describes; raise `OrderError` if it is not one."""
    written = _map("the battle", value)
    name = written.get("id")
    if "input" in written:
        written = _map("input", written["input"])
    _known_keys("the battle", written, ("attacker", "defender", "max_rounds", "id"))
    name = written.get("id", name)
    if isinstance(name, bool) or not isinstance(name, str | int | None):
        raise OrderError(f"id must be text or a whole number, got {_shown(name)}")
    if isinstance(name, str):
        _text("id", name)
    rounds = _number("max_rounds", written.get("max_rounds", 1), most=MAX_ROUNDS)
    if rounds == 0:
        raise OrderError("max_rounds must be at least 1, got 0")
    return Order(_force(written, "attacker"), _force(written, "defender"), rounds, name)


def _force(written: dict[str, object], side: str) -> Force:
    if side not in written:
        raise OrderError(f"the battle has no {side!r}, only: {', '.join(written) or 'nothing'}")
    force = _map(side, written[side])
    _known_keys(side, force, Force.__struct_fields__)
    for key in ("race", "army"):
        if key not in force:
            raise OrderError(f"{side} has no {key!r}")
    strategy = force.get("strategy")
    return Force(
        race=_text(f"{side}: race", force["race"]),
        army=_counts(f"{side}: army", force["army"]),
        strategy=None if strategy is None else _text(f"{side}: strategy", strategy),
        techs=_levels(f"{side}: techs", force.get("techs", {})),
        buildings=_counts(f"{side}: buildings", force.get("buildings", {})),
        land=_number(f"{side}: land", force.get("land", DEFAULT_LAND)),
    )


def _known_keys(where: str, written: Iterable[str], known: tuple[str, ...]) -> None:
    for key in written:
        _text("a field's name", key)
        try:
            known_name("field", key, known)
        except UnknownNameError as error:
            raise OrderError(f"{where}: {error}") from error


def _map(where: str, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise OrderError(f"{where} must be a map, got {_shown(value)}")
    return value


def _text(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise OrderError(f"{where} must be text, got {_shown(value)}")
    if not value.isprintable():  # reports repeat it
        raise OrderError(f"{where} must be printable text, got {_shown(value)}")
    return value


def _counts(where: str, value: object) -> dict[str, int]:
    return {
        _text(f"{where}: a name", name): _number(f"{where}: {name!r}", count)
        for name, count in _map(where, value).items()
    }


def _levels(where: str, value: object) -> dict[str, int | bool]:
    levels = _map(where, value).items()
    return _counts(where, {name: int(level) if isinstance(level, bool) else level for name, level in levels})


def _number(where: str, value: object, most: int = MAX_COUNT) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise OrderError(f"{where} must be a whole number from 0 to {most}, got {_shown(value)}")
    return value


def _shown(value: object) -> str:
    """Return a value as it was written, or the beginning of a long one."""
    return f"{json.dumps(value):.80}"
