"""The other nodes: what they say goes to the part of this node that it is for."""

from collections.abc import Callable

from warroom_games.registry import Registry
from warroom_server.cluster.heirs import Heirs
from warroom_server.cluster.list_exchange import Bulletin
from warroom_server.cluster.matchmaker_election import Meeting
from warroom_server.cluster.messages import (
    MAX_ROOMS,
    Ask,
    Batch,
    Bots,
    Cut,
    Draining,
    Enter,
    Lead,
    Led,
    Load,
    Message,
    News,
    Offer,
    Owns,
    Part,
    Rules,
    Tell,
    Vacant,
)
from warroom_server.cluster.peers import Peers
from warroom_server.cluster.remote_clients import RemoteClients
from warroom_server.cluster.remote_rooms import RemoteRooms
from warroom_server.cluster.room_directory import RoomDirectory
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.hosting.vacancy import BotRequest
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.ports.store import NodeLease, Whereabouts


class Neighbourhood:
    """Listens to all links."""

    def __init__(
        self,
        *,
        peers: Peers,
        directory: RoomDirectory,
        remote_clients: RemoteClients,
        remote_rooms: RemoteRooms,
        heirs: Heirs,
        events: RoomEvents,
        room_host: RoomHost,
        soon: Callable[[Callable[[], object]], object],
        bulletin: Bulletin,
        meeting: Meeting,
        bot_workers: BotWorkers,
        registry: Registry,
    ) -> None:
        self._peers = peers
        self._directory = directory
        self._remote_clients = remote_clients
        self._remote_rooms = remote_rooms
        self._heirs = heirs
        self._events = events
        self._room_host = room_host
        self._soon = soon
        self._bulletin = bulletin
        self._meeting = meeting
        self._bot_workers = bot_workers
        self.on_load: Callable[[str, Load], None] = lambda _, __: None
        """Called with every node that says how many matches it has."""
        self._nodes: set[str] = set()
        self._own_rules = Rules(tuple((game.info.id, game.info.rules_version) for game in registry))
        self._rules: dict[str, frozenset[tuple[str, int]]] = {}
        """By node, the rules that it has."""
        self._taken_over: list[tuple[int, int]] = []
        """Rooms that were taken over just now, and that no other node knows of yet."""
        events.taken_over.append(self._take_over)
        missing_rules = directory.missing_rules
        missing_rules.heir = self._node_with
        missing_rules.offer = lambda peer, offered: peers.send(peer, Offer((offered,)))
        peers.neighbours = self
        bot_workers.on_bots = lambda bots: peers.broadcast(Bots(bots))
        bot_workers.lend = lambda peer, vacancy: peers.send(
            peer, Vacant(vacancy.room, vacancy.game, vacancy.ticket, vacancy.bot, vacancy.creator)
        )

    def know(self, nodes: list[NodeLease]) -> None:
        """Take note of the nodes that hold a lease."""
        before, self._nodes = self._nodes, {node.owner for node in nodes}
        self._bulletin.know(nodes, before)
        self._peers.know(nodes)

    def linked(self, peer: str) -> None:
        """A node can be reached: tell it what there is here."""
        self._bulletin.linked(peer)
        self._peers.send(peer, self._own_rules)
        self._peers.send(peer, Bots(self._bot_workers.bots))
        self._heirs.forget(peer)
        self._directory.room_locator.seek_all()

    def unlinked(self, peer: str) -> None:
        """A node cannot be reached any more."""
        self._bot_workers.note_far(peer, {})
        self._rules.pop(peer, None)
        self._meeting.lost(peer)
        self._heirs.forget(peer)
        self._remote_clients.lost(peer)
        self._remote_rooms.lost(peer)

    def drained(self, peer: str) -> None:
        """A link that was congested carries everything again."""
        self._remote_clients.drained(peer)

    def received(self, peer: str, message: Message) -> None:
        """A node says something."""
        match message:
            case Batch():
                self._remote_rooms.received(peer, message)
            case Enter() | Ask() | Tell() | Part():
                self._remote_clients.received(peer, message)
            case Owns() | Offer() | Cut() | Draining():
                self._hear_of_rooms(peer, message)
            case Rules(games=games):
                self._rules[peer] = frozenset(games)
            case Load():
                self.on_load(peer, message)
            case News():
                self._bulletin.received(peer, message)
            case Lead() | Led():
                self._meeting.received(peer, message)
            case Bots() | Vacant():
                self._hear_of_bots(peer, message)

    def _hear_of_rooms(self, peer: str, message: Owns | Offer | Cut | Draining) -> None:
        match message:
            case Owns(rooms=rooms):
                for number, epoch in rooms:
                    self._own_elsewhere(number, Whereabouts(peer, epoch))
            case Offer(rooms=rooms):
                handoff_state = {number: each for number, _, each in rooms}
                self._directory.take_over([(number, peer, epoch) for number, epoch, _ in rooms], handoff_state)
            case Cut():
                self._directory.cuts.heard(message)
            case Draining():
                self._heirs.drains(peer)

    def _hear_of_bots(self, peer: str, message: Bots | Vacant) -> None:
        if isinstance(message, Bots):
            self._bot_workers.note_far(peer, message.plays)
        else:
            vacancy = BotRequest(message.room, message.game, message.ticket, message.bot, message.creator)
            self._bot_workers.summon_here(vacancy)

    def _own_elsewhere(self, number: int, whereabouts: Whereabouts) -> None:
        """Lead everybody to the node that has a room, also those who are in it here while it is in doubt.

        The store that could tell may be out of reach for long.
        """
        hosted = self._room_host.get(number)
        if hosted is not None and hosted.epoch < whereabouts.epoch and self._room_host.is_in_doubt(number):
            self._room_host.lose(hosted)
        self._directory.room_locator.announced(number, whereabouts)
        self._events.owned_elsewhere(number, whereabouts.epoch)

    def _take_over(self, hosted: HostedRoom) -> None:
        """Tell all nodes, in the loop's next turn, that a room is here."""
        if not self._taken_over:
            self._soon(self._tell_taken_over)
        self._taken_over.append((hosted.room.number, hosted.epoch))

    def _tell_taken_over(self) -> None:
        rooms, self._taken_over = self._taken_over, []
        for first in range(0, len(rooms), MAX_ROOMS):
            self._peers.broadcast(Owns(tuple(rooms[first : first + MAX_ROOMS])))

    def _node_with(self, rules: tuple[str, int]) -> str | None:
        """Return a node that has a version of a game's rules."""
        return next((peer for peer in self._heirs.peers() if self.has_rules(peer, rules)), None)

    def has_rules(self, peer: str, rules: tuple[str, int]) -> bool:
        """Whether another node has a version of a game's rules."""
        return rules in self._rules.get(peer, ())
