"""A Redis Cluster: sends every command to the primary that has its key, and follows keys that move."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, cast

from msgspec import Struct
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import AskError, MovedError, ResponseError, TryAgainError

from warroom_server.adapters.redis.address import Address, Place
from warroom_server.adapters.redis.checks import parse_info
from warroom_server.adapters.redis.command_sender import Command, Commands, Reply
from warroom_server.adapters.redis.connection import ServerConnection
from warroom_server.adapters.redis.errors import is_of_wrong_type
from warroom_server.ports.store import Trouble, UnavailableError

REDIRECTIONS = 8
"""How often one command is redirected before the cluster counts as unavailable."""
TRY_AGAIN_S = 0.02
"""The pause before a command is sent again whose keys are moving to another server."""

SOON_S = 0.05
"""How long to wait for more maps of the slots once one server has sent its own, which may be outdated."""

OpenServer: TypeAlias = Callable[[Place], ServerConnection]
_Map: TypeAlias = "tuple[int, list[Place | None]]"
"""The epoch of the cluster as a server knows it, and the primary of each slot."""


class SlotMap:
    """Which primary has which slot; a caller that finds it wrong marks it as stale."""

    def __init__(self, address: Address, *, timeout_s: float) -> None:
        self._address = address
        self._timeout_s = timeout_s
        self._slots: list[Place | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        self.primaries: tuple[Place, ...] = ()
        """The primaries that have slots."""
        self._first: frozenset[str] = frozenset()
        """The names of the primaries in the first map."""
        self._is_stale = True
        self._lock = asyncio.Lock()

    def distrust(self) -> None:
        """Ask for the map again before its next use."""
        self._is_stale = True

    def place_of(self, slot: int) -> Place | None:
        """Return the primary of a slot, None while it is unknown."""
        return self._slots[slot]

    def move(self, slot: int, host: str, port: int) -> Place:
        """Note that a slot has another primary; other slots may have moved with it."""
        place = self._slots[slot] = self._address.places[0].at(host, port)
        self.distrust()
        return place

    def is_new(self, place: Place) -> bool:
        """Whether a primary was not in the first map: mostly it replaced another."""
        return bool(self._first) and place.name not in self._first

    async def refresh(self) -> None:
        """Ask for the map if it is stale."""
        async with self._lock:
            if self._is_stale:
                await self._ask_anyone()

    async def _ask_anyone(self) -> None:
        """Ask all servers at once and take the latest map: a primary that was cut off has an outdated one."""
        places = _each_once((*self.primaries, *self._address.places))
        asked = {asyncio.create_task(self._ask(place)) for place in places}
        try:
            maps = await self._answers(asked)
        finally:
            for task in asked:
                task.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
        _, self._slots = max(maps, key=lambda each: each[0])
        self.primaries = _each_once(place for place in self._slots if place is not None)
        self._first = self._first or frozenset(place.name for place in self.primaries)
        self._is_stale = False

    async def _answers(self, asked: set[asyncio.Task["_Map"]]) -> list["_Map"]:
        """Return the maps of more than half of the servers that may answer; one that hangs delays this only shortly."""
        failure: UnavailableError | None = None
        maps: list[_Map] = []
        pending = asked
        while len(maps) <= len(pending) and pending:
            done, pending = await asyncio.wait(
                pending, timeout=SOON_S if maps else None, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                break
            for task in done:
                try:
                    maps.append(task.result())
                except UnavailableError as error:
                    failure = error
        if maps:
            return maps
        assert failure is not None, "there is somebody to ask"
        raise UnavailableError(f"{self._address.name}: nobody knows its slots: {failure}", failure.trouble) from failure

    async def _ask(self, place: Place) -> "_Map":
        connection = ServerConnection(f"the store at {place.name}", place.locate, timeout_s=self._timeout_s)
        try:
            slots, info = await connection.ask([("CLUSTER", "SLOTS"), ("CLUSTER", "INFO")])
        finally:
            await connection.close()
        return _epoch_of(info), _slots_of(slots, place)


class ClusterConnection:
    """Sends each command to the primary that has its key, and follows keys that move."""

    def __init__(self, name: str, slots: SlotMap, open_server: OpenServer) -> None:
        self.address = name
        self._slots = slots
        self._open_server = open_server
        self._servers: dict[str, ServerConnection] = {}

    def primary_of(self, key: str) -> str:
        """Return the name of the server that has *key*; empty while it is unknown."""
        place = self._slots.place_of(key_slot(key.encode()))
        return "" if place is None else place.name

    async def ask(self, commands: Commands, *, before: Commands = (), is_durable: bool = False) -> list[Reply]:
        """Return the replies in order, errors among them; raise `UnavailableError` if some reply is missing."""
        await self._slots.refresh()
        first = await self._ask_wherever(before, is_durable=False) if before else []
        return first + await self._ask_wherever(commands, is_durable=is_durable)

    async def touch(self) -> None:
        """Ping every primary."""
        await self._slots.refresh()
        try:
            await asyncio.gather(*(self._server(place).touch() for place in self._slots.primaries))
        except UnavailableError:
            self._slots.distrust()  # another server may have replaced it
            raise

    async def close(self) -> None:
        """Disconnect, and ask for the map of the slots before the next command."""
        self._slots.distrust()
        for server in self._servers.values():
            await server.close()

    async def _ask_wherever(self, commands: Commands, *, is_durable: bool) -> list[Reply]:
        """Send *commands* to their servers at the same time, and follow redirections."""
        errands = [_Errand(command, self._place_of(command)) for command in commands]
        for _ in range(REDIRECTIONS):
            todo = [errand for errand in errands if not errand.is_done]
            if any(isinstance(errand.reply, TryAgainError) for errand in todo):
                await asyncio.sleep(TRY_AGAIN_S)
            await self._run(todo, is_durable=is_durable)
            if all(errand.is_done for errand in errands):
                return [errand.reply for errand in errands]
        raise UnavailableError(f"{self.address}: a command was sent on {REDIRECTIONS} times", Trouble.CLUSTER)

    async def _run(self, todo: Sequence["_Errand"], *, is_durable: bool) -> None:
        groups: dict[str, list[_Errand]] = {}
        for errand in todo:
            groups.setdefault(errand.place.name, []).append(errand)
        asked = (self._ask_at(group, is_durable=is_durable) for group in groups.values())
        # Wait for all of them, so that no command is in flight when the caller sends it again.
        for failure in await asyncio.gather(*asked, return_exceptions=True):
            if failure is not None:
                raise failure

    async def _ask_at(self, group: Sequence["_Errand"], *, is_durable: bool) -> None:
        commands: list[Command] = []
        for errand in group:
            commands += [("ASKING",), errand.command] if errand.is_asking else [errand.command]
        try:
            replies = iter(await self._server(group[0].place).ask(commands, is_durable=is_durable))
        except UnavailableError:
            self._slots.distrust()
            raise
        for errand in group:
            if errand.is_asking:
                next(replies)
            self._take(errand, next(replies))

    def _take(self, errand: "_Errand", reply: Reply) -> None:
        """Note a reply; if it is a redirection, note the target."""
        errand.reply, errand.is_asking = reply, False
        host = str(errand.place.settings["host"])
        match reply:
            case MovedError():
                errand.place = self._slots.move(reply.slot_id, reply.host or host, reply.port)
            case AskError():
                errand.place = errand.place.at(reply.host or host, reply.port)
                errand.is_asking = True
            case TryAgainError():
                errand.place = self._place_of(errand.command)
            case ResponseError() if not is_of_wrong_type(reply):
                self._slots.distrust()
                errand.is_done = True
            case _:
                errand.is_done = True

    def _place_of(self, command: Command) -> Place:
        slot = _slot_of(command)
        place = self._slots.place_of(slot)
        if place is None:
            self._slots.distrust()
            raise UnavailableError(f"{self.address}: slot {slot} has no primary", Trouble.CLUSTER)
        return place

    def _server(self, place: Place) -> ServerConnection:
        server = self._servers.get(place.name)
        if server is None:
            server = self._servers[place.name] = self._open_server(place)
        return server


class _Errand(Struct):
    """One command, and the server that has its key."""

    command: Command
    place: Place
    is_asking: bool = False
    """Whether the key is being moved to this server, so that ASKING must precede the command."""
    reply: Reply = None
    is_done: bool = False


def _each_once(places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple({place.name: place for place in places}.values())


def _epoch_of(reply: Reply) -> int:
    """Return the epoch of the cluster that a server knows; 0 if it refuses to tell."""
    return int(parse_info(reply.decode()).get("cluster_current_epoch", "0")) if isinstance(reply, bytes) else 0


def _slots_of(reply: Reply, asked: Place) -> list[Place | None]:
    """Return the primary of each slot, as the server that was *asked* knows them."""
    if isinstance(reply, ResponseError):
        # Such as `cluster support disabled`, which waiting does not cure.
        raise UnavailableError(f"the store at {asked.name} is no node of a cluster: {reply}", Trouble.UNFIT)
    if not isinstance(reply, list) or not reply:
        raise UnavailableError(f"the store at {asked.name} knows of no slots", Trouble.CLUSTER)
    slots: list[Place | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
    for span in reply:
        first, last, primary = cast(tuple[int, int, list[Any]], tuple(cast(list[Reply], span)[:3]))
        # A node that does not know its own address means the one at which it was asked.
        place = asked.at(primary[0].decode() or str(asked.settings["host"]), primary[1])
        slots[first : last + 1] = [place] * (last + 1 - first)
    return slots


def _slot_of(command: Command) -> int:
    """Return the slot of the first key of a command: all of its keys share one slot."""
    key = command[3] if command[0] == "EVALSHA" else command[1]
    return key_slot(key if isinstance(key, bytes) else str(key).encode())
