"""One run from start to end: start the cluster, inject faults, let the players finish, and audit."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Final

from msgspec import Struct

from warroom_chaos.audit import Damage, audit, contradicting, out_of_time
from warroom_chaos.cluster import Cluster
from warroom_chaos.fault_injector import Injector
from warroom_chaos.fault_plan import KINDS, make_plan
from warroom_chaos.match_notes import MatchNotes
from warroom_chaos.player_process import PlayerProcess, PlayerSettings
from warroom_chaos.report import Figures, Report
from warroom_chaos.room_moves import placed
from warroom_chaos.takeovers import (
    drain_pauses_ms,
    late_leases,
    self_takeovers,
    takeovers,
    takeovers_ms,
)
from warroom_client import Client, RejectedError
from warroom_games.registry import load_games

FETCH_S: Final = 30.0
"""Time limit for a replay to appear after the end of its match."""
FETCHERS: Final = 8
_RETRY_S: Final = 0.25
_JUDGES: Final = 2


class RunSettings(Struct, frozen=True, kw_only=True):
    """The parameters of a run."""

    nodes: int
    matches: int
    """Number of concurrent matches."""
    seconds: float
    seed: int
    kinds: tuple[str, ...] = KINDS
    """The permitted kinds of faults."""


class Progress(Struct, frozen=True):
    """The progress of a run."""

    phase: str
    at_s: float
    finished: int
    accepted: int
    faults: int
    current: tuple[str, ...] = ()


Tell = Callable[[Progress], None]


async def run(settings: RunSettings, folder: Path, tell: Tell) -> Report:
    """Run with logs in *folder*; call *tell* about every second."""
    began_s = monotonic()

    def now_s() -> float:
        return monotonic() - began_s

    tell(Progress("starting", 0.0, 0, 0, 0))
    async with Cluster(folder, nodes=settings.nodes, now_s=now_s) as cluster:
        began_s = monotonic()
        plan = make_plan(settings.seed, nodes=settings.nodes, seconds=settings.seconds, kinds=settings.kinds)
        injector = Injector(cluster, plan, now_s)
        player_settings = PlayerSettings(cluster.url, settings.matches, settings.seed, began_s)
        async with PlayerProcess(player_settings) as players, _telling(players, injector, now_s, tell) as told:
            await players.seated()
            told.phase = "playing"
            broken_until_s = now_s() + settings.seconds
            await injector.run()
            await asyncio.sleep(max(0.0, broken_until_s - now_s()))
            told.phase = "settling"
            matches = await players.finish()
            replays = await _fetch_all(cluster.url, matches, now_s)
    moves = [move for match in matches for seat in match.seats for move in seat.moves]
    accepted = sum(1 for move in moves if move.is_accepted)
    tell(Progress("checking", now_s(), len(matches), accepted, len(injector.done)))
    damages = await _judge(matches, replays)
    rooms = {match.room: match.code for match in matches if match.room is not None}
    damages += contradicting(cluster.player_taps.verdicts, rooms)
    late = out_of_time(matches)
    damages += late
    changes = takeovers(cluster.ownership_log.entries, injector.done)
    damages += self_takeovers(changes)
    figures = Figures(
        seed=settings.seed,
        nodes=settings.nodes,
        tables=settings.matches,
        seconds=settings.seconds,
        matches=len(matches),
        actions=accepted,
        refused=sum(1 for move in moves if move.code is not None),
        duplicated=cluster.player_taps.duplicated,
        lost_messages=sum(member.link_proxy.lost for member in cluster.members),
        expired=len(late),
        late_leases=late_leases(cluster.ownership_log.entries, injector.done),
        takeover_ms=takeovers_ms(changes),
        drain_pause_ms=drain_pauses_ms(changes, cluster.player_taps.pauses),
        placed=placed(cluster.ownership_log.entries),
    )
    return Report(figures, damages, injector.done, str(folder))


async def _fetch_all(url: str, matches: list[MatchNotes], now_s: Callable[[], float]) -> dict[int, bytes | str]:
    """Return by room the replay, or the reason why there is none."""
    replays: dict[int, bytes | str] = {}
    wanted = iter([match for match in matches if match.room is not None and match.failure is None])
    async with asyncio.TaskGroup() as fetchers:
        for _ in range(FETCHERS):
            fetchers.create_task(_fetch(url, wanted, replays, now_s))
    return replays


async def _fetch(
    url: str, wanted: Iterator[MatchNotes], replays: dict[int, bytes | str], now_s: Callable[[], float]
) -> None:
    async with Client(url, name="auditor") as client:
        for match in wanted:
            assert match.room is not None
            until_s = now_s() + FETCH_S
            while not isinstance(replays.get(match.room), bytes) and now_s() < until_s:
                try:
                    replays[match.room] = await client.replay(match.room)
                except RejectedError as error:
                    replays[match.room] = str(error)
                    await asyncio.sleep(_RETRY_S)


async def _judge(matches: list[MatchNotes], replays: dict[int, bytes | str]) -> list[Damage]:
    """Audit every match in other processes, because replaying matches takes a while."""
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(_JUDGES, mp_context=get_context("spawn")) as pool:
        judged = [
            loop.run_in_executor(pool, _audit_one, match, replays.get(match.room or 0, "it was not asked for"))
            for match in matches
        ]
        return [damage for found in await asyncio.gather(*judged) for damage in found]


def _audit_one(match: MatchNotes, replay: bytes | str) -> list[Damage]:
    return audit(match, replay, load_games())


class _Told:
    """The current phase, for the progress line."""

    def __init__(self) -> None:
        self.phase = "seating"


@asynccontextmanager
async def _telling(
    players: PlayerProcess, injector: Injector, now_s: Callable[[], float], tell: Tell
) -> AsyncIterator[_Told]:
    told = _Told()

    async def go_on() -> None:
        while True:
            progress, current = players.progress, tuple(str(fault) for fault in injector.current)
            tell(Progress(told.phase, now_s(), progress.finished, progress.accepted, len(injector.done), current))
            await asyncio.sleep(1.0)

    teller = asyncio.create_task(go_on())
    try:
        yield told
    finally:
        teller.cancel()
