"""Random tables for the laws, drawn and shrunk by Hypothesis.

Only this module needs Hypothesis (`pip install 'warroom[laws]'`). The pytest plugin and `warroom check-game` both use
it.
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
    """The parameters of a random match; the same table gives the same match."""

    seats: int
    options: Any
    key: bytes


class Breach(Struct, frozen=True):
    """How a law was broken, at the smallest table that shows it."""

    table: Table
    error: Exception


class Verdict(Struct, frozen=True):
    """The result of a law for a game; *breach* is None if the game keeps it."""

    law: Law
    matches: int
    """Number of matches that kept it."""
    breach: Breach | None
    compared: dict[str, int]
    """Number of comparisons by event type, for the law about events."""
    hiding: int
    """Number of matches that hide something; only for the law about events."""


def tables(game: AnyGame) -> st.SearchStrategy[Table]:
    """Return a strategy for all valid tables, smallest and usual ones first."""
    return st.builds(
        Table,
        seats=st.integers(game.info.min_seats, game.info.max_seats),
        options=_options(game),
        key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES),
    )


def hold_to(law: Law, game: AnyGame, table: Table) -> Playthrough:
    """Play a random match, test the law and return the match; a table that the options refuse does not count."""
    try:
        match = play(game, table.seats, table.options, table.key)
    except OptionsError:
        reject()
    law(match)
    return match


def try_law(law: Law, game: AnyGame, *, matches: int, number: int, told: Callable[[int], None]) -> Verdict:
    """Test a law in *matches* random matches; the same *number* gives the same matches.

    *told* is called before each match with the count so far, including matches of the shrinking phase. Any exception of
    the game is a breach too.
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
    """Collects what a trial raises; only interruptions pass.

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
    """Return what broke the law; for a game that behaves differently each time, Hypothesis raises a group."""
    return error.exceptions[0] if isinstance(error, ExceptionGroup) else error


def _thorough(matches: int) -> settings:
    """Return settings for a trial without deadlines, files and output."""
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
