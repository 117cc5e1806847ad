"""`warroom verify`: check that a replay records the match as it was played."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from textwrap import wrap

import msgspec
from msgspec import Struct

from warroom_games.registry import Registry, RegistryError, load_games
from warroom_games.replay import ReplayError, Verification, finding, verify
from warroom_games.words import printable
from warroom_protocol.results import ending_in_words, standings
from warroom_protocol.rooms import room_code
from warroom_server.cli import COLUMNS
from warroom_server.commands import replay_source

SUMMARY = "verify a replay: run the rules again and compare the hash chain"
EXAMPLE = "warroom verify match.replay"

HASH_BYTES = 32


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    replay_source.add_arguments(parser)
    parser.add_argument(
        "--commitment",
        type=_hash,
        metavar="HEX",
        help="the commitment your client showed when you joined; the replay must start with it",
    )
    parser.add_argument(
        "--chain",
        type=_hash,
        metavar="HEX",
        help="the chain your client showed when the match ended; the replay must end with it",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(args: Namespace) -> int:
    """Print whether the replay is valid, what was checked and what that proves."""
    try:
        data = replay_source.load(args.source, args.url)
        games = load_games(args.extra_games)
    except replay_source.SourceError as error:
        print(f"warroom verify: {error}", file=sys.stderr)
        return 2 if error.is_usage else 1
    except RegistryError as error:
        print(f"warroom verify: {error}", file=sys.stderr)
        return 2
    try:
        found = _checked(data, games, commitment=args.commitment, chain=args.chain)
    except ReplayError as error:
        print(_rejection(args.source, str(error), as_json=args.json))
        return 1
    notes = _Notes(commitment=args.commitment is not None, chain=args.chain is not None)
    print(_json(found) if args.json else _text(found, notes))
    return 0


class _Notes(Struct, frozen=True, kw_only=True):
    """Which of the player's own values the replay was compared with."""

    commitment: bool
    chain: bool


def _checked(data: bytes, games: Registry, *, commitment: bytes | None, chain: bytes | None) -> Verification:
    found = verify(data, games)
    if commitment not in (None, found.commitment):
        raise ReplayError(f"its commitment is {found.commitment.hex()}, not the one you gave")
    if chain not in (None, found.chain):
        raise ReplayError(f"its chain ends with {found.chain.hex()}, not with the one you gave")
    return found


def _hash(text: str) -> bytes:
    try:
        noted = bytes.fromhex(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not hexadecimal") from error
    if len(noted) != HASH_BYTES:
        raise ArgumentTypeError(f"commitment and chain have {2 * HASH_BYTES} hexadecimal digits, got {len(text)}")
    return noted


def _rejection(source: str, why: str, *, as_json: bool) -> str:
    if as_json:
        return msgspec.json.encode({"accepted": False, "why": why}).decode()
    return f"rejected: {source}\n  {why}\nThis replay is not a valid record of the match."


def _text(found: Verification, notes: _Notes) -> str:
    names = [printable(sitter.name) if sitter else "nobody" for sitter in found.players]
    ranking = standings(found.result.ranks, found.result.left)
    lines = [
        f"accepted: room {room_code(found.room)}, {found.game} (rules version {found.rules_version}), "
        f"{found.steps} steps, {ending_in_words(found.result.reason)}",
        *(f"  {each.rank}. {names[each.seat]} (seat {each.seat}){each.note}" for each in ranking),
        "",
        "Checked:",
        "  the seed matches the commitment made before anyone sat down",
        "  every entry is well formed; every action was legal, in turn and in time",
        "  running the rules again from the seed gives every state in the chain, and this result",
        *(["  the commitment is the one you gave"] if notes.commitment else []),
        *(["  the chain ends with the one you gave"] if notes.chain else []),
        "",
        *_meaning(notes),
        f"  commitment  {found.commitment.hex()}",
        f"  chain       {found.chain.hex()}",
    ]
    return "\n".join(part for line in lines for part in (wrap(line, COLUMNS, subsequent_indent="    ") or [""]))


def _meaning(notes: _Notes) -> list[str]:
    if notes.commitment and notes.chain:
        return ["This proves that nothing was changed after the players sat down:"]
    if notes.chain:
        return [
            "If your client showed this commitment when you joined (--commitment compares",
            "it), this proves that nothing was changed after the players sat down:",
        ]
    return [
        "The record is consistent with itself and with the rules. It proves that nothing",
        "was changed after the players sat down, if your client showed these values when",
        "you joined and when the match ended (--commitment and --chain compare them):",
    ]


def _json(found: Verification) -> str:
    return msgspec.json.encode(finding(found)).decode()
