"""What people say: players to everybody, spectators to spectators, and nobody too much of it."""

from collections import deque
from zlib import crc32

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Done, Said
from warroom_server.rooms.commands import ConnectionId, Mute, Say
from warroom_server.rooms.floor import Floor
from warroom_server.rooms.seats import host

KEPT = 20
"""Lines that somebody who comes later is told."""
LINES = 5
"""How many lines one person may say..."""
WITHIN_MS = 10_000
"""...within this time."""
MUTED = 64
"""How many people one connection may mute, and the host for everybody."""


class Chat:
    """Passes lines on. Spectators hear players as late as they see them: held lines are told by `release`."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._spoke: dict[str, deque[int]] = {}
        self._silenced: set[str] = set()
        self._deaf: dict[ConnectionId, set[str]] = {}
        """By connection, whom it does not want to hear."""
        self._players: deque[Said] = deque(maxlen=KEPT)
        self._spectators: deque[Said] = deque(maxlen=KEPT)
        self._held: deque[tuple[int, deque[Said]]] = deque()
        """By turn, the last lines that players said and delayed spectators have not heard yet."""

    @property
    def has_muted(self) -> bool:
        """Whether there is anybody whom all, or some, are not to hear."""
        return bool(self._silenced) or any(self._deaf.values())

    def say(self, say: Say, now: int) -> None:
        """Pass a line on, or refuse it."""
        code = self._objection(say, now)
        if code is not None:
            self._floor.refuse(say, code)
            return
        self._spoke.setdefault(say.player, deque()).append(now)
        seat = self._floor.owned_seat(say.connection)
        if seat is None:
            self._show(Said(self._floor.room, None, say.player, say.name, None, say.text))
        else:
            sitter = self._floor.match.sitter_at(seat)
            line = Said(self._floor.room, self._floor.time.at(now), sitter.player, sitter.name, seat, say.text)
            self._players.append(line)
            self._tell(line, self._floor.audience.players())
            self._hold(line)
        self._floor.out.send(say.connection, Done(say.ref))

    def mute(self, mute: Mute) -> None:
        """Let a connection, or everybody, hear a player no more, or again."""
        floor = self._floor
        if mute.connection not in floor.audience:
            floor.refuse(mute, codes.ROOM_NOT_HERE)
            return
        if mute.everybody and not self._is_host(mute.connection):
            floor.refuse(mute, codes.ROOM_NOT_HOST)
            return
        muted = self._silenced if mute.everybody else self._deaf.setdefault(mute.connection, set())
        if mute.on and len(muted) >= MUTED:
            floor.refuse(mute, codes.CHAT_LIMIT, f"{MUTED} people are muted already")
            return
        (muted.add if mute.on else muted.discard)(mute.player)
        floor.out.send(mute.connection, Done(mute.ref))

    def release(self, turn: int) -> None:
        """Let delayed spectators hear what was said until the end of *turn*; all of it, once they have seen the end."""
        while self._held and (self._held[0][0] <= turn or self._floor.public_match.is_over):
            for line in self._held.popleft()[1]:
                self._show(line)

    def recall(self, connection: ConnectionId, heard: int | None) -> None:
        """Tell somebody who comes in what was said last, after what it has *heard* if that is known."""
        is_player = self._floor.seat_of(connection) is not None
        lines = list(self._players if is_player else self._spectators)
        if heard is not None:
            # Of lines that are the same the first one counts: it is better to hear one twice than never.
            known = next((index for index, line in enumerate(lines) if crc32(encode(line)) == heard), -1)
            lines = lines[known + 1 :]
        for line in lines:
            self._floor.out.send(connection, line)

    def forget(self, connection: ConnectionId) -> None:
        """Take note that a connection is gone."""
        self._deaf.pop(connection, None)

    def _objection(self, say: Say, now: int) -> str | None:
        floor = self._floor
        if say.connection not in floor.audience:
            return codes.ROOM_NOT_HERE
        if not floor.match.opened.room_options.chat:
            return codes.CHAT_OFF
        if not say.text:
            return codes.CHAT_EMPTY
        if say.player in self._silenced or floor.audience.player_of(say.connection) in self._silenced:
            return codes.CHAT_MUTED
        self._forget_old(now)
        spoke = self._spoke.get(say.player)
        return codes.CHAT_LIMIT if spoke is not None and len(spoke) >= LINES else None

    def _forget_old(self, now: int) -> None:
        for player, spoke in list(self._spoke.items()):
            while spoke and spoke[0] <= now - WITHIN_MS:
                spoke.popleft()
            if not spoke:
                del self._spoke[player]

    def _is_host(self, connection: ConnectionId) -> bool:
        player = self._floor.audience.player_of(connection)
        return player is not None and player == host(self._floor.match)

    def _hold(self, line: Said) -> None:
        """Show a player's line to the spectators, at once or with the turn in which it was said."""
        match = self._floor.match
        is_behind = match.opened.room_options.delay and match.phase != "lobby"
        if not is_behind or self._floor.public_match.is_over:
            self._show(line)
            return
        if not self._held or self._held[-1][0] != match.turn:
            self._held.append((match.turn, deque(maxlen=KEPT)))
        self._held[-1][1].append(line)

    def _show(self, line: Said) -> None:
        self._spectators.append(line)
        self._tell(line, self._floor.audience.spectators())

    def _tell(self, line: Said, to: tuple[ConnectionId, ...]) -> None:
        hearing = tuple(viewer for viewer in to if line.player not in self._deaf.get(viewer, ()))
        if hearing:
            self._floor.out.send_all(line, hearing)
