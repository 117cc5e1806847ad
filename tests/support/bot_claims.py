"""Bots for a room under test: answers its summons, claims tickets, and lets virtual time pass."""

from room_table import NAMES, Outcome, Table

from warroom_protocol import messages as wire
from warroom_server.room.commands import Claim, Fill, Summoned
from warroom_server.room.effects import Summon
from warroom_server.room.viewer_addresses import Local

FIRST_BOT = 200
"""The connection of the first bot; each claim uses the next one."""
WAKES = 500
"""How often a room may want to be woken before a test says that it never sleeps."""


class Agency:
    """Whoever finds bots for the room of *table*."""

    def __init__(self, table: Table, *, is_known: bool = True) -> None:
        self.table = table
        self.is_known = is_known
        """Whether there are bots at all."""
        self._bots = iter(range(FIRST_BOT, FIRST_BOT + 100))

    def fill(self, connection: int = 0, seat: int | None = None, bot: str | None = None) -> Outcome:
        """Let a connection ask for bots, and tell the room whether there are any."""
        return self.answered(self.table.request(Fill, connection, seat=seat, bot=bot))

    def answered(self, outcome: Outcome) -> Outcome:
        """Tell the room what became of the summons in *outcome*; return all of it together."""
        for summon in summons(outcome):
            answer = self.table.tell(Summoned(summon.ticket, self.is_known))
            outcome.effects += answer.effects
            outcome.messages += answer.messages
        return outcome

    def claim(self, ticket: int, *, bot: str = "greedy", name: str | None = None) -> tuple[int, Outcome]:
        """Let a new bot claim a ticket; return its connection, and what came of it."""
        connection = next(self._bots)
        name = name or f"{bot} {connection}"
        return connection, self.table.tell(
            Claim(Local(connection), connection, f"bot{connection}", name, ticket, "token", bot=bot)
        )

    def hire(self, outcome: Outcome) -> list[int]:
        """Let a new bot claim each ticket in *outcome*; return their connections."""
        return [self.claim(summon.ticket)[0] for summon in summons(outcome)]

    def wait(self, until: int) -> Outcome:
        """Let time pass until then, waking the room whenever it wants; its summons are answered."""
        passed = Outcome([], [], [])
        table = self.table
        for _ in range(WAKES):
            wake_at = table.room.wake_at
            if wake_at is None or wake_at > until:
                table.now = until
                return passed
            outcome = self.answered(table.expire(max(table.now, wake_at)))
            passed.effects += outcome.effects
            passed.acted += outcome.acted
            passed.messages += outcome.messages
        raise AssertionError(f"the room wants to be woken at {table.room.wake_at} for ever")


def summons(outcome: Outcome) -> list[Summon]:
    """Return what a room asks for."""
    return [effect for effect in outcome.effects if isinstance(effect, Summon)]


def sitting(table: Table) -> list[str | None]:
    """Return by seat who sits there: a person by name, a bot by which bot it is."""
    return [None if sitter is None else sitter.bot or sitter.player for sitter in table.room.match.seats]


def refusals(outcome: Outcome, connection: int) -> list[str]:
    """Return the codes with which a connection was refused."""
    return [message.code for message in outcome.sent(connection) if isinstance(message, wire.Error)]


def notices(outcome: Outcome, connection: int) -> list[str]:
    """Return the codes of which a connection was notified."""
    return [message.code for message in outcome.sent(connection) if isinstance(message, wire.Notice)]


def seat_of(table: Table, player: int) -> int:
    """Return where a person sits."""
    seat = table.room.match.seat_of(NAMES[player])
    assert seat is not None
    return seat


def state_of(outcome: Outcome, connection: int, seat: int) -> wire.SeatState:
    """Return what a connection was told last about a seat."""
    [*_, last] = [message for message in outcome.sent(connection) if isinstance(message, wire.Seats)]
    return last.seats[seat]
