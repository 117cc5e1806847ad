"""Plays one match of a contest on a server: every bot is a player with its own connection."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress

from warroom_bots.api import Action, Bot, BotKind, Decision
from warroom_bots.arena.contest import Contest, Pairing
from warroom_bots.arena.referee import BotFaultError, Timekeeper
from warroom_bots.arena.results import MatchResult
from warroom_bots.runner import Runner, Terms, Think
from warroom_client import Client, ClientError, Ended, Event, RejectedError, Room, TimedOut, UnsendableError
from warroom_games.api import Seat
from warroom_games.rng import Rng, derived_key


async def play_on_server(
    url: str, contest: Contest, kinds: Sequence[BotKind], pairing: Pairing, keeper: Timekeeper
) -> MatchResult:
    """Play a match in a room of its own, which does not count for ratings; raise `ClientError` if the server fails."""
    async with AsyncExitStack() as clients:
        opening = []
        for seat, kind in enumerate(kinds):
            name = contest.bots[pairing.bots[seat]].name
            opening.append(clients.enter_async_context(Client(url, name=f"{name} {seat + 1}", bot=kind.name)))
        players = await asyncio.gather(*opening)
        code = await _create(players[0], contest)
        rooms = [await client.join(code, seat=seat) for seat, client in enumerate(players)]
        seats = [_Seat(contest, pairing, keeper, room) for room in rooms]
        ends = await asyncio.gather(*(seat.play(number, kinds[number]) for number, seat in enumerate(seats)))
        return keeper.result(contest, pairing, ends[0].ranks, ends[0].reason, turns=rooms[0].turn, room=code)


async def _create(client: Client, contest: Contest) -> str:
    """Create a room in which nobody sits in for a bot that is slow or gone."""
    room_options: dict[str, object] = {"seating": "as_joined", "rated": False, "timeouts": 0, "chat": False}
    if contest.turn_ms is not None:
        room_options["turn_ms"] = contest.turn_ms
    created = await client.create(contest.game, seats=contest.seats, options=contest.options, room_options=room_options)
    return created.code


class _Seat:
    """One bot at its seat in the room."""

    def __init__(self, contest: Contest, pairing: Pairing, keeper: Timekeeper, room: Room) -> None:
        self._contest = contest
        self._seed = pairing.seed
        self._keeper = keeper
        self._room = room
        self._bot: Bot | None = None

    async def play(self, seat: Seat, kind: BotKind) -> Ended:
        """Play until the match is over; a bot at fault resigns."""
        try:
            return await self._run(seat, kind)
        except BotFaultError as failed:
            self._keeper.faults.append(failed.fault)
        except (RejectedError, UnsendableError) as refused:
            assert self._bot is not None, "it chose what was refused"
            self._keeper.faults.append(self._keeper.refused(seat, refused, self._bot).fault)
        with suppress(ClientError):
            await self._room.resign()
        async for event in self._room:
            if isinstance(event, Ended):
                return event
        raise AssertionError("the events of a room end with the match")

    async def _run(self, seat: Seat, kind: BotKind) -> Ended:
        rng, pace = Rng(derived_key(self._seed, f"bot {seat}")), Rng(derived_key(self._seed, f"pace {seat}"))
        keeper = self._keeper
        # Bots think in threads, so that the connections live on; only the arena can end one that hangs.
        bot = self._bot = await asyncio.to_thread(keeper.bot, seat, lambda: kind.make(rng))

        async def choose(bot: Bot, decision: Decision, _: float | None) -> tuple[Bot, Action]:
            return bot, await asyncio.to_thread(keeper.choice, seat, bot, decision)

        terms = Terms(self._contest.limit, has_notes=kind.wants_notes)
        runner = Runner(self._room, bot, pace, think=Think(), choose=choose, terms=terms)

        def watch(event: Event) -> None:
            if isinstance(event, TimedOut) and event.seat == seat:
                keeper.missed[seat] += 1

        return await runner.play(watch)
