"""Chat: players talk to everybody, spectators to spectators, at a limited rate."""

from warroom_protocol import codes
from warroom_protocol.messages import Done, Said
from warroom_server.room.commands import Mute, Say
from warroom_server.room.context import RoomContext
from warroom_server.room.effects import Entered
from warroom_server.room.handoff_state import MUTED, Mutes
from warroom_server.room.viewer_addresses import Destination, Viewer

KEPT = 20
"""Lines that a newcomer is sent."""
LINES = 5
"""How many lines one person may say..."""
WITHIN_MS = 10_000
"""...within this time."""
_NOBODY: frozenset[str] = frozenset()


class Chat:
    """Distributes lines. Delayed spectators hear players as late as they see them: `release` sends held lines.

    A mute by a spectator lasts until its viewer leaves. A mute by a seated player covers all viewers of that player and
    lasts as long as the player sits, even across connections.
    """

    __slots__ = ("_context", "_deaf", "_held", "_muted", "_players", "_silenced", "_spectators", "_spoke")

    def __init__(self, context: RoomContext) -> None:
        self._context = context
        self._spoke: tuple[tuple[int, str], ...] = ()
        """The last lines: when each was said, and by whom."""
        self._silenced = _NOBODY
        self._deaf: dict[Destination, set[str]] = {}
        """By viewer, the players that it muted."""
        self._muted: dict[str, set[str]] = {}
        """By seated player, the players that it muted on all its viewers."""
        self._players: tuple[Said, ...] = ()
        self._spectators: tuple[Said, ...] = ()
        self._held: tuple[tuple[int, Said], ...] = ()
        """The last lines of players that delayed spectators have not heard yet, each with its turn."""

    @property
    def mutes(self) -> Mutes:
        """The mutes that outlive a connection. A seated player hears only seated players, so others are left out."""
        sitting = {sitter.player for sitter in self._context.match.seats if sitter is not None}
        by_player = {player: tuple(sorted(muted & sitting)) for player, muted in self._muted.items() if muted & sitting}
        return Mutes(tuple(sorted(self._silenced)), by_player)

    def remember(self, mutes: Mutes) -> None:
        """Restore the mutes that the last owner knew."""
        self._silenced = frozenset(mutes.silenced)
        self._muted = {player: set(muted) for player, muted in mutes.by_player.items()}

    def say(self, say: Say, now: int) -> None:
        """Distribute a line, or refuse it."""
        code = self._objection(say, now)
        if code is not None:
            self._context.refuse(say, code)
            return
        self._spoke += ((now, say.player),)
        seat = self._context.owned_seat(say.viewer)
        if seat is None:
            self._show(Said(self._context.room, None, say.player, say.name, None, say.text))
        else:
            sitter = self._context.match.sitter_at(seat)
            line = Said(self._context.room, self._context.time.at(now), sitter.player, sitter.name, seat, say.text)
            self._players = (*self._players, line)[-KEPT:]
            self._tell(line, self._context.audience.players())  # players hear each other at once
            self._hold(line)
        self._context.out.send(say.viewer, Done(say.ref))

    def mute(self, mute: Mute) -> None:
        """Mute or unmute a player, for one viewer or for everybody."""
        context = self._context
        if mute.viewer not in context.audience:
            context.refuse(mute, codes.ROOM_NOT_HERE)
            return
        if mute.everybody and not context.is_host(mute.viewer):
            context.refuse(mute, codes.ROOM_NOT_HOST)
            return
        unheard = self._silenced if mute.everybody else self._unheard(mute.viewer)
        if mute.on and len(unheard) >= MUTED:
            context.refuse(mute, codes.CHAT_LIMIT, f"{MUTED} people are muted already")
            return
        # A viewer with mutes needs other messages than the spectators that it shared a destination with.
        if not mute.everybody and context.audience.single_out(mute.viewer):
            context.out.add(Entered(mute.viewer, is_together=False))
        if mute.everybody:
            self._silenced = self._silenced | {mute.player} if mute.on else self._silenced - {mute.player}
        for muted in () if mute.everybody else self._mutes(mute):
            (muted.add if mute.on else muted.discard)(mute.player)
        context.out.send(mute.viewer, Done(mute.ref))

    def release(self, turn: int) -> None:
        """Send delayed spectators the lines up to the end of *turn*, and all lines once they have seen the end."""
        while self._held and (self._held[0][0] <= turn or self._context.public_match.is_over):
            (_, line), self._held = self._held[0], self._held[1:]
            self._show(line)

    def recall(self, viewer: Destination) -> None:
        """Send the last lines to a viewer that enters."""
        is_player = self._context.seat_of(viewer) is not None
        unheard = self._unheard(viewer)
        for line in self._players if is_player else self._spectators:
            if line.player not in unheard:
                self._context.out.send(viewer, line)

    def reseated(self) -> None:
        """Forget the mutes of players who no longer sit."""
        match = self._context.match
        self._muted = {player: muted for player, muted in self._muted.items() if match.seat_of(player) is not None}

    def forget(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self._deaf.pop(viewer, None)

    def _objection(self, say: Say, now: int) -> str | None:
        context = self._context
        if say.viewer not in context.audience:
            return codes.ROOM_NOT_HERE
        if not context.match.opened.room_options.chat:
            return codes.CHAT_OFF
        if not say.text:
            return codes.CHAT_EMPTY
        if say.player in self._silenced or context.audience.player_of(say.viewer) in self._silenced:
            return codes.CHAT_MUTED
        since = now - WITHIN_MS
        self._spoke = tuple(spoke for spoke in self._spoke if spoke[0] > since)
        return codes.CHAT_LIMIT if sum(player == say.player for _, player in self._spoke) >= LINES else None

    def _mutes(self, mute: Mute) -> list[set[str]]:
        """Return the sets that a mute changes. An unmute by a player applies to all viewers of that player."""
        context, viewers = self._context, {mute.viewer}
        player = context.audience.player_of(mute.viewer)
        muted: list[set[str]] = []
        if player is not None and context.owned_seat(mute.viewer) is not None:
            muted.append(self._muted.setdefault(player, set()))
            viewers |= set() if mute.on else {*context.audience.of_player(player)}
        return muted + [self._deaf.setdefault(viewer, set()) for viewer in viewers]

    def _unheard(self, viewer: Destination) -> set[str]:
        """Return the players that a viewer does not hear."""
        player = self._context.audience.player_of(viewer)
        own: set[str] = set() if player is None else self._muted.get(player, set())
        return own | self._deaf.get(viewer, set())

    def _hold(self, line: Said) -> None:
        """Show a player's line to spectators: at once, or with the turn in which it was said."""
        match = self._context.match
        is_behind = match.opened.room_options.delay and match.phase != "lobby"
        if not is_behind or self._context.public_match.is_over:
            self._show(line)
            return
        earlier = tuple(held for held in self._held if held[0] != match.turn)
        self._held = earlier + (*self._held[len(earlier) :], (match.turn, line))[-KEPT:]

    def _show(self, line: Said) -> None:
        self._spectators = (*self._spectators, line)[-KEPT:]
        self._tell(line, self._context.audience.spectators())

    def _tell(self, line: Said, to: tuple[Destination, ...]) -> None:
        hearing = tuple(viewer for viewer in to if line.player not in self._unheard(viewer))
        if hearing:
            self._context.out.send_all(line, hearing)
