"""`warroom ranking`: list the best players or bots of a game."""

from argparse import ArgumentParser, Namespace

import msgspec

from warroom_bots.commands.options import add_url
from warroom_client import Client, RankingList, Rated
from warroom_games.words import plural, printable
from warroom_terminal.commands.arguments import carry_out, check_game, positive

SUMMARY = "list the best players of a game, or its best bots"
EXAMPLE = "warroom ranking tile_blitz"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", help="the game")
    parser.add_argument("--bots", action="store_true", help="the bots' ladder, which counts matches between bots alone")
    parser.add_argument("--from", dest="place", type=positive, default=1, metavar="N", help="start at this place")
    add_url(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, one player per line")


def run(args: Namespace) -> int:
    """Print the ranking."""
    return carry_out("ranking", lambda: _list(args))


async def _list(args: Namespace) -> None:
    async with Client(args.url, agent="warroom-ranking") as client:
        await check_game(client, args.game)
        ranking = await client.ranking(args.game, args.place - 1, bots=args.bots)
    if args.json:
        for rated in ranking.players:
            print(msgspec.json.encode(msgspec.structs.asdict(rated)).decode())
        return
    if not ranking.players:
        print(_nobody(ranking))
        return
    ranked = "bot" if ranking.bots else "player"
    print(f"{'':>4}  {'score':>7}  {'skill':>15}  {'matches':>7}  {ranked}")
    for rated in ranking.players:
        print(_as_line(rated))
    print(f"{plural(ranking.size, ranked)}; score = skill minus 3 times the uncertainty")


def _nobody(ranking: RankingList) -> str:
    ranked = "bot" if ranking.bots else "player"
    if ranking.size:
        return f"the ranking of {ranking.game} has only {plural(ranking.size, ranked)}"
    first = "let bots finish a rated match among themselves first" if ranking.bots else "finish a rated match first"
    return f"no ranked {ranked}s in {ranking.game} yet; {first}"


def _bot_name(name: str, bot: str) -> str:
    """Name the bot behind a player, once if the player is called like it."""
    return f"{name} (bot)" if name == bot else f"{name} (bot {bot})"


def _as_line(rated: Rated) -> str:
    skill = f"{rated.skill / 1000:.1f} ± {rated.uncertainty / 1000:.1f}"
    name = rated.name if rated.bot is None else _bot_name(rated.name, rated.bot)
    return printable(f"{rated.place:>3}.  {rated.score / 1000:>7.1f}  {skill:>15}  {rated.matches:>7}  {name}")
