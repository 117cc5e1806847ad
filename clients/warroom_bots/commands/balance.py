"""`warroom balance`: measure match lengths, endings and win rates."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import msgspec

from warroom_bots.balance import Balance, Comparison, Share, measure_balance, measure_bot, usual_bot, usual_tables
from warroom_bots.commands.options import BOT_REFERENCE, add_option, positive
from warroom_bots.commands.progress import Progress
from warroom_bots.failures import BotFailedError
from warroom_bots.registry import UnknownBotError
from warroom_games.api import AnyGame, OptionsError
from warroom_games.codec import check_seats, decode_options
from warroom_games.registry import RegistryError, load_games

SUMMARY = "play many matches between bots and report lengths, endings and win rates"
EXAMPLE = "warroom balance tile_blitz --matches 50 --seats 5"

ALL = "all"
BEGIN, END = "<!-- tables: {} -->", "<!-- end of tables -->"
"""Markers around the tables of a game in the file of `--write`."""


class _PageError(ValueError):
    """The file has no place for the tables."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", help=f"the id of a game, or {ALL}")
    parser.add_argument("--matches", type=positive, default=100, metavar="N", help="matches per table (default: 100)")
    parser.add_argument(
        "--bots",
        metavar="BOT",
        help=f"the bot at every seat, {BOT_REFERENCE} (default: greedy if the game has it, else its usual bot)",
    )
    parser.add_argument("--against", metavar="BOT", help="one seat plays --bots, this bot plays all others")
    parser.add_argument(
        "--seats", type=positive, metavar="N", help="number of seats (default: the minimum and the usual number)"
    )
    add_option(parser)
    parser.add_argument(
        "--seed", default="1", metavar="TEXT", help="seed; the same seed plays the same matches (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.add_argument("--brief", action="store_true", help="print one line per table")
    parser.add_argument("--write", type=Path, metavar="FILE", help="update the tables in FILE")
    parser.add_argument(
        "--game", dest="extra_games", action="append", default=[], metavar="MODULE:OBJECT", help="also load this game"
    )


def run(args: Namespace) -> int:
    """Play the matches and print the tables."""
    try:
        tables = _tables(args)
        _check_page(args, [game for game, _ in tables])
        if args.against is not None:
            comparisons = [_compared(args, game, seats) for game, seats in tables]
            print(
                _json([_scores(each) for each in comparisons])
                if args.json
                else "\n".join(map(_score_line, comparisons))
            )
            return 0
        balances = [_weighed(args, game, seats) for game, seats in tables]
        if args.write is not None:
            _fill_page(args.write, balances)
    except (RegistryError, UnknownBotError, OptionsError, _PageError) as error:
        print(f"warroom balance: {error}", file=sys.stderr)
        return 2
    except BotFailedError as error:
        print(f"warroom balance: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"warroom balance: cannot use {args.write}: {error.strerror}", file=sys.stderr)
        return 1
    print(_shown(args, balances))
    return 0


def _shown(args: Namespace, balances: list[Balance]) -> str:
    if args.json:
        return _json([_counts(balance) for balance in balances])
    return "\n".join(map(_line, balances)) if args.brief else _markdown(balances)


def _tables(args: Namespace) -> list[tuple[AnyGame, int]]:
    """Return every table to play; raise errors before the first match starts."""
    games = load_games(args.extra_games)
    chosen = games.newest() if args.game == ALL else [games.get(args.game)]
    tables = [(game, seats) for game in chosen for seats in ([args.seats] if args.seats else usual_tables(game))]
    for game, seats in tables:
        usual_bot(game, args.bots)
        usual_bot(game, args.against)
        check_seats(game, seats)
        decode_options(game, dict(args.options))
    return tables


def _weighed(args: Namespace, game: AnyGame, seats: int) -> Balance:
    bot = usual_bot(game, args.bots)
    options = dict(args.options)
    with _progress(f"{game.info.name}, {seats} seats, {bot.name}", args.matches) as progress:
        return measure_balance(
            game, bot, seats=seats, matches=args.matches, seed=args.seed, options=options, progress=progress
        )


def _compared(args: Namespace, game: AnyGame, seats: int) -> Comparison:
    bot, rival = usual_bot(game, args.bots), usual_bot(game, args.against)
    options = dict(args.options)
    with _progress(f"{game.info.name}, {seats} seats, {bot.name} against {rival.name}", args.matches) as progress:
        return measure_bot(
            game, bot, rival, seats=seats, matches=args.matches, seed=args.seed, options=options, progress=progress
        )


@contextmanager
def _progress(label: str, matches: int) -> Iterator[Callable[[int], None]]:
    """Show how many matches are played, as the callback is told."""
    progress = Progress(label, matches)
    try:
        yield lambda number: progress.step()
    finally:
        progress.close()


def _check_page(args: Namespace, games: list[AnyGame]) -> None:
    """Raise `_PageError` before the first match if a page has no place for a game's tables."""
    path: Path | None = args.write
    if path is None:
        return
    if args.against is not None:
        raise _PageError("--write cannot be combined with --against")
    text = path.read_text(encoding="utf-8")
    for game in games:
        if END not in text.partition(BEGIN.format(game.info.id))[2]:
            raise _PageError(f"{path} has no lines {BEGIN.format(game.info.id)} and {END} for the tables")


def _fill_page(path: Path, balances: list[Balance]) -> None:
    """Write the tables of each game between its markers, and leave the rest of the page alone."""
    text = path.read_text(encoding="utf-8")
    for game, group in groupby(balances, key=lambda balance: balance.game.info.id):
        before, begin, rest = text.partition(BEGIN.format(game))
        _, end, after = rest.partition(END)
        text = f"{before}{begin}\n\n{_markdown(list(group))}\n\n{end}{after}"
    path.write_text(text, encoding="utf-8")


def _markdown(balances: list[Balance]) -> str:
    return "\n\n".join(_section(balance) for balance in balances)


def _section(balance: Balance) -> str:
    info = balance.game.info
    rows = [
        f"### {info.name}: {balance.seats} seats",
        f"{len(balance.played)} matches of `{balance.bot}`, rules version {info.rules_version}.",
        _grid(
            ["Length", "one in ten is shorter", "median", "one in ten is longer"],
            ["turns", *map(str, balance.spread(lambda match: match.turns))],
            ["actions", *map(str, balance.spread(lambda match: match.actions))],
        ),
        f"Ended by rule {balance.by_rule:.0%}, by the length limit {1 - balance.by_rule:.0%}.",
        _shares("Seat", balance.by_seat()),
    ]
    if traits := balance.by_trait():
        rows.append(_shares("Race", traits))
    return "\n\n".join(rows)


def _line(balance: Balance) -> str:
    """Return the key figures of a table in one line."""
    shares = balance.by_seat()
    won = " ".join(f"{share.won:.1%}" for share in shares)
    return (
        f"{_table(balance)}: {len(balance.played)} matches of {balance.bot}, by rule {balance.by_rule:.0%}, "
        f"median {balance.spread(lambda match: match.turns)[1]} turns, wins {won} {_fair(shares[0])}"
    )


def _score_line(comparison: Comparison) -> str:
    """Return the results of a bot in one line."""
    share = comparison.share
    return (
        f"{_table(comparison)}: {share.matches} matches of {comparison.bot} against {comparison.rival}, "
        f"first {share.won:.1%} {_fair(share)}, first or second {comparison.top(2):.1%}"
    )


def _table(played: Balance | Comparison) -> str:
    return f"{played.game.info.name}, {played.seats} seats"


def _fair(share: Share) -> str:
    return f"(fair: {share.fair:.1%} ± {share.doubt:.1%})"


def _shares(title: str, shares: list[Share]) -> str:
    """Return win rates by seat, with those beyond chance in bold."""
    doubt = max(share.doubt for share in shares)
    table = _grid(
        [title, *(share.name for share in shares)],
        ["wins", *(f"**{share.won:.1%}**" if share.is_off else f"{share.won:.1%}" for share in shares)],
    )
    return f"{table}\n\nFair would be {shares[0].fair:.1%} ± {doubt:.1%}."


def _grid(*rows: list[str]) -> str:
    head, *rest = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|---" * len(rows[0]) + "|", *rest])


def _json(counts: list[dict[str, object]]) -> str:
    return msgspec.json.encode(counts).decode()


def _scores(comparison: Comparison) -> dict[str, object]:
    return {
        "game": comparison.game.info.id,
        "rules_version": comparison.game.info.rules_version,
        "bot": comparison.bot,
        "against": comparison.rival,
        "seats": comparison.seats,
        "matches": len(comparison.ranks),
        "first": comparison.top(1),
        "first_or_second": comparison.top(2),
    }


def _counts(balance: Balance) -> dict[str, object]:
    return {
        "game": balance.game.info.id,
        "rules_version": balance.game.info.rules_version,
        "bot": balance.bot,
        "seats": balance.seats,
        "matches": len(balance.played),
        "turns": balance.spread(lambda match: match.turns),
        "actions": balance.spread(lambda match: match.actions),
        "by_rule": balance.by_rule,
        "wins_by_seat": [share.won for share in balance.by_seat()],
        "wins_by_race": {share.name: share.won for share in balance.by_trait()},
    }
