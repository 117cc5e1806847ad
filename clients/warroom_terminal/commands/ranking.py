"""`warroom ranking`: list the best players of a game."""

from argparse import ArgumentParser, Namespace

import msgspec

from warroom_client import Client, Rated
from warroom_games.words import plural, printable
from warroom_terminal.commands.arguments import add_url, carry_out, check_game, positive

SUMMARY = "list the best players of a game"
EXAMPLE = "warroom ranking tile_blitz"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", help="the game")
    parser.add_argument("--from", dest="place", type=positive, default=1, metavar="N", help="start at this place")
    add_url(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, one player per line")


def run(args: Namespace) -> int:
    """Print the ranking."""
    return carry_out("ranking", lambda: _list(args))


async def _list(args: Namespace) -> None:
    async with Client(args.url, agent="warroom-ranking") as client:
        await check_game(client, args.game)
        ranking = await client.ranking(args.game, args.place - 1)
    if args.json:
        for rated in ranking.players:
            print(msgspec.json.encode(msgspec.structs.asdict(rated)).decode())
        return
    if not ranking.players:
        print(_nobody(args.game, ranking.size))
        return
    print(f"{'':>4}  {'score':>7}  {'skill':>15}  {'matches':>7}  player")
    for rated in ranking.players:
        print(_as_line(rated))
    print(f"{plural(ranking.size, 'player')}; score = skill minus 3 times the uncertainty")


def _nobody(game: str, size: int) -> str:
    if size:
        return f"the ranking of {game} has only {plural(size, 'player')}"
    return f"no ranked players in {game} yet; finish a rated match first"


def _as_line(rated: Rated) -> str:
    skill = f"{rated.skill / 1000:.1f} ± {rated.uncertainty / 1000:.1f}"
    name = f"{rated.name}{' (bot)' if rated.bot else ''}"
    return printable(f"{rated.place:>3}.  {rated.score / 1000:>7.1f}  {skill:>15}  {rated.matches:>7}  {name}")
