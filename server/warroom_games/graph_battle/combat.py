"""Battles: docs/rules/graph_battle.md, section 4."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import comb
from typing import Protocol, TypeAlias

from msgspec import Struct

from warroom_games.graph_battle.options import Options
from warroom_games.rng import Rng

EXACT_FLIPS = 512
"""The odds of longer battles are rounded, because exact fractions would have thousands of digits."""
ODDS_BITS = 128
"""The binary places of rounded odds."""


class Battle(Struct, frozen=True, gc=False):
    """The outcome of an attack: each flip in order, and the strength that each side has left."""

    flips: str
    """The winner of each flip: `a` the attacker, `d` the defender."""
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
        """Flip as many coins as the longest battle takes, and use them in order."""
        coins, rng = rng.bits(attacker + defender - 1)
        return flip_out(attacker, defender, coins), rng

    def odds(self, attacker: int, defender: int) -> Fraction:
        """Return P[Bin(a + d - 1, 1/2) >= d + 1]: d + 1 wins come before a - 1 losses."""  # §4.6
        return _chance_of(defender + 1, attacker - 1, Fraction(1, 2))


class QuickAttack:
    """Flip by flip, but a defender without strength is beaten without another flip."""  # §4.7

    def fight(self, attacker: int, defender: int, rng: Rng) -> tuple[Battle, Rng]:
        """Fight as if the defender had one strength less, and return it afterwards."""
        if defender == 0:
            return Battle("", attacker, 0, is_won=True), rng
        battle, rng = DOCUMENT.fight(attacker, defender - 1, rng)
        left = 0 if battle.is_won else battle.defender + 1
        return Battle(battle.flips, battle.attacker, left, battle.is_won), rng

    def odds(self, attacker: int, defender: int) -> Fraction:
        """Return the probability of d wins before a - 1 losses."""
        return _chance_of(defender, attacker - 1, Fraction(1, 2))


class DiceAttack:
    """Roll by roll, like flip by flip, with dice that need not be fair."""  # §4.8

    def __init__(self, percent: int) -> None:
        self._chance = Fraction(percent, 100)

    def fight(self, attacker: int, defender: int, rng: Rng) -> tuple[Battle, Rng]:
        """Roll one die after another, each with as few sides as the chance allows."""
        sides, good = self._chance.denominator, self._chance.numerator
        rolls = []
        while True:
            roll, rng = rng.below(sides)
            rolls.append("a" if roll < good else "d")
            if rolls.count("a") > defender or rolls.count("d") > attacker - 2:
                coins = sum(1 << index for index, winner in enumerate(rolls) if winner == "a")
                return flip_out(attacker, defender, coins), rng

    def odds(self, attacker: int, defender: int) -> Fraction:
        """Return the probability of d + 1 wins before a - 1 losses."""
        return _chance_of(defender + 1, attacker - 1, self._chance)


@lru_cache(maxsize=4096)  # Most battles are small, so the same ones come often.
def flip_out(attacker: int, defender: int, coins: int) -> Battle:
    """Fight with the bits of *coins* as the flips, lowest first: 1 is a win of the attacker."""
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


@lru_cache(maxsize=4096)
def _chance_of(wins: int, losses: int, chance: Fraction) -> Fraction:
    """Return the probability of *wins* before *losses*, if each flip is won with *chance*."""  # §4.6
    # Count as if all flips of the longest battle were made: the side with enough wins by then has won.
    flips, good, sides = wins + losses - 1, chance.numerator, chance.denominator
    if not wins:
        return Fraction(1)
    if wins * sides < flips * good:  # the other tail is shorter
        return 1 - _chance_of(losses, wins, 1 - chance)
    bad = sides - good
    term, scale = comb(flips, wins) * good**wins * bad ** (flips - wins), sides**flips
    if flips > EXACT_FLIPS:
        term, scale = (term << ODDS_BITS) // scale, 1 << ODDS_BITS
    total = 0
    while term:
        total += term
        term = term * (flips - wins) * good // ((wins + 1) * bad)
        wins += 1
    # Rounded odds must not claim certainty if both sides can win.
    return Fraction(min(max(total, 1), scale - 1), scale)


DOCUMENT = DocumentAttack()
QUICK = QuickAttack()
_dice = cache(DiceAttack)

AttackChoice: TypeAlias = Callable[[Options], AttackRule]

ATTACK_RULES: Mapping[str, AttackChoice] = {
    "document": lambda options: DOCUMENT,
    "quick": lambda options: QUICK,
    "dice": lambda options: _dice(options.dice_percent),
}
"""The ways to fight for the option `attack`."""


def attack_rule(options: Options) -> AttackRule:
    """Return the way that attacks are fought in a match."""
    return ATTACK_RULES[options.attack](options)
