"""One run from beginning to end: start everything, let it be broken, let the players finish, and judge."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from msgspec import Struct

from warroom_chaos.audit import Damage, audit, contradicting
from warroom_chaos.cluster import Cluster
from warroom_chaos.faults import Injector
from warroom_chaos.notes import MatchNotes
from warroom_chaos.ownership import drain_pauses_ms, late_leases, self_takeovers, takeovers, takeovers_ms
from warroom_chaos.plan import KINDS, make_plan
from warroom_chaos.players import Stage, Table
from warroom_chaos.processes import ProcessError
from warroom_chaos.report import Figures, Report
from warroom_client import Client, RejectedError
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES, Rng

SETTLE_S: Final = 120.0
"""How long the last matches may take to end once nothing is broken any more."""
SEATING_S: Final = 120.0
"""How long it may take until everybody sits, before anything is broken."""
FETCH_S: Final = 30.0
"""How long a replay may take to be there after the end of its match."""
FETCHERS: Final = 8
_RETRY_S: Final = 0.25
_JUDGES: Final = 2


class Order(Struct, frozen=True, kw_only=True):
    """What to run."""

    nodes: int
    matches: int
    """How many are played at a time."""
    seconds: float
    seed: int
    kinds: tuple[str, ...] = KINDS
    """The kinds of faults that there may be."""


class Progress(Struct, frozen=True):
    """How far a run is."""

    phase: str
    at_s: float
    finished: int
    accepted: int
    faults: int
    current: tuple[str, ...] = ()


Tell = Callable[[Progress], None]


async def run(order: Order, folder: Path, tell: Tell) -> Report:
    """Run it with logs in *folder*; *tell* is called about every second."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()

    def now_s() -> float:
        return loop.time() - began_s

    tell(Progress("starting", 0.0, 0, 0, 0))
    async with Cluster(folder, nodes=order.nodes, now_s=now_s) as cluster:
        began_s = loop.time()
        stage = Stage(cluster.url, now_s, tables=order.matches)
        plan = make_plan(order.seed, nodes=order.nodes, seconds=order.seconds, kinds=order.kinds)
        injector = Injector(cluster, plan, now_s)
        with _telling(stage, injector, tell):
            await _play(order, stage, injector)
            replays = await _fetch_all(stage)
    tell(Progress("checking", now_s(), stage.finished, stage.accepted, len(injector.done)))
    damages = await _judge(stage, replays)
    rooms = {match.room: match.code for match in stage.matches if match.room is not None}
    damages += contradicting(cluster.witness.verdicts, rooms)
    changes = takeovers(cluster.journal.entries, injector.done)
    damages += self_takeovers(changes)
    moves = [move for match in stage.matches for seat in match.seats for move in seat.moves]
    figures = Figures(
        seed=order.seed,
        nodes=order.nodes,
        tables=order.matches,
        seconds=order.seconds,
        matches=len(stage.matches),
        actions=sum(1 for move in moves if move.is_accepted),
        refused=sum(1 for move in moves if move.code is not None),
        duplicated=cluster.witness.duplicated,
        expired=sum(len(seat.expiries) for match in stage.matches for seat in match.seats[:1]),
        late_leases=late_leases(cluster.journal.entries, injector.done),
        takeover_ms=takeovers_ms(changes),
        drain_pause_ms=drain_pauses_ms(changes, cluster.witness.halts),
    )
    return Report(figures, damages, injector.done, str(folder))


async def _play(order: Order, stage: Stage, injector: Injector) -> None:
    """Let bots play while things break, then let them finish in peace; who does not is cut short."""
    rng = Rng(order.seed.to_bytes(KEY_BYTES, "big", signed=True))
    tables = []
    for number in range(order.matches):
        own, rng = rng.spawn()
        tables.append(asyncio.create_task(Table(number, stage, own).play()))
    try:
        await _seated(stage)
        began_s = stage.now_s()
        await injector.run()
        await asyncio.sleep(max(0.0, began_s + order.seconds - stage.now_s()))
        stage.is_closing.set()
        await asyncio.wait(tables, timeout=SETTLE_S)
    finally:
        for table in tables:
            table.cancel()
        await asyncio.wait(tables)
    for table in tables:
        if not table.cancelled():
            table.result()  # a bug in the kit itself shows here


async def _seated(stage: Stage) -> None:
    try:
        async with asyncio.timeout(SEATING_S):
            await stage.is_full.wait()
    except TimeoutError as error:
        raise ProcessError(f"not everybody sat down within {SEATING_S:g} s: this machine is too busy") from error


async def _fetch_all(stage: Stage) -> dict[int, bytes | str]:
    """Return the replays by room, or why there is none."""
    replays: dict[int, bytes | str] = {}
    wanted = iter([match for match in stage.matches if match.room is not None and match.failure is None])
    async with asyncio.TaskGroup() as fetchers:
        for _ in range(FETCHERS):
            fetchers.create_task(_fetch(stage, wanted, replays))
    return replays


async def _fetch(stage: Stage, wanted: Iterator[MatchNotes], replays: dict[int, bytes | str]) -> None:
    async with Client(stage.url, name="auditor") as client:
        for match in wanted:
            assert match.room is not None
            until_s = stage.now_s() + FETCH_S
            while not isinstance(replays.get(match.room), bytes) and stage.now_s() < until_s:
                try:
                    replays[match.room] = await client.replay(match.room)
                except RejectedError as error:
                    replays[match.room] = str(error)
                    await asyncio.sleep(_RETRY_S)


async def _judge(stage: Stage, replays: dict[int, bytes | str]) -> list[Damage]:
    """Audit every match, in processes beside this one: running matches again takes a while."""
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(_JUDGES, mp_context=get_context("spawn")) as pool:
        judged = [
            loop.run_in_executor(pool, _audit_one, match, replays.get(match.room or 0, "it was not asked for"))
            for match in stage.matches
        ]
        return [damage for found in await asyncio.gather(*judged) for damage in found]


def _audit_one(match: MatchNotes, replay: bytes | str) -> list[Damage]:
    return audit(match, replay, load_games())


@contextmanager
def _telling(stage: Stage, injector: Injector, tell: Tell) -> Iterator[None]:
    async def go_on() -> None:
        while True:
            phase = "settling" if stage.is_closing.is_set() else "playing" if stage.is_full.is_set() else "seating"
            current = tuple(str(fault) for fault in injector.current)
            tell(Progress(phase, stage.now_s(), stage.finished, stage.accepted, len(injector.done), current))
            await asyncio.sleep(1.0)

    teller = asyncio.get_running_loop().create_task(go_on())
    try:
        yield
    finally:
        teller.cancel()


logging.getLogger("warroom_client").setLevel(logging.ERROR)
