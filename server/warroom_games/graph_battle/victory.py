"""The end of a match and its ranking: docs/rules/graph_battle.md, section 6."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeAlias

from warroom_games.api import Result
from warroom_games.graph_battle.state import Table

VictoryRule: TypeAlias = Callable[[Table, bool], bool]
"""Decides whether the match is won at the end of a turn, and of the round if that also ends."""

QUIET_ROUNDS = 10
"""The number of rounds without an attack that ends the match."""


def is_conquered(table: Table) -> bool:
    """Whether only one seat is in play: it holds every node, or the others resigned."""  # §6.1, §7.2
    return len(table.out) == len(table.colors) - 1


def conquest(table: Table, is_round_over: bool) -> bool:
    """Return False: conquest, which wins under every rule, is the only victory."""  # §6.1
    return False


def majority(table: Table, is_round_over: bool) -> bool:
    """Whether a seat in play holds its share of the nodes."""  # §6.6
    held = Counter(node.color for node in table.nodes)
    most = max(held[table.colors[seat]] for seat in table.seats_in_play)
    return 100 * most >= table.options.majority_percent * len(table.nodes)


def rounds(table: Table, is_round_over: bool) -> bool:
    """Whether the last round is over."""  # §6.7
    return is_round_over and table.round >= table.options.victory_rounds


def is_capped(table: Table) -> bool:
    """Whether the ending round is the last one, or the last of ten quiet ones."""  # §6.2, §6.3
    quiet = table.round - table.last_attack_round
    return table.round >= table.options.max_rounds or quiet >= QUIET_ROUNDS


def rank(table: Table, reason: str) -> Result:
    """Rank seats in play by nodes, then strength; below them the seats that are out, later ones higher."""  # §6.4
    keys = [_standing(table, seat) for seat in range(len(table.colors))]
    return Result(tuple(1 + sum(other > key for other in keys) for key in keys), reason)


def _standing(table: Table, seat: int) -> tuple[int, int, int]:
    if seat in table.out:
        return 0, table.out.index(seat), 0
    held = [node.strength for node in table.nodes if node.color == table.colors[seat]]
    return 1, len(held), sum(held)


VICTORIES: Mapping[str, VictoryRule] = {"conquest": conquest, "majority": majority, "rounds": rounds}
"""The victories for the option `victory`."""
