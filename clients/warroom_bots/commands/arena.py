"""`warroom arena`: let bots play many matches, and say which is stronger."""

import asyncio
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from warroom_bots.arena.contest import FEWEST_BOTS, Contest, ContestError, contestants
from warroom_bots.arena.own_server import ServerError, own_server
from warroom_bots.arena.plot import draw
from warroom_bots.arena.processes import WorkerError
from warroom_bots.arena.report import Report, as_data, as_text, report
from warroom_bots.arena.results import MatchResult, ResultsError, ResultsFile
from warroom_bots.arena.running import play_contest
from warroom_bots.arena.standings import sequential_test
from warroom_bots.arena.statistics import Sprt
from warroom_bots.arena.worker import Job
from warroom_bots.commands.options import (
    BOT_REFERENCE,
    add_limit,
    add_move_limit,
    add_option,
    limit_of,
    move_limit_ms,
    positive,
    seat_count,
    server,
    tell_of_time,
)
from warroom_bots.commands.progress import Progress
from warroom_bots.registry import UnknownBotError, find_bot
from warroom_bots.table import Table
from warroom_client import Client, ClientError
from warroom_games.api import AnyGame, OptionsError
from warroom_games.registry import RegistryError, load_games

SUMMARY = "let bots play many matches and compare their strength"
EXAMPLE = "warroom arena tile_blitz --bots greedy,random --games 200 --seed 1 --out results.jsonl"

INTERRUPTED: Final = 130
PLOT: Final = ".svg"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", help="the id of a game, as `warroom games` lists it")
    parser.add_argument(
        "--bots", required=True, metavar="A,B,...", help=f"two or more, separated by commas; each is {BOT_REFERENCE}"
    )
    parser.add_argument(
        "--games", type=positive, default=100, metavar="N", help="number of matches, with --sprt at most (default: 100)"
    )
    parser.add_argument("--seed", default="1", metavar="TEXT", help="seed of all matches (default: 1)")
    add_limit(parser)
    parser.add_argument(
        "--processes", type=positive, metavar="P", help="matches played side by side (default: one per core)"
    )
    parser.add_argument(
        "--seats", type=seat_count, metavar="N", help="number of seats (default: one per bot, if the game allows it)"
    )
    add_option(parser)
    add_move_limit(parser, "it loses")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the results here, to resume; a plot goes beside")
    _configure_test(parser)
    network = parser.add_argument_group("over the network")
    network.add_argument("--over-network", action="store_true", help="play on a server that the command starts")
    network.add_argument("--url", type=server, help="play on this server instead (with --over-network)")
    network.add_argument("--turn-ms", type=positive, metavar="N", help="time per turn there (default: the game's own)")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument(
        "--game", dest="extra_games", action="append", default=[], metavar="MODULE:OBJECT", help="also load this game"
    )


def _configure_test(parser: ArgumentParser) -> None:
    test = parser.add_argument_group("sequential test")
    test.add_argument(
        "--sprt", action="store_true", help="stop as soon as it is clear whether the first bot is stronger"
    )
    test.add_argument("--h0", type=_percent, default=0.5, metavar="PCT", help="score of an equal bot (default: 50)")
    test.add_argument("--h1", type=_percent, default=0.6, metavar="PCT", help="score of a stronger bot (default: 60)")
    test.add_argument("--alpha", type=_share, default=0.05, metavar="P", help="risk of a false yes (default: 0.05)")
    test.add_argument("--beta", type=_share, default=0.05, metavar="P", help="risk of a false no (default: 0.05)")


def run(args: Namespace) -> int:
    """Play the matches and print the report."""
    try:
        return _run(args)
    except (RegistryError, UnknownBotError, OptionsError, ContestError, ResultsError) as error:
        print(f"warroom arena: {error}", file=sys.stderr)
        return 2
    except (ClientError, ServerError, WorkerError) as error:
        print(f"warroom arena: {error}", file=sys.stderr)
    except OSError as error:
        print(f"warroom arena: cannot use {error.filename or args.out}: {error.strerror}", file=sys.stderr)
    return 1


def _run(args: Namespace) -> int:
    game = load_games(args.extra_games).get(args.game)
    sprt = _sprt(args)
    contest = _contest(args, game)
    file = ResultsFile(args.out, contest)
    if args.url is not None:
        asyncio.run(_check_server(args.url, game))
    file.open()
    if args.games % contest.cycle:
        _say(f"note: seats are balanced over every {contest.cycle} matches; {args.games} is not a multiple")
    is_complete = _play(args, Job(contest, tuple(args.extra_games)), file, sprt)
    results = file.first(args.games)
    tested = None if sprt is None else sequential_test(contest, sprt, results)
    told = report(contest, game.info.name, results, tested)
    _show(args, told)
    if not is_complete:
        again = "; the same command goes on" if args.out is not None else ""
        _say(f"interrupted after {len(results)} of {args.games} matches{again}")
        return INTERRUPTED
    return 1 if told.void else 0


