"""`warroom matches`: list the finished matches of a server."""

import os
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime

import msgspec

from warroom_bots.commands.options import add_url
from warroom_client import Client, MatchSummary
from warroom_games.invocation import program
from warroom_games.words import printable
from warroom_protocol.results import ending_in_words, standings
from warroom_protocol.rooms import parse_invitation
from warroom_terminal.commands.arguments import carry_out, check_game, invitation, print_lines, url_flag

SUMMARY = "list finished matches, newest first"
EXAMPLE = "warroom matches tile_blitz"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="only matches of this game")
    parser.add_argument("--player", metavar="ID", help="only matches of this player id (see `warroom ranking --json`)")
    parser.add_argument("--before", type=invitation, metavar="CODE", help="only matches that ended before this one")
    add_url(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, one match per line")


def run(args: Namespace) -> int:
    """Print the matches."""
    return carry_out("matches", lambda: _list(args))


async def _list(args: Namespace) -> None:
    before = None if args.before is None else parse_invitation(args.before)[0]
    async with Client(args.url, agent="warroom-matches") as client:
        await check_game(client, args.game)
        matches = await client.matches(args.game, player=args.player, before=before)
    for match in matches:
        if args.json:
            print(_as_json(match))
        else:
            print_lines(_as_line(match))
    if args.json:
        return
    if matches:
        print(f"watch one: {program(os.environ)} replay {matches[0].code}{url_flag(args.url)}")
    else:
        print("no matches found; old matches expire")


def _as_json(match: MatchSummary) -> str:
    fields = msgspec.structs.asdict(match)
    players = [msgspec.structs.asdict(player) for player in match.players]
    return msgspec.json.encode({**fields, "players": players}).decode()


def _as_line(match: MatchSummary) -> str:
    when = datetime.fromtimestamp(match.ended_ms / 1000, UTC).astimezone()
    ranked = [(each, match.players[each.seat]) for each in standings(match.ranks, match.left)]
    players = "  ".join(
        f"{each.rank}. {player.name}{' (bot)' if player.bot else ''}{each.note}" for each, player in ranked
    )
    outcome = f"{ending_in_words(match.reason)}, {'rated' if match.rated else 'unrated'}"
    facts = f"{match.code}  {when:%Y-%m-%d %H:%M}  {match.game:<14} {match.turns:>4} turns  {outcome}"
    return printable(f"{facts}  {players}".rstrip())
