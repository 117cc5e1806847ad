"""The replay of a match that is not over tells nothing: whatever is hidden from whoever asks, the answer is the same.

Both rooms of a case are on a node of their own, with their logs in its store. After everything that happens there, the
viewer, a stranger and programs ask for all of the match, for what is public and for a seat's own view.
"""

import asyncio
from collections.abc import Awaitable
from itertools import product
from typing import get_args

import pytest
from hypothesis import settings
from manual_time import ManualTime
from msgspec import Struct
from room_table import NAMES, ROOM, Table
from sealed_bids import GAME as SEALED_BIDS
from small_node import SECRET, FickleStore, LittleNode, NotedConnection
from twin_rooms import Case, TwinRooms, cases_of, drawn_matches
from wait_until import until

from warroom_games.api import AnyGame
from warroom_games.registry import load_games
from warroom_games.replay import seal
from warroom_protocol import codes
from warroom_protocol.messages import Error, Replay, ReplayPart, ReplayView
from warroom_protocol.rooms import room_code
from warroom_server.archive.match_reader import MatchArchive, Reader
from warroom_server.node import wiring as engine
from warroom_server.ports.store import Append, KeptReplay
from warroom_server.session.room_proposal import Declined
from warroom_server.session.signer import Identity, Signer

POSITIONS = 2
"""So many positions of each match are begun with, each for every viewer."""

CASES = {50: 10, 100: 10, 1000: 1000}[settings().max_examples]
"""How many cases a game has."""

VIEWS: tuple[ReplayView, ...] = get_args(ReplayView)
SIGNER = Signer(SECRET)
KEYS = (None, SIGNER.room_key(ROOM))
PATHS = tuple(f"/api/replays/{room_code(ROOM)}{rest}" for rest in ("", "?view=public", "/verify"))


class Desk:
    """A node with the room of a table, where one can ask for the replay of its match."""

    def __init__(self, stores: type[FickleStore]) -> None:
        self._time = ManualTime()
        self._store = stores(self._time)
        self._node = LittleNode(self._store, self._time)
        self._written = 0
        self.refusals: set[str] = set()
        """The codes with which somebody was refused."""

    async def answers(self, table: Table, player: str | None) -> list[list[bytes]]:
        """Return all that is sent to *player*, or a stranger, for all questions."""
        await self._write(table)
        if (hosted := self._node.room_host.get(ROOM)) is None or hosted.room is not table.room:
            self._node = LittleNode(self._store, self._time)  # where a room goes on after a restart
            self._node.room_host.host(table.room, 1)
        asking = [self._ask(player, view, key) for view, key in product(VIEWS, KEYS)]
        await self._node.settle()
        await until(lambda: all(len(each.of(Error)) + len(each.of(ReplayPart)) == 1 for each in asking))
        for each in asking:
            self._node.dispatcher.closed(each)
            self.refusals.update(refused.code for refused in each.of(Error))
        return [*(each.frames for each in asking), await self._pages()]

    def _ask(self, player: str | None, view: ReplayView, key: str | None) -> NotedConnection:
        token = None if player is None else SIGNER.identity_token(Identity(player))
        connection = self._node.greet("Ada", token)
        self._node.say(connection, Replay(9, ROOM, view, 0, key))
        return connection

    async def _pages(self) -> list[bytes]:
        bodies: list[bytes] = []
        for path, _, query in (path.partition("?") for path in PATHS):
            answer = self._node.pages.answer(path, query)
            found = await answer if isinstance(answer, Awaitable) else answer
            bodies.append(f"{found.status} {sorted(found.headers.items())} ".encode() + found.body)
        return bodies

    async def _write(self, table: Table) -> None:
        """Bring the store up to what the table has stored."""
        owner = self._node.name
        for logged in table.log[self._written :]:
            request = Append(ROOM, logged.rev, logged.entry, logged.chain, owner, 1)
            if logged.rev == 1:
                await self._store.create(request)
            else:
                await self._store.append([request])
        self._written = len(table.log)


class ReadRooms(TwinRooms):
    """Both rooms on nodes of their own, which are asked for the replay whenever anything happened."""

    def __init__(self, case: Case, desks: tuple[Desk, Desk], runner: asyncio.Runner) -> None:
        super().__init__(case)
        self._runner = runner
        self._desks = dict(zip(map(id, self.tables), desks, strict=True))

    def _received(self, table: Table, seed: bytes) -> list[list[bytes]]:
        desk = self._desks[id(table)]
        asking = (None,) if self.viewer is None else (None, NAMES[self.viewer])
        answers = [self._runner.run(desk.answers(table, player)) for player in asking]
        return [*super()._received(table, seed), *(frames for found in answers for frames in found)]


class Reached(Struct):
    """How many cases there were, and with which codes somebody was refused."""

    cases: int = 0
    refusals: set[str] = set()


def compare(game: AnyGame, stores: type[FickleStore] = FickleStore) -> Reached:
    """Compare as many cases of random matches as a game has."""
    reached = Reached()
    with asyncio.Runner() as runner:
        for case in (case for match in drawn_matches(game, "replays") for case in cases_of(match, positions=POSITIONS)):
            desks = runner.run(_two_desks(stores))
            rooms = ReadRooms(case, desks, runner)
            rooms.compare()
            reached.cases += rooms.compared
            reached.refusals |= desks[0].refusals | desks[1].refusals
            if reached.cases >= CASES:
                break
    return reached


async def _two_desks(stores: type[FickleStore]) -> tuple[Desk, Desk]:
    return Desk(stores), Desk(stores)  # where a loop runs, as a node needs one


@pytest.mark.parametrize("game", [SEALED_BIDS, *load_games()], ids=lambda game: game.info.id)
def test_the_replay_of_a_match_that_is_not_over_tells_nothing(game: AnyGame) -> None:
    reached = compare(game)
    assert reached.cases >= CASES
    assert reached.refusals == {codes.REPLAY_RUNNING}


class HastyStore(FickleStore):
    """Keeps the replay of a match before it is over."""

    async def replay(self, room: int) -> KeptReplay | None:
        return KeptReplay(seal(await self.log(room)), ended_ms=0)


class CountingLibrary(MatchArchive):
    """Says in a refusal how long the log is."""

    async def replay(self, number: int, view: ReplayView, reader: Reader) -> bytes | Declined:
        found = await super().replay(number, view, reader)
        if not isinstance(found, Declined):
            return found
        return Declined(found.code, f"{found.detail}: {len(await self._store.log(number))} entries")


def test_a_replay_that_is_handed_out_too_early_is_noticed() -> None:
    with pytest.raises(AssertionError, match="after they came the bytes differ"):
        compare(SEALED_BIDS, HastyStore)


def test_a_refusal_that_tells_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MatchArchive", CountingLibrary)
    with pytest.raises(AssertionError, match="after an unseen step the bytes differ"):
        compare(SEALED_BIDS)
