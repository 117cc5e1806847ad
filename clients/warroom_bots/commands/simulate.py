"""`warroom simulate`: play a match between bots without a server and write its replay, or play many and count."""

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

import msgspec

from warroom_bots.api import BotKind
from warroom_bots.commands.options import (
    BOT_REFERENCE,
    USUAL_BOT,
    add_limit,
    add_move_limit,
    add_option,
    limit_of,
    move_limit_ms,
    positive,
    tell_of_time,
)
from warroom_bots.commands.progress import Progress
from warroom_bots.failures import BotFailedError, GameFailedError
from warroom_bots.move_clock import MoveClock
from warroom_bots.registry import UnknownBotError, find_bot
from warroom_bots.simulated_series import as_data, as_text, play_series
from warroom_bots.simulation import Simulated, simulate
from warroom_games.api import AnyGame, OptionsError
from warroom_games.invocation import program
from warroom_games.log import commitment
from warroom_games.registry import RegistryError, load_games
from warroom_protocol.results import ending_in_words

SUMMARY = "play a match between bots without a server and write its replay, or play many"
EXAMPLE = "warroom simulate graph_battle --seed 8 --bots simple,random --seats 5 --out match.replay"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", help="the id of a game, as `warroom games` lists it")
    parser.add_argument(
        "--seed",
        required=True,
        metavar="TEXT",
        help="seed; the same seed plays the same match, with bots that search only if --simulations is given",
    )
    parser.add_argument(
        "--bots",
        default="",
        metavar="A,B,...",
        help=f"bots by seat, repeated if there are fewer than seats; each is {BOT_REFERENCE} ({USUAL_BOT})",
    )
    parser.add_argument(
        "--seats", type=positive, metavar="N", help="number of seats (default: one per bot, or the game's usual number)"
    )
    add_option(parser)
    add_limit(parser)
    add_move_limit(parser, "the command then ends")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the replay file to write; with --games, a folder for all replays"
    )
    parser.add_argument("--games", type=positive, metavar="N", help="play many matches in one process and count")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument(
        "--game", dest="extra_games", action="append", default=[], metavar="MODULE:OBJECT", help="also load this game"
    )


def run(args: Namespace) -> int:
    """Play the match, write the replay and print the ranking; or play many and print what became of them."""
    try:
        game = load_games(args.extra_games).get(args.game)
        bots = _seated(game, args.bots, args.seats)
        tell_of_time("simulate", bots, limit_of(args))
        if args.games is not None:
            return _play_many(args, game, bots)
        with _clock(args) as clock:
            options = dict(args.options)
            simulated = simulate(game, bots, seed=args.seed, options=options, limit=limit_of(args), clock=clock)
        if args.out is not None:
            args.out.write_bytes(simulated.replay)
    except (RegistryError, UnknownBotError, OptionsError) as error:
        print(f"warroom simulate: {error}", file=sys.stderr)
        return 2
    except (BotFailedError, GameFailedError) as error:
        print(f"warroom simulate: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"warroom simulate: cannot write {args.out}: {error.strerror}", file=sys.stderr)
        return 1
    print(_as_json(simulated, args.out) if args.json else _as_text(simulated, args.out))
    return 0


def _play_many(args: Namespace, game: AnyGame, bots: list[BotKind]) -> int:
    progress = Progress(game.info.name, args.games)

    def played(number: int, simulated: Simulated) -> None:
        if args.out is not None:
            args.out.mkdir(exist_ok=True)
            (args.out / f"{number}.replay").write_bytes(simulated.replay)
        progress.step()

    try:
        with _clock(args) as clock:
            series = play_series(
                game,
                bots,
                seed=args.seed,
                games=args.games,
                options=dict(args.options),
                limit=limit_of(args),
                clock=clock,
                played=played,
            )
    finally:
        progress.close()
    print(msgspec.json.encode(as_data(series)).decode() if args.json else as_text(series))
    return 0


def _clock(args: Namespace) -> MoveClock:
    return MoveClock(move_limit_ms(args) / 1000)


def _seated(game: AnyGame, names: str, seats: int | None) -> list[BotKind]:
    """Return a bot for each seat."""
    chosen = [find_bot(game.info.id, name.strip() or None, rules=game) for name in names.split(",")]
    count = seats or (len(chosen) if len(chosen) > 1 else game.info.usual_seats)
    if count < len(chosen):
        raise OptionsError(f"{len(chosen)} bots for {count} seats")
    return [chosen[seat % len(chosen)] for seat in range(count)]


def _ranking(simulated: Simulated) -> list[tuple[int, int, str]]:
    """Return rank, seat and name, best first."""
    match = simulated.match
    assert match.result is not None
    names = [sitter.name if sitter else "" for sitter in match.seats]
    return sorted((rank, seat, names[seat]) for seat, rank in enumerate(match.result.ranks))


def _as_text(simulated: Simulated, out: Path | None) -> str:
    match = simulated.match
    assert match.result is not None
    noted = commitment(match.opened.seed).hex()
    ranking = [f"  {rank}. {name} (seat {seat})" for rank, seat, name in _ranking(simulated)]
    lines = [f"{match.game.info.name}: ended in turn {match.turn}: {ending_in_words(match.result.reason)}", *ranking]
    if out is not None:
        lines.append(f"replay: {out} ({len(simulated.replay)} bytes)")
        lines.append(f"verify: {program(os.environ)} verify {out} --commitment {noted} --chain {match.chain.hex()}")
    return "\n".join(lines)


def _as_json(simulated: Simulated, out: Path | None) -> str:
    match = simulated.match
    assert match.result is not None
    ranking = [{"rank": rank, "seat": seat, "name": name} for rank, seat, name in _ranking(simulated)]
    summary = {
        "game": match.game.info.id,
        "rules_version": match.game.info.rules_version,
        "reason": match.result.reason,
        "ranking": ranking,
        "turns": match.turn,
        "steps": len(simulated.moves),
        "chain": match.chain.hex(),
        "replay": out and str(out),
    }
    return msgspec.json.encode(summary).decode()
