"""The battle calculator: reads a battle as JSON and returns its report as JSON.

`warroom thardferr battle` fights any battle. `calculate` answers strangers, so it accepts only small battles.
"""

import json
from collections import Counter
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from warroom_games.api import RulesError
from warroom_games.thardferr.battle import fight
from warroom_games.thardferr.forces import Force, Side, muster
from warroom_games.thardferr.names import UnknownNameError
from warroom_games.thardferr.orders import Order, read_order
from warroom_games.thardferr.reports import BattleReport
from warroom_games.thardferr.rulesets import RULESETS, Ruleset

MAX_ROUNDS = 10
"""The maximum rounds of a stranger's battle, as in a match (§18)."""
MAX_STACKS = 12
"""The maximum kinds of units on a side of a stranger's battle; a race has six."""


class NoJsonError(RulesError):
    """The text is not JSON; the message says where it goes wrong."""


class Duel(Struct, frozen=True):
    """A battle whose names are all known."""

    order: Order
    attacker: Side
    defender: Side


def decoded(text: str, *, first_line: int = 1) -> object:
    """Decode JSON whose text begins at *first_line*; refuse maps with duplicate keys."""
    try:
        return json.loads(text, object_pairs_hook=_map)
    except json.JSONDecodeError as error:
        at = error.doc.split("\n")[error.lineno - 1]
        line = first_line + error.lineno - 1
        raise NoJsonError(
            f"line {line}, column {error.colno}: {error.msg}, at {at[error.colno - 1 :]!r:.60}"
        ) from error
    except RulesError:
        raise
    except ValueError as error:  # Python refuses numbers of thousands of digits
        raise RulesError("a number is too long") from error
    except RecursionError as error:
        raise RulesError("nested too deep") from error


def _map(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise RulesError(f"{twice!r} is given twice")
    return fields


def mustered(value: object, ruleset: Ruleset) -> Duel:
    """Return the battle that decoded JSON describes; all its names are known."""
    order = read_order(value)
    sides = ("attacker", order.attacker), ("defender", order.defender)
    return Duel(order, *(_named(side, force, ruleset) for side, force in sides))


def _named(side: str, force: Force, ruleset: Ruleset) -> Side:
    try:
        return muster(force, ruleset)
    except UnknownNameError as error:
        raise RulesError(f"{side}: {error}") from error


def fought(duel: Duel, ruleset: Ruleset) -> BattleReport:
    """Fight a battle."""
    return fight(duel.attacker, duel.defender, ruleset, max_rounds=duel.order.max_rounds)


def report_line(duel: Duel, report: BattleReport) -> bytes:
    """Return a report as JSON, with the id of the battle if it has one."""
    fields = {"id": duel.order.id} if duel.order.id is not None else {}
    return msgspec.json.encode({**fields, **msgspec.structs.asdict(report)})


def calculate(asked: Mapping[str, str]) -> bytes:
    """Fight the `battle` (JSON) by the given `ruleset`; raise `RulesError` if it is not a battle or too large."""
    if unknown := asked.keys() - {"battle", "ruleset"}:
        raise RulesError(f"expected battle or ruleset, got {', '.join(sorted(unknown))}")
    if "battle" not in asked:
        raise RulesError("battle: expected a battle as JSON")
    ruleset = next((each for name, each in RULESETS.items() if name == asked.get("ruleset", "document")), None)
    if ruleset is None:
        raise RulesError(f"ruleset: expected {' or '.join(RULESETS)}, got {asked['ruleset']}")
    duel = mustered(decoded(asked["battle"]), ruleset)
    if duel.order.max_rounds > MAX_ROUNDS:
        raise RulesError(f"max_rounds: at most {MAX_ROUNDS} are fought here, got {duel.order.max_rounds}")
    if max(len(duel.attacker.army), len(duel.defender.army)) > MAX_STACKS:
        raise RulesError(f"army: at most {MAX_STACKS} kinds of units a side fight here")
    return report_line(duel, fought(duel, ruleset)) + b"\n"
