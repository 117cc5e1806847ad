"""The attacks: docs/rules/graph_battle.md, section 4."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Protocol

from msgspec import Struct

from warroom_games.rng import Rng


class Battle(Struct, frozen=True, gc=False):
    """How an attack went: each flip in order, and the strengths that both sides are left with."""

    flips: str
    """One letter a flip, its winner: `a` the attacker, `d` the defender."""
    attacker: int
    defender: int
    is_won: bool


class AttackRule(Protocol):
    """One way to fight an attack of a node of strength *attacker* on one of strength *defender*."""

    def fight(self, attacker: int, defender: int, rng: Rng) -> tuple[Battle, Rng]:
        """Fight it to the end."""
        ...

    def odds(self, attacker: int, defender: int) -> Fraction:
        """Return the exact probability that the attack succeeds."""
        ...


class DocumentAttack:
    """Flip by flip: the loser of each flip loses 1 strength."""  # §4.2

    def fight(self, attacker: int, defender: int, rng: Rng) -> tuple[Battle, Rng]:
        """Flip as many coins as the longest such battle can take, and use them in order."""
        coins, rng = rng.bits(attacker + defender - 1)
        return flip_out(attacker, defender, coins), rng

    def odds(self, attacker: int, defender: int) -> Fraction:
        """Return P[Bin(a + d - 1, 1/2) >= d + 1]: d + 1 wins come before a - 1 losses."""  # §4.6
        flips = attacker + defender - 1
        return Fraction(sum(comb(flips, wins) for wins in range(defender + 1, flips + 1)), 2**flips)


def flip_out(attacker: int, defender: int, coins: int) -> Battle:
    """Fight with the bits of *coins*, from the lowest, as the flips: 1 is a win of the attacker."""
    flips = []
    while True:
        attacker_wins = coins & 1
        coins >>= 1
        if attacker_wins:
            flips.append("a")
            if defender == 0:  # §4.4
                return Battle("".join(flips), attacker, 0, is_won=True)
            defender -= 1
        else:
            flips.append("d")
            attacker -= 1
            if attacker == 1:  # §4.3
                return Battle("".join(flips), 1, defender, is_won=False)


ATTACKS: Mapping[str, AttackRule] = {"document": DocumentAttack()}
"""The attacks that the option `attack` picks from."""
