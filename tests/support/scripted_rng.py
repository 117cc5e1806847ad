"""Every way that chance can go: a generator that follows a script, and all the scripts there are."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")


class UndecidedError(Exception):
    """The script is at its end, and one of *bound* outcomes is to be drawn."""

    def __init__(self, bound: int) -> None:
        super().__init__(bound)
        self.bound = bound


class Chance:
    """Draws like `Rng`, but what the script says."""

    def __init__(self, script: tuple[int, ...]) -> None:
        self.script = script

    def below(self, bound: int) -> tuple[int, "Chance"]:
        """Draw the next number of the script."""
        if bound == 1:
            return 0, self
        if not self.script:
            raise UndecidedError(bound)
        return self.script[0], Chance(self.script[1:])

    def bits(self, count: int) -> tuple[int, "Chance"]:
        """Draw *count* bits at once."""
        return self.below(2**count)

    def choice(self, items: Sequence[T]) -> tuple[T, "Chance"]:
        """Draw one of *items*."""
        index, chance = self.below(len(items))
        return items[index], chance

    def sample(self, items: Sequence[T], count: int) -> tuple[tuple[T, ...], "Chance"]:
        """Draw *count* different ones of *items*, one after the other."""
        rest, drawn, chance = list(items), [], self
        for _ in range(count):
            index, chance = chance.below(len(rest))
            drawn.append(rest.pop(index))
        return tuple(drawn), chance

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], "Chance"]:
        """Draw all of *items*, one after the other."""
        return self.sample(items, len(items))


def outcomes(act: Callable[[Chance], T]) -> Iterator[tuple[Fraction, T]]:
    """Yield what *act* returns for every way that its draws can go, each with its exact probability."""
    scripts: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while scripts:
        script, probability = scripts.pop()
        try:
            yield probability, act(Chance(script))
        except UndecidedError as undecided:
            share = probability / undecided.bound
            scripts += [((*script, value), share) for value in range(undecided.bound)]
