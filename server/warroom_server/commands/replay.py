"""`warroom replay`: show a finished match step by step, as text or as data."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TextIO

import msgspec

from warroom_games.api import AnyGame, Seat
from warroom_games.pictures import draw_everything, draw_view
from warroom_games.registry import Registry, RegistryError, load_games
from warroom_games.replay import By, ReplayError, ReplayStep, Verification, steps, verify
from warroom_games.sentences import told
from warroom_games.words import in_words, printable
from warroom_protocol.canonical import plain
from warroom_protocol.results import ending_in_words, standings
from warroom_protocol.rooms import room_code
from warroom_server.commands import replay_source

SUMMARY = "show a finished match step by step"
EXAMPLE = "warroom replay match.replay | less"

AGREEMENTS: Final = {
    "draw": "the players agree on a draw",
    "pause": "the players agree on a pause",
    "resume": "the match resumes",
}

ACTORS: Final[Mapping[By | None, str]] = {"stand-in": " (by the stand-in)", "clock": " (by the clock)"}


class _SeatError(ValueError):
    """The match has no such seat."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    replay_source.add_arguments(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--states",
        action="store_true",
        help="print one JSON line per step, with the full state, every view and the actor (player, stand-in, clock)",
    )
    form.add_argument(
        "--seat", type=int, metavar="N", help="show the view of this seat (default: the views of all seats together)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write the replay to this file")


def run(args: Namespace) -> int:
    """Print the match."""
    try:
        data = replay_source.load(args.source, args.url)
        games = load_games(args.extra_games)
        if args.out:
            args.out.write_bytes(data)
    except (replay_source.SourceError, RegistryError) as error:
        print(f"warroom replay: {error}", file=sys.stderr)
        return 1 if isinstance(error, replay_source.SourceError) and not error.is_usage else 2
    except OSError as error:
        print(f"warroom replay: cannot write {args.out}: {error.strerror}", file=sys.stderr)
        return 1
    try:
        _print(_state_lines(data, games) if args.states else _text_lines(data, games, args.seat), sys.stdout)
    except _SeatError as error:
        print(f"warroom replay: {error}", file=sys.stderr)
        return 2
    except ReplayError as error:
        print(f"warroom replay: {error}", file=sys.stderr)
        return 1
    return 0


def _print(lines: Iterator[str], out: TextIO) -> None:
    for line in lines:
        print(line, file=out)


# --- as data --------------------------------------------------------------------------------------------------


def _state_lines(data: bytes, games: Registry) -> Iterator[str]:
    """Yield each step as JSON; bytes (the generator's key) become hexadecimal."""
    for step in steps(data, games):
        yield msgspec.json.encode(_fields(step)).decode()


def _fields(step: ReplayStep) -> dict[str, object]:
    return {
        "step": step.step,
        "kind": step.kind,
        "at_ms": step.at,
        "seat": step.seat,
        "by": step.by,
        "action": _readable(step.action),
        "events": [
            {
                "public": _readable(event.public),
                "private": [{"seat": seat, "event": _readable(view)} for seat, view in event.private],
            }
            for event in step.events
        ],
        "state": _readable(step.state),
        "public": _readable(step.public),
        "private": [_readable(view) for view in step.private],
    }


def _readable(value: object) -> object:
    return _with_hex(msgspec.to_builtins(value, builtin_types=(bytes,)))


def _with_hex(value: object) -> object:
    match value:
        case bytes():
            return value.hex()
        case dict():
            return {key: _with_hex(item) for key, item in value.items()}
        case list() | tuple():
            return [_with_hex(item) for item in value]
        case _:
            return value


# --- as text ------------------------------------------------------------------------------------------------------


def _text_lines(data: bytes, games: Registry, seat: Seat | None) -> Iterator[str]:
    """Yield the match as text, with the board at the start of each turn and at the end.

    The board shows what *seat* saw, or else what all seats saw together.
    """
    found = verify(data, games)
    game = games.get(found.game, found.rules_version)
    if seat is not None and not 0 <= seat < len(found.players):
        raise _SeatError(f"no seat {seat}; the match has seats 0 to {len(found.players) - 1}")
    names = [printable(sitter.name) if sitter else "" for sitter in found.players]
    yield from _title(found, game, names)
    turn, last = None, None
    for step in steps(data, games):
        last = step
        if step.kind != "start":
            yield from _event_lines(game, step, names)
        if game.turn(step.state) != turn:
            turn = game.turn(step.state)
            yield f"\n--- turn {turn} ---\n{_picture(game, step, names, seat)}\n"
    picture = "" if last is None else _picture(game, last, names, seat)
    yield f"\n--- match over: {ending_in_words(found.result.reason)} ---\n{picture}\n"
    for each in standings(found.result.ranks, found.result.left):
        yield f"  {each.rank}. {names[each.seat]} (seat {each.seat}){each.note}"


def _picture(game: AnyGame, step: ReplayStep, names: list[str], seat: Seat | None) -> str:
    public, secrets = plain(step.public), [plain(view) for view in step.private]
    if seat is None:
        return "\n".join(draw_everything(game, public, secrets, names))
    return "\n".join(draw_view(game, public, secrets[seat], names))


def _title(found: Verification, game: AnyGame, names: list[str]) -> Iterator[str]:
    yield f"{game.info.name}, room {room_code(found.room)}, {found.steps} steps"
    for seat, name in enumerate(names):
        yield f"  seat {seat}: {name}"


def _event_lines(game: AnyGame, step: ReplayStep, names: list[str]) -> Iterator[str]:
    yield f"{step.step:>4}  {_clock(step.at)}  {printable(_sentence(step, names))}"
    public = [msgspec.to_builtins(event.public) for event in step.events if event.public is not None]
    for line in told(game, public, names):
        yield f"      {printable(line)}"


def _sentence(step: ReplayStep, names: list[str]) -> str:
    who = names[step.seat] if step.seat is not None else ""
    match step.kind:
        case "resign":
            return f"{who}: resigns"
        case "stand_in":
            return f"a bot plays for {who}"
        case "reclaim":
            return f"{who} is back"
        case "agree":
            return AGREEMENTS.get(step.agreed or "", "all agree")
        case "roll_back":
            return "the store lost the entries after this point; the match continued from here and was not rated"
        case "void":
            return "the server ends the match without a result"
        case _:
            return f"{who}{ACTORS.get(step.by, '')}: {in_words(msgspec.to_builtins(step.action), names)}"


def _clock(at: int) -> str:
    minutes, rest = divmod(at, 60_000)
    return f"{minutes}:{rest / 1000:04.1f}"