def _play(args: Namespace, job: Job, file: ResultsFile, sprt: Sprt | None) -> bool:
    """Play what is missing; return whether nobody interrupted it."""
    done = args.games - len(file.missing(args.games))
    if done:
        _say(f"resuming {args.out}: {done} of {args.games} matches are played")
    progress = Progress(job.contest.game, args.games, done=done)
    try:
        with ExitStack() as stack:
            if args.over_network:
                job = replace(job, url=args.url or stack.enter_context(own_server(job.extra_games)))
            play_contest(
                job,
                file,
                games=args.games,
                processes=args.processes or os.cpu_count() or 1,
                sprt=sprt,
                progress=lambda result: progress.step(_note(result)),
            )
    except KeyboardInterrupt:
        return False
    finally:
        progress.close()
    return True


def _contest(args: Namespace, game: AnyGame) -> Contest:
    """Return the settings of the contest; raise everything that its matches would raise."""
    references = [reference.strip() for reference in args.bots.split(",") if reference.strip()]
    kinds = [find_bot(game.info.id, reference, rules=game) for reference in references]
    names = [kind.name for kind in kinds]
    info = game.info
    contest = Contest(
        game=info.id,
        rules_version=info.rules_version,
        seats=args.seats or min(max(len(names), info.min_seats), info.max_seats),
        options=dict(args.options),
        bots=contestants(references, names),
        seed=args.seed,
        limit=limit_of(args),
        move_limit_ms=move_limit_ms(args),
        over_network=args.over_network,
        turn_ms=args.turn_ms,
    )
    if args.out is not None and args.out.suffix == PLOT:
        raise ContestError(f"--out {args.out} is the name of a plot; the results are JSON lines, such as results.jsonl")
    if args.url is not None and not args.over_network:
        raise ContestError("--url needs --over-network")
    if args.turn_ms is not None and not args.over_network:
        raise ContestError("--turn-ms needs --over-network: in memory no clock runs")
    if args.sprt and len(contest.bots) != FEWEST_BOTS:
        raise ContestError(f"--sprt compares two bots, not {len(contest.bots)}")
    if not args.over_network:
        tell_of_time("arena", kinds, contest.limit)
    Table(game, contest.seats, seed=contest.pairing(0).seed, options=contest.options)
    return contest


def _sprt(args: Namespace) -> Sprt | None:
    if not args.sprt:
        return None
    if args.h0 >= args.h1:
        raise ContestError(f"--h0 {args.h0:.0%} must be below --h1 {args.h1:.0%}")
    return Sprt(args.h0, args.h1, args.alpha, args.beta)


async def _check_server(url: str, game: AnyGame) -> None:
    """Raise an error if the server cannot be reached, or has not this game with these rules."""
    async with Client(url, name="arena") as client:
        listings = {listing.game: listing for listing in (await client.games()).games}
    if game.info.id not in listings:
        raise ContestError(f"the server at {url} has no game {game.info.id!r}; it has: {', '.join(listings) or 'none'}")
    here, there = game.info.rules_version, listings[game.info.id].rules_version
    if there != here:
        raise ContestError(f"the server at {url} has rules version {there} of {game.info.id}, not {here}")


def _show(args: Namespace, told: Report) -> None:
    plot = None if args.out is None else args.out.with_suffix(PLOT)
    if plot is not None:
        plot.write_text(draw(told), encoding="utf-8")
    if args.json:
        paths = {"results": args.out and str(args.out), "plot": plot and str(plot)}
        print(msgspec.json.encode({**as_data(told), **paths}).decode())
        return
    print(as_text(told))
    if plot is not None:
        print(f"\nresults: {args.out}\nplot: {plot}")


def _note(result: MatchResult) -> str:
    """Return what is worth a word beside the progress."""
    for fault in result.faults:
        return f"{result.bots[fault.seat]}: {fault.kind}"
    return result.reason if result.is_void else ""


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _percent(text: str) -> float:
    return _between(text, 100) / 100


def _share(text: str) -> float:
    return _between(text, 1)


def _between(text: str, most: int) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a number") from error
    if not 0 < value < most:
        raise ArgumentTypeError(f"{text} is not between 0 and {most}")
    return value
