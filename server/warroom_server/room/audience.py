"""The viewers of a room, and the seats that they hold."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_protocol.messages import Position
from warroom_server.room.viewer_addresses import FEED, Destination, Remote, RemoteSpectators, Viewer


class Listed(Struct, frozen=True):
    """When a viewer got a list of legal actions: the decision of its seat, and how far the seat's views had come."""

    seat: int
    turn: int
    is_asked: bool
    position: Position
    has_notes: bool


_NOBODY: Final[frozenset[Viewer]] = frozenset()
_NO_NODES: Final[Counter[str]] = Counter()
_NO_LISTS: Final[Mapping[Viewer, Listed]] = {}


class Audience:
    """The viewers of a room. Several may hold one seat. Viewers without a seated player are spectators.

    Spectators on one other node share one destination, except those that were singled out.
    """

    __slots__ = (
        "_apart", "_everyone", "_held", "_listed", "_seats", "_together", "delayed_match", "known_holders",
        "known_live", "player_by_viewer"
    )  # fmt: skip

    def __init__(self) -> None:
        self.player_by_viewer: dict[Viewer, str | None] = {}
        """The player of each viewer; None for a spectator."""
        self._apart = _NOBODY
        """Spectators on other nodes with a destination of their own."""
        self._together = _NO_NODES
        """By other node, the number of spectators that share its destination; replaced instead of changed."""
        self._held: dict[str, tuple[Viewer, ...]] = {}
        self._seats: tuple[tuple[Sitter | None, ...], ...] = ((),)
        """Who sits where, and, after the start, which bots stand in."""
        self._everyone: tuple[Destination, ...] | None = ()
        self.known_live: tuple[Destination, ...] | None = None
        """What `live` returns, if it is known."""
        self.known_holders: list[tuple[Viewer, ...] | None] = []
        """By seat, what `of_seat` returns, if it is known."""
        self._listed = _NO_LISTS
        """The list of legal actions that each viewer got last; replaced instead of changed."""
        self.delayed_match: Match | None = None
        """The match as delayed spectators have seen it; None while spectators see everything as it happens."""

    def __contains__(self, viewer: Destination) -> bool:
        return (
            viewer.node in self._together if isinstance(viewer, RemoteSpectators) else viewer in self.player_by_viewer
        )

    def delay(self, match: Match) -> None:
        """Note how far delayed spectators have seen the match."""
        self.delayed_match = match
        self._changed()

    def _changed(self) -> None:
        self._everyone = self.known_live = None
        self.known_holders = [None] * len(self._seats[0])

    def everyone(self) -> tuple[Destination, ...]:
        """Return the destinations of messages for everybody."""
        if self._everyone is None:
            alone = [viewer for viewer in self.player_by_viewer if not self.is_together(viewer)]
            self._everyone = (*alone, *map(RemoteSpectators, self._together))
        return self._everyone

    def viewers(self) -> tuple[Viewer, ...]:
        """Return all viewers, in order of arrival."""
        return tuple(self.player_by_viewer)

    def of_seat(self, seat: int) -> tuple[Viewer, ...]:
        """Return the viewers that hold *seat*."""
        known = self.known_holders[seat]
        if known is None:
            known = ()
            for sitters in self._seats:
                if sitters and (sitter := sitters[seat]) is not None:
                    known += self._held.get(sitter.player, ())
            self.known_holders[seat] = known
        return known

    def live(self) -> tuple[Destination, ...]:
        """Return the destinations of messages about the present: delayed spectators are left out."""
        if self.known_live is None:
            self.known_live = self.everyone() if self.delayed_match is None else self.players()
        return self.known_live

    def players(self) -> tuple[Viewer, ...]:
        """Return the viewers that hold a seat."""
        return tuple(viewer for seat in range(len(self.known_holders)) for viewer in self.of_seat(seat))

    def spectators(self) -> tuple[Destination, ...]:
        """Return the destinations of messages for viewers without a seat."""
        players = frozenset(self.players())
        return tuple(viewer for viewer in self.everyone() if viewer not in players)

    def of_player(self, player: str) -> tuple[Viewer, ...]:
        """Return the viewers of *player*."""
        return self._held.get(player, ())

    def player_of(self, viewer: Destination) -> str | None:
        """Return the player of a viewer; None for spectators and strangers."""
        return None if isinstance(viewer, RemoteSpectators) else self.player_by_viewer.get(viewer)

    def has(self, player: str) -> bool:
        """Whether any viewer of *player* is here."""
        return player in self._held

    def is_together(self, viewer: Viewer) -> bool:
        """Whether a viewer shares the destination of its node's spectators."""
        is_remote = isinstance(viewer, Remote) and viewer not in self._apart
        return is_remote and self.player_by_viewer.get(viewer, "") is None

    @property
    def watching(self) -> int:
        """The number of viewers without a seat, not counting the feed."""
        others = len(self.player_by_viewer) - (FEED in self.player_by_viewer)
        return others - sum(len(self.of_seat(seat)) for seat in range(len(self.known_holders)))

    def by_node(self) -> Counter[str]:
        """Return the number of viewers on each other node."""
        return Counter(viewer.node for viewer in self.player_by_viewer if isinstance(viewer, Remote))

    def seat(self, *seats: tuple[Sitter | None, ...]) -> None:
        """Set who sits where, and which bots stand in; both by seat."""
        self._seats = seats
        self._changed()

    def listed(self, viewer: Viewer) -> Listed | None:
        """Return the list of legal actions that a viewer got last."""
        return self._listed.get(viewer)

    def note_list(self, viewer: Viewer, listed: Listed) -> None:
        """Note that a viewer gets a list of legal actions."""
        self._listed = {**self._listed, viewer: listed}

    def attach(self, viewer: Viewer, player: str | None) -> None:
        """Add a viewer, or change its player."""
        self.detach(viewer)
        self.player_by_viewer[viewer] = player
        self._changed()
        if player is None and isinstance(viewer, Remote):
            self._together = self._together + Counter((viewer.node,))
        elif player is not None:
            self._held[player] = (*self._held.get(player, ()), viewer)

    def single_out(self, viewer: Viewer) -> bool:
        """Give a viewer its own destination; return whether it shared one before."""
        if not self.is_together(viewer):
            return False
        self._leave_together(viewer)
        self._apart |= {viewer}
        return True

    def detach(self, viewer: Viewer) -> bool:
        """Remove a viewer; return whether it was here."""
        if viewer not in self.player_by_viewer:
            return False
        if self.is_together(viewer):
            self._leave_together(viewer)
        self._apart -= {viewer}
        if viewer in self._listed:
            self._listed = {other: listed for other, listed in self._listed.items() if other != viewer}
        player = self.player_by_viewer.pop(viewer)
        self._changed()
        if player is not None:
            left = tuple(other for other in self._held.pop(player) if other != viewer)
            if left:
                self._held[player] = left
        return True

    def _leave_together(self, viewer: Viewer) -> None:
        assert isinstance(viewer, Remote), "only remote viewers share a destination"
        self._changed()
        self._together = self._together - Counter((viewer.node,))
