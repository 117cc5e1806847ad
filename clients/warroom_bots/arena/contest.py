"""What an arena plays: the game, the bots, and which bot sits where in which match."""

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct

from warroom_bots.api import Limit
from warroom_games.rng import Rng, derived_key

FEWEST_BOTS: Final = 2
MOST_GROUPS: Final = 2_000
"""Maximum number of ways to choose the bots of a match."""
_DIGEST_BYTES: Final = 4


class ContestError(ValueError):
    """The settings do not make a contest."""


class Contestant(Struct, frozen=True):
    """A bot of a contest: its name in tables, and how to find it."""

    name: str
    reference: str
    digest: str = ""
    """A hash of its file, so that results of another version are not mixed in; empty for an installed bot."""


class Contest(Struct, frozen=True, kw_only=True):
    """All settings that the result of a match depends on; match *n* is the same in every run of a contest."""

    game: str
    rules_version: int
    seats: int
    options: dict[str, object]
    bots: tuple[Contestant, ...]
    seed: str
    limit: Limit
    move_limit_ms: int
    """A bot that thinks longer about one move is stopped and loses."""
    over_network: bool = False
    turn_ms: int | None = None
    """On a server, the time per turn; None: the game's own."""

    @property
    def group(self) -> int:
        """The number of different bots in one match."""
        return min(len(self.bots), self.seats)

    @property
    def cycle(self) -> int:
        """The number of matches on one seed: every group of bots, in every rotation."""
        return self.group * len(_groups(len(self.bots), self.group))

    def pairing(self, number: int) -> "Pairing":
        """Return who sits where in a match.

        The matches of a cycle share one seed. In each, the same bots sit on other seats: seat *s* gets bot
        *s + rotation* of a group, in an order that the seed gives. So every bot has every seat equally often.
        """
        cycle, place = divmod(number, self.cycle)
        block, rotation = divmod(place, self.group)
        rng = Rng(derived_key(f"{self.seed} {cycle}", "seating"))
        groups, rng = rng.shuffle(_groups(len(self.bots), self.group))
        for group in groups[: block + 1]:
            order, rng = rng.shuffle(group)
        seats = tuple(order[(seat + rotation) % self.group] for seat in range(self.seats))
        return Pairing(number, number // self.group, f"{self.seed} {cycle}", seats)


class Pairing(Struct, frozen=True):
    """One match: its number, its seed, and the number of the bot on each seat."""

    match: int
    block: int
    """Matches with the same block have the same seed and the same bots, in other seats."""
    seed: str
    bots: tuple[int, ...]


def contestants(references: Sequence[str], names: Sequence[str]) -> tuple[Contestant, ...]:
    """Name the bots of a contest: by their own name if only one has it, else by the end of their reference."""
    if len(references) < FEWEST_BOTS:
        raise ContestError(f"an arena needs at least {FEWEST_BOTS} bots, such as --bots greedy,random")
    named: list[Contestant] = []
    for reference, name in zip(references, names, strict=True):
        label = name if names.count(name) == 1 else _tail(reference, references)
        others = [known.name for known in named]
        number = 2
        unique = label
        while unique in others:
            unique, number = f"{label} ({number})", number + 1
        named.append(Contestant(unique, reference, _digest(reference)))
    return tuple(named)


def _tail(reference: str, references: Sequence[str]) -> str:
    """Return as many of the last parts of a path as tell it from other ones."""
    parts = PurePath(reference).parts
    others = [PurePath(other).parts for other in references if other != reference]
    for count in range(1, len(parts)):
        if all(other[-count:] != parts[-count:] for other in others):
            return "/".join(parts[-count:])
    return reference


def _digest(reference: str) -> str:
    path = _file_of(reference)
    if path is None or not path.is_file():
        return ""
    return blake2b(path.read_bytes(), digest_size=_DIGEST_BYTES).hexdigest()


def _file_of(reference: str) -> Path | None:
    """Return the file that a reference names by its path, or as a module; None for the name of a bot."""
    place = reference if reference.endswith(".py") else reference.rpartition(":")[0]
    if place.endswith(".py"):
        return Path(place)
    spec = find_spec(place) if place else None
    return None if spec is None or spec.origin is None else Path(spec.origin)


def difference(old: Contest, new: Contest) -> str | None:
    """Return the first setting in which two contests differ, in words; None if there is none."""
    before, after = _settings(old), _settings(new)
    for name, value in before.items():
        if value != after[name]:
            return f"{name} {value}, not {after[name]}"
    return None


def _settings(contest: Contest) -> Mapping[str, str]:
    return {
        "game": f"{contest.game} version {contest.rules_version}",
        "bots": ", ".join(f"{bot.reference} ({bot.digest})" if bot.digest else bot.reference for bot in contest.bots),
        "seed": repr(contest.seed),
        "seats": str(contest.seats),
        "options": ", ".join(f"{name}={value}" for name, value in sorted(contest.options.items())) or "by default",
        "time": _in_ms(contest.limit.time_ms),
        "simulations": str(contest.limit.simulations or "unlimited"),
        "move limit": _in_ms(contest.move_limit_ms),
        "place": "over the network" if contest.over_network else "in memory",
        "turn": _in_ms(contest.turn_ms),
    }


def _in_ms(time_ms: int | None) -> str:
    return "by default" if time_ms is None else f"{time_ms} ms"


@cache
def _groups(bots: int, size: int) -> tuple[tuple[int, ...], ...]:
    groups: list[tuple[int, ...]] = []
    for group in combinations(range(bots), size):
        if len(groups) == MOST_GROUPS:
            raise ContestError(f"{bots} bots on {size} seats are too many pairings; use fewer bots")
        groups.append(group)
    return tuple(groups)
