"""The report of a contest: tables for people, and the same figures for programs."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from warroom_bots.arena.contest import Contest
from warroom_bots.arena.results import VOID, MatchResult
from warroom_bots.arena.standings import Standing, Tested, ahead, standings
from warroom_games.words import plural


class Report(Struct, frozen=True, kw_only=True):
    """What is known after a number of matches."""

    contest: Contest
    title: str
    """The name of the game."""
    results: tuple[MatchResult, ...]
    standings: tuple[Standing, ...]
    tested: Tested | None

    @property
    def void(self) -> tuple[MatchResult, ...]:
        """The matches without a result."""
        return tuple(result for result in self.results if result.is_void)


def report(contest: Contest, title: str, results: Sequence[MatchResult], tested: Tested | None) -> Report:
    """Return the report on some matches; after a sequential test, only on those that it used."""
    if tested is not None and tested.verdict is not None:
        results = results[: tested.matches]
    return Report(
        contest=contest,
        title=title,
        results=tuple(results),
        standings=tuple(standings(contest, results)),
        tested=tested,
    )


def as_text(told: Report) -> str:
    """Return the tables."""
    return "\n".join(_lines(told))


def as_data(told: Report) -> dict[str, object]:
    """Return the figures as JSON-ready values."""
    contest, tested = told.contest, told.tested
    return {
        "game": contest.game,
        "rules_version": contest.rules_version,
        "seats": contest.seats,
        "options": contest.options,
        "seed": contest.seed,
        "time_ms": contest.limit.time_ms,
        "simulations": contest.limit.simulations,
        "over_network": contest.over_network,
        "matches": len(told.results),
        "void": len(told.void),
        "void_reasons": dict(sorted(Counter(result.reason.removeprefix(VOID) for result in told.void).items())),
        "bots": [_bot(standing) for standing in told.standings],
        "sprt": None
        if tested is None
        else {
            "bot": contest.bots[0].name,
            "against": contest.bots[1].name,
            "llr": tested.ratio,
            "lower": tested.lower,
            "upper": tested.upper,
            "verdict": tested.verdict,
            "matches": tested.matches,
        },
    }


def conditions(contest: Contest) -> str:
    """Return under which conditions the bots played, for titles."""
    limit = contest.limit
    parts = [f"{contest.seats} seats", f"seed {contest.seed}"]
    if limit.time_ms is not None:
        parts.append(f"{limit.time_ms} ms a move")
    if limit.simulations is not None:
        parts.append(f"{limit.simulations} simulations a move")
    parts += [f"{name}={value}" for name, value in sorted(contest.options.items())]
    if contest.over_network:
        parts.append("over the network")
    return ", ".join(parts)


def _bot(standing: Standing) -> dict[str, object]:
    return {
        "name": standing.name,
        "games": standing.games,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "score": standing.score.mean,
        "score_low": standing.score.low,
        "score_high": standing.score.high,
        "mean_rank": standing.mean_rank,
        "rating": standing.rating,
        "sigma": standing.sigma,
        "errors": standing.errors,
        "error_kinds": standing.error_kinds,
        "last_error": standing.last_error,
        "missed": standing.missed,
        "ms_per_move": standing.ms_per_move,
        "slowest_ms": standing.slowest_ms,
    }


def _lines(told: Report) -> Iterator[str]:
    contest = told.contest
    yield f"{told.title}: {len(told.results)} matches, {conditions(contest)}"
    yield ""
    yield from _table(
        ["bot", "games", "won", "drawn", "lost", "score", "95 %", "mean rank", "rating ± 2 sigma", "errors", "ms/move"],
        [_row(standing) for standing in told.standings],
    )
    if len(contest.bots) > 2:
        yield from ("", "How often the bot on the left ranked ahead of the one above, where they met:", "")
        yield from _table(*_ahead(told))
    for standing in told.standings:
        if standing.errors:
            kinds = ", ".join(f"{count} {kind}" for kind, count in standing.error_kinds.items())
            lost = f"{standing.name} lost {plural(standing.errors, 'game')} by errors ({kinds})"
            yield f"\n{lost}; the last: {standing.last_error}"
        if standing.missed:
            yield f"\n{standing.name} was too late for the clock {standing.missed} times"
    if told.void:
        last = told.void[-1].reason.removeprefix(VOID)
        yield f"\n{plural(len(told.void), 'match', 'matches')} had no result; the last: {last}"
    if told.tested is not None:
        yield f"\n{_tested(contest, told.tested)}"


def _row(standing: Standing) -> list[str]:
    score = standing.score
    return [
        standing.name,
        str(standing.games),
        str(standing.wins),
        str(standing.draws),
        str(standing.losses),
        f"{score.mean:.1%}",
        f"{score.low:.1%} to {score.high:.1%}",
        "-" if standing.mean_rank is None else f"{standing.mean_rank:.2f}",
        f"{standing.rating:.1f} ± {2 * standing.sigma:.1f}",
        str(standing.errors),
        "-" if standing.ms_per_move is None else f"{standing.ms_per_move:.3g}",
    ]


def _ahead(told: Report) -> tuple[list[str], list[list[str]]]:
    met = ahead(told.contest, told.results)
    names = [standing.name for standing in told.standings]
    rows = [
        [name, *(f"{met[name, other][0]:.1%}" if (name, other) in met else "-" for other in names)] for name in names
    ]
    return ["", *names], rows


def _tested(contest: Contest, tested: Tested) -> str:
    bot, other = contest.bots[0].name, contest.bots[1].name
    figures = f"LLR {tested.ratio:.2f} of {tested.lower:.2f} to {tested.upper:.2f} after {tested.matches} matches"
    match tested.verdict:
        case "stronger":
            return f"SPRT: {bot} is stronger than {other} ({figures})."
        case "not stronger":
            return f"SPRT: {bot} is not shown to be stronger than {other} ({figures})."
        case None:
            return f"SPRT: undecided ({figures})."


def _table(head: list[str], rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in [head, *rows]:
        first, *rest = row
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))]
        yield "  ".join(cells).rstrip()
