"""`warroom balance`: how long matches are, what ends them and who wins them."""

import sys
from argparse import ArgumentParser, Namespace
from itertools import groupby
from pathlib import Path

import msgspec

from warroom_bots.balance import Balance, Share, usual_bot, usual_tables, weigh
from warroom_bots.commands.options import add_option, positive
from warroom_bots.registry import UnknownBotError
from warroom_games.api import AnyGame, OptionsError
from warroom_games.codec import check_seats, decode_options
from warroom_games.registry import RegistryError, load_games

SUMMARY = "play many matches between equal bots and count how they end and who wins"
EXAMPLE = "warroom balance tile_blitz --matches 50 --seats 5"

ALL = "all"
BEGIN, END = "<!-- tables: {} -->", "<!-- end of tables -->"
"""Between these lines `--write` puts the tables of a game."""


class _PageError(ValueError):
    """The file to write to has no place for the tables."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", help=f"the id of a game, or {ALL}")
    parser.add_argument("--matches", type=positive, default=100, metavar="N", help="matches a table (default: 100)")
    parser.add_argument(
        "--bots", metavar="NAME", help="the bot that plays every seat (default: greedy where there is one, else usual)"
    )
    parser.add_argument("--seats", type=positive, metavar="N", help="seats (default: the fewest, and as many as usual)")
    add_option(parser)
    parser.add_argument("--seed", default="1", metavar="TEXT", help="the same seed plays the same matches (default: 1)")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables into their places in FILE")
    parser.add_argument(
        "--game", dest="extra_games", action="append", default=[], metavar="MODULE:OBJECT", help="know this game too"
    )


def run(args: Namespace) -> int:
    """Play the matches and print the tables."""
    try:
        tables = _tables(args)
        _check_page(args.write, [game for game, _ in tables])
        balances = [_weighed(args, game, seats) for game, seats in tables]
        if args.write is not None:
            _fill_page(args.write, balances)
    except (RegistryError, UnknownBotError, OptionsError, _PageError) as error:
        print(f"warroom balance: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"warroom balance: cannot use {args.write}: {error.strerror}", file=sys.stderr)
        return 1
    print(_json(balances) if args.json else _markdown(balances))
    return 0


def _tables(args: Namespace) -> list[tuple[AnyGame, int]]:
    """Return every table to play at; raise what is wrong with one before the first match."""
    games = load_games(args.extra_games)
    chosen = games.newest() if args.game == ALL else [games.get(args.game)]
    tables = [(game, seats) for game in chosen for seats in ([args.seats] if args.seats else usual_tables(game))]
    for game, seats in tables:
        usual_bot(game.info.id, args.bots)
        check_seats(game, seats)
        decode_options(game, dict(args.options))
    return tables


def _weighed(args: Namespace, game: AnyGame, seats: int) -> Balance:
    bot = usual_bot(game.info.id, args.bots)
    label = f"{game.info.name}, {seats} seats, {bot.name}"

    def tell(number: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(
                f"\r{label}: match {number} of {args.matches}\x1b[K" + "\r\x1b[K" * (number == args.matches)
            )
            sys.stderr.flush()

    options = dict(args.options)
    return weigh(game, bot, seats=seats, matches=args.matches, seed=args.seed, options=options, told=tell)


def _check_page(path: Path | None, games: list[AnyGame]) -> None:
    """Raise `_PageError` if a page has no place for the tables of a game: that should show before the first match."""
    text = None if path is None else path.read_text(encoding="utf-8")
    for game in games:
        if text is not None and END not in text.partition(BEGIN.format(game.info.id))[2]:
            raise _PageError(f"{path} has no lines {BEGIN.format(game.info.id)} and {END} to put the tables between")


def _fill_page(path: Path, balances: list[Balance]) -> None:
    """Put the tables of each game into its place, and leave all else on the page as it is."""
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
        f"Ended by rule {balance.by_rule:.0%}, by the cap {1 - balance.by_rule:.0%}.",
        _shares("Seat", balance.by_seat()),
    ]
    if traits := balance.by_trait():
        rows.append(_shares("Race", traits))
    return "\n\n".join(rows)


def _shares(title: str, shares: list[Share]) -> str:
    """Return who won how often, in bold what chance does not explain."""
    doubt = max(share.doubt for share in shares)
    table = _grid(
        [title, *(share.name for share in shares)],
        ["wins", *(f"**{share.won:.1%}**" if share.is_off else f"{share.won:.1%}" for share in shares)],
    )
    return f"{table}\n\nFair would be {shares[0].fair:.1%} ± {doubt:.1%}."


def _grid(*rows: list[str]) -> str:
    head, *rest = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|---" * len(rows[0]) + "|", *rest])


def _json(balances: list[Balance]) -> str:
    return msgspec.json.encode([_counts(balance) for balance in balances]).decode()


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
