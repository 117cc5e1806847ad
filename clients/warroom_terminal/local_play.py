"""Plays against bots in this process: the person at the console, and a runner for each bot."""

import asyncio
import os
from collections.abc import Mapping
from functools import partial
from shlex import quote
from typing import Final

import msgspec
from msgspec import Struct

from warroom_bots.api import BotKind
from warroom_bots.bot_executor import BotExecutor
from warroom_bots.failures import in_one_line
from warroom_bots.registry import find_bot
from warroom_bots.runner import Runner, Terms, Think
from warroom_client import ClientError, Ended, Room
from warroom_client.local_match import LocalMatch, LocalRoom
from warroom_games.api import AnyGame, OptionsError, Seat
from warroom_games.codec import check_seats, decode_options
from warroom_games.forms import listed
from warroom_games.invocation import program
from warroom_games.log import Sat
from warroom_games.registry import load_games
from warroom_games.rng import Rng, derived_key
from warroom_terminal.console import Console, console_for
from warroom_terminal.play_session import PlaySession

PLAYER: Final = "you"


class LocalTable(Struct, frozen=True, kw_only=True):
    """Who plays what; the same table, seed and actions give the same match."""

    game: AnyGame
    name: str
    """The name of the person."""
    bots: tuple[BotKind, ...]
    """The bots at all other seats."""
    options: Mapping[str, object]
    seat: Seat | None
    """The seat of the person; None: seats are dealt."""
    named: str | None = None
    """How the bots were named on the command line."""


class LocalHost:
    """Hosts one match after the other in place of a server. Use it as a context manager."""

    is_connected = True

    def __init__(self, table: LocalTable, seed: str) -> None:
        self._table = table
        self._first_seed = seed
        self._executor = BotExecutor(1, is_patient=True)
        self._bots: list[asyncio.Task[Ended]] = []

    async def __aenter__(self) -> "LocalHost":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stop_bots()
        self._executor.close()

    def seed_of(self, room: Room) -> str:
        """Return the seed of a match: rematches have seeds of their own."""
        return self._seed(room.number)

    async def move_on(self, room: Room) -> LocalRoom:
        """Begin the rematch, and return its room."""
        return await self.begin(room.number + 1)

    async def rotate(self) -> str:
        """Raise `ClientError`: there is no identity that could be stolen."""
        raise ClientError("a local match has no tokens")

    async def begin(self, number: int = 1) -> LocalRoom:
        """Begin match *number* and return the person's room; raise `OptionsError` if the table does not fit."""
        await self._stop_bots()
        table = self._table
        seed = self._seed(number)
        players = [
            Sat(0, f"bot-{index}", f"{kind.name} {index + 1}", bot=kind.name, hired=True)
            for index, kind in enumerate(table.bots)
        ]
        players.insert(table.seat or 0, Sat(0, PLAYER, table.name))
        match = LocalMatch(
            table.game,
            [Sat(place, sat.player, sat.name, sat.bot, sat.hired) for place, sat in enumerate(players)],
            options=table.options,
            is_dealt=table.seat is None,
            seed=derived_key(seed, "match"),
            number=number,
        )
        own = match.room_of(PLAYER)
        for index, kind in enumerate(table.bots):
            room = match.room_of(f"bot-{index}")
            bot, rng = kind.make(Rng(derived_key(seed, f"bot {index}"))), Rng(derived_key(seed, f"pauses {index}"))
            choose, terms = partial(self._executor.choose, kind), Terms(has_notes=kind.wants_notes)
            runner = Runner(room, bot, rng, think=Think(), choose=choose, terms=terms)
            playing = asyncio.create_task(runner.play(), name=kind.name)
            playing.add_done_callback(partial(_give_up, room, own))
            self._bots.append(playing)
        return own

    def _seed(self, number: int) -> str:
        return self._first_seed if number == 1 else f"{self._first_seed}.{number}"

    async def _stop_bots(self) -> None:
        bots, self._bots = self._bots, []
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)


def seated(
    game_id: str, bots: str | None, seats: int | None, *, seat: Seat | None, options: Mapping[str, object], name: str
) -> LocalTable:
    """Return the table that a command line describes; *bots* are names with commas between them, None: the usual bot.

    Raise `RegistryError`, `UnknownBotError` or `OptionsError` if there is no such table.
    """
    game = load_games().get(game_id)
    chosen = [find_bot(game_id, each.strip() or None) for each in (bots or "").split(",")]
    count = seats or (len(chosen) + 1 if len(chosen) > 1 else game.info.usual_seats)
    check_seats(game, count)
    decode_options(game, options)
    if count <= len(chosen):
        raise OptionsError(f"{len(chosen)} bots and you need {len(chosen) + 1} seats, not {count}")
    if seat is not None and seat >= count:
        raise OptionsError(f"there is no seat {seat}: seats are counted from 0 to {count - 1}")
    opponents = tuple(chosen[number % len(chosen)] for number in range(count - 1))
    return LocalTable(game=game, name=name, bots=opponents, options=options, seat=seat, named=bots)


async def play_locally(table: LocalTable, seed: str) -> None:
    """Play in this terminal until the player quits; raise `ClientError` if a bot fails."""
    with console_for(os.environ.get("TERM", "dumb")) as console:
        await play_at(console, table, seed)


async def play_at(console: Console, table: LocalTable, seed: str) -> None:
    """Play at a console until the player quits; raise `ClientError` if a bot fails."""
    names = listed([kind.name for kind in table.bots])
    title = f"{table.game.info.name} against {names}, without a server and without a clock (seed {seed})"
    async with LocalHost(table, seed) as host:
        playing = PlaySession(
            host,
            console,
            entered=lambda room: None,
            after=lambda room, ended: _what_next(table, host.seed_of(room)),
            elsewhere=lambda room: ["a local match is on this device alone"],
            is_alone=True,
        )
        playing.obey_signals()
        console.show([title, "/rules shows how to play, /help lists the commands"])
        await playing.play(await host.begin())


def _what_next(table: LocalTable, seed: str) -> list[str]:
    """Return what a player can do after a match."""
    bots = "" if table.named is None else f" --bots {quote(table.named)}"
    seat = "" if table.seat is None else f" --seat {table.seat}"
    options = "".join(f" --option {name}={quote(_typed(value))}" for name, value in table.options.items())
    seats = f" --seats {len(table.bots) + 1}"
    again = f"{program(os.environ)} play {table.game.info.id} --local{bots}{seats}{seat}{options}"
    return ["", "play again:  /rematch", f"same start:  {again} --seed {quote(seed)}"]


def _typed(value: object) -> str:
    """Return the value of an option as it is typed."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _give_up(room: LocalRoom, own: LocalRoom, playing: asyncio.Task[Ended]) -> None:
    """End the match in *own* if the bot in *room* failed: nobody else plays its seat."""
    error = None if playing.cancelled() else playing.exception()
    if error is not None:
        own.close(ClientError(f"the bot {playing.get_name()} at seat {room.seat} failed: {in_one_line(error)}"))
