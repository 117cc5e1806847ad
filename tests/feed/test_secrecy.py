"""Two matches that look the same to a spectator are the same on the feed: topics, payloads, order and number."""

from typing import Any

import pytest
from feed_room import FedTable
from hypothesis import settings
from room_table import Table
from sealed_bids import GAME as SEALED_BIDS
from twin_rooms import Mailbox, TwinRooms, cases_of, drawn_matches

from warroom_games.api import AnyGame
from warroom_games.log import commitment
from warroom_games.registry import load_games

POSITIONS = 2
"""So many positions of each match are begun with."""

CASES = {50: 6, 100: 6, 1000: 1000}[settings().max_examples]
"""How many cases a game has: each room publishes all it has whenever anything happens, so the quick run has few."""


class FedMailbox(FedTable, Mailbox):
    """A table on the feed that keeps what was sent as it was sent."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.published()

    def restart(self, snapshot: int | None = None) -> None:
        super().restart(snapshot)
        self.queue.lost()
        self.queue.opened()


class FedRooms(TwinRooms):
    """Both rooms on a feed of their own, looked at whenever anything happened."""

    mailbox = FedMailbox

    def _received(self, table: Table, seed: bytes) -> list[list[bytes]]:
        assert isinstance(table, FedMailbox)
        own = commitment(seed).hex().encode()
        published = table.published()
        due_at = table.queue.due_at()
        feed = [f"{due_at} {p.topic} {p.retained} {p.qos} ".encode() + p.payload for p in published]
        return [*super()._received(table, seed), [line.replace(own, b"commitment") for line in feed]]


def compared(game: AnyGame, kind: type[FedRooms] = FedRooms) -> int:
    """Hold some positions of random matches, and all that follows from them, to the same feed; count them."""
    count = 0
    for match in drawn_matches(game, "feed"):
        for case in cases_of(match, positions=POSITIONS):
            if case.viewer is None and case.is_otherwise:
                rooms = kind(case)
                rooms.compare()
                count += rooms.compared
                if count >= CASES:
                    return count
    raise AssertionError("there are always more matches")


HIDING = [SEALED_BIDS, *(game for game in load_games() if game.info.id in ("thardferr", "tile_blitz", "timberwall"))]


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.info.id)
def test_the_feed_tells_nothing_that_a_spectator_may_not_know(game: AnyGame) -> None:
    assert compared(game) >= CASES


class BaseRoom(FedMailbox):
    """A table whose feed is woken by every step, seen or unseen."""

    def tell(self, command: Any, at: int | None = None) -> Any:
        before = len(self.log)
        outcome = super().tell(command, at)
        if len(self.log) > before:
            self.queue.relist(self.room.number)
        return outcome


class TellingRooms(FedRooms):
    mailbox = BaseRoom


def test_a_feed_that_tells_is_noticed() -> None:
    with pytest.raises(AssertionError, match="the bytes differ"):
        compared(SEALED_BIDS, TellingRooms)
