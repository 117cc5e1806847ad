"""Games on trial: random tables for the laws, drawn by Hypothesis and made as small as they can be.

This is the only module of the package that needs Hypothesis (`pip install 'warroom[laws]'`). The pytest plugin and
`warroom check-game` both stand on it.
"""

from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import msgspec
from hypothesis import HealthCheck, Phase, Verbosity, given, reject, seed, settings
from hypothesis import strategies as st
from msgspec import Struct

from warroom_games.api import AnyGame, OptionsError
from warroom_games.codec import decode_options
from warroom_games.conformance import Law
from warroom_games.playthrough import Playthrough, play
from warroom_games.rng import KEY_BYTES


class Table(Struct, frozen=True):
    """What a random match is made of; the same table plays the same match again."""

    seats: int
    options: Any
    key: bytes


class Breach(Struct, frozen=True):
    """How a law was broken, at the smallest table that shows it."""

    table: Table
    error: Exception


class Verdict(Struct, frozen=True):
    """What a law had to say about a game; *breach* is None if the game keeps it."""

    law: Law
    matches: int
    """How many matches kept it."""
    breach: Breach | None
    compared: dict[str, int]
    """By type of each event that occurred, how often the law about events compared what two worlds tell."""
    hiding: int
    """How many of the matches hide something; only the law about events looks for that."""


def tables(game: AnyGame) -> st.SearchStrategy[Table]:
    """Return a strategy for all tables that the game's own description allows, the smallest and usual ones first."""
    return st.builds(
        Table,
        seats=st.integers(game.info.min_seats, game.info.max_seats),
        options=_options(game),
        key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES),
    )


def hold_to(law: Law, game: AnyGame, table: Table) -> Playthrough:
    """Play a random match, hold it to the law and return it; a table that the game's options refuse does not count."""
    try:
        match = play(game, table.seats, table.options, table.key)
    except OptionsError:
        reject()
    law(match)
    return match


def try_law(law: Law, game: AnyGame, *, matches: int, number: int, told: Callable[[int], None]) -> Verdict:
    """Hold a game to a law in *matches* random matches; the same *number* tries the same ones again.

    *told* hears before each match how many there were, those included that only look for a smaller example.
    Whatever the game raises is a breach, too.
    """
    seen: list[Table] = []
    kept: list[Table] = []
    compared, hiding = Counter[str](), Counter[bool]()

    @seed(number)
    @_thorough(matches)
    @given(tables(game))
    def trial(table: Table) -> None:
        told(len(seen))
        seen.append(table)
        found = hold_to(law, game, table).compared
        compared.update(found.counts)
        hiding[found.hidden] += 1
        kept.append(table)

    with _Witness() as witness:
        trial()
    breach = None if witness.error is None else Breach(seen[-1], _first(witness.error))
    return Verdict(law, len(kept), breach, dict(sorted(compared.items())), hiding[True])


class _Witness:
    """Hears what a trial raises in the end, and lets nothing but an interruption pass.

    Hypothesis tries the smallest example last, so this is what the last table raised.
    """

    error: Exception | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.error = error if isinstance(error, Exception) else None
        return self.error is not None


def _first(error: Exception) -> Exception:
    """Return what broke the law: a game that plays otherwise each time makes Hypothesis raise that in a group."""
    return error.exceptions[0] if isinstance(error, ExceptionGroup) else error


def _thorough(matches: int) -> settings:
    """Return settings for a trial that looks at no clock, keeps no files and prints nothing."""
    return settings(
        max_examples=matches,
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        phases=(Phase.generate, Phase.shrink),
    )


def _options(game: AnyGame) -> st.SearchStrategy[Any]:
    fields = msgspec.structs.fields(game.options_type)
    drawn = {field.name: _values(field.name, msgspec.inspect.type_info(field.type)) for field in fields}
    return st.fixed_dictionaries(drawn).map(lambda values: decode_options(game, values))


def _values(name: str, kind: msgspec.inspect.Type) -> st.SearchStrategy[object]:
    """Return a strategy for what an option may be."""
    match kind:
        case msgspec.inspect.Metadata():
            return _values(name, kind.type)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.IntType():
            return st.integers(kind.ge, kind.le)
        case msgspec.inspect.LiteralType():
            return st.sampled_from(kind.values)
        case _:
            raise OptionsError(f"option {name!r} must be a bool, an int with a range or a Literal, not {kind}")
