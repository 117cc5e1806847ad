"""`warroom fetch`: show or save a finished match as one viewer saw it."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from warroom_bots.commands.options import add_url
from warroom_client import Client, ClientError, Ended, Updated
from warroom_client.identity_file import PLAYERS, SavedIdentity, read_identities, state_folder
from warroom_client.replays import ViewStep, steps
from warroom_client.token_login import connect_with_saved_token
from warroom_games.api import AnyGame
from warroom_games.words import printable
from warroom_protocol.errors import ViewReplayError, WireError
from warroom_protocol.results import ending_in_words, standings
from warroom_protocol.rooms import parse_invitation
from warroom_protocol.view_replay import ViewReplay, read_view
from warroom_terminal.commands.arguments import (
    FAILED,
    USAGE,
    add_name,
    carry_out,
    invitation,
)
from warroom_terminal.narration import in_sentences
from warroom_terminal.view_rendering import draw, find_game

SUMMARY = "show or save a finished match, as everybody or as your seat saw it"
EXAMPLE = "warroom fetch 3k7m2qd --view own --name Ada"

AGENT: Final = "warroom-fetch"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("room", type=invitation, metavar="CODE", help="the room code or invitation")
    parser.add_argument(
        "--view",
        choices=("public", "own", "all"),
        default="public",
        help="what everybody saw, what your seat saw, or (with --out) everything (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write to this file instead of the terminal")
    add_name(parser)
    add_url(parser)


def run(args: Namespace) -> int:
    """Fetch the match, and show or write it."""
    if args.view == "all" and args.out is None:
        print(
            "warroom fetch: --view all needs --out FILE; `warroom replay CODE` shows the whole match", file=sys.stderr
        )
        return USAGE
    try:
        kept = read_identities(state_folder(os.environ, PLAYERS), args.url, args.name)
        return carry_out("fetch", lambda: _fetch(args, kept))
    except (WireError, ViewReplayError) as error:
        print(f"warroom fetch: {error}", file=sys.stderr)
        return FAILED
    except OSError as error:
        print(f"warroom fetch: cannot write {args.out}: {error.strerror}", file=sys.stderr)
        return FAILED


async def _fetch(args: Namespace, kept: tuple[SavedIdentity, ...]) -> None:
    async with AsyncExitStack() as lines:
        found = await connect_with_saved_token(kept, lines, url=args.url, name=args.name, agent=AGENT)
        if found is None and args.view == "own":
            raise ClientError(f"{args.name!r} has no seat in that match; choose your player with --name")
        client = found[0] if found else await lines.enter_async_context(Client(args.url, name=args.name, agent=AGENT))
        data = await client.replay(args.room, args.view)
        names = await _names(client, args.room) if args.out is None else []
    if args.out is not None:
        args.out.write_bytes(data)
        print(f"{args.out} ({len(data)} bytes)")
        return
    for line in _shown(read_view(data), names):
        print(printable(line))


async def _names(client: Client, room: str) -> list[str]:
    """Return who sat where, according to the match list; the view itself does not contain names."""
    number = parse_invitation(room)[0]
    found = [match for match in await client.matches() if match.room == number]
    return [player.name for match in found for player in match.players]


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if seat < len(names) else f"seat {seat}"


def _shown(replay: ViewReplay, names: Sequence[str]) -> Iterator[str]:
    """Yield a match as text: the board at each turn, and the events in between."""
    game, turn = find_game(replay.about), 0
    for step in steps(replay):
        yield from (f"  {line}" for line in _news(game, step, names))
        if step.turn != turn or any(isinstance(event, Ended) for event in step.events):
            turn = step.turn
            yield from ["", f"--- turn {turn} ---", *draw(game, step.public, step.private, names), ""]
    ranked = standings(replay.ended.ranks, replay.ended.left)
    ranking = "   ".join(f"{each.rank}. {_name(names, each.seat)}{each.note}" for each in ranked)
    yield f"match over: {ending_in_words(replay.ended.reason)}   {ranking}"


def _news(game: AnyGame | None, step: ViewStep, names: Sequence[str]) -> Iterator[str]:
    """Yield the events of a step; the first line names the actor if the player did not act."""
    updates = (event for event in step.events if isinstance(event, Updated))
    lines = [line for each in updates for line in in_sentences(game, (*each.events, *each.private), names)]
    if notes := list(_notes(step, names)):
        lines = [" ".join((*lines[:1], *notes)), *lines[1:]]
    yield from lines


def _notes(step: ViewStep, names: Sequence[str]) -> Iterator[str]:
    for actor in ("stand-in", "clock"):
        seats = sorted({each.seat for each in step.acted_for if each.by == actor})
        if seats:
            yield f"({actor} acted for {', '.join(_name(names, seat) for seat in seats)})"
