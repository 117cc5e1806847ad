"""How much a room does per action, counted instead of timed: the same on every machine and in every run."""

from dataclasses import asdict, dataclass

from msgspec import Struct

from warroom_games.codec import encode
from warroom_games.graph_battle.rules import GAME
from warroom_games.log import Opened, RoomOptions
from warroom_games.match import Match
from warroom_games.rng import Rng
from warroom_protocol.patches import diff_visits
from warroom_server.ports.store import Append, Committed
from warroom_server.room import commands
from warroom_server.room.log_fold import LogFold
from warroom_server.room.room import Room
from warroom_server.room.viewer_addresses import Local

SEATS = 5
SEED = bytes(range(16))


@dataclass(frozen=True)
class Counted:
    """One match of Graph Battle between random players: what an action costs on average."""

    actions: int
    frames_built: float
    encodes: float
    diffs: float
    diff_visits: float
    checksums: float

    def as_dict(self) -> dict[str, object]:
        """Return the figures by name."""
        return {name: round(value, 2) if isinstance(value, float) else value for name, value in asdict(self).items()}


class _Tally(Struct):
    actions: int = 0
    visits: int = 0


def count_work() -> Counted:
    """Play one match through a room whose store answers at once, and count."""
    room = _full_room()
    before = (room.work.updates + room.work.privates, room.work.messages, room.work.diffs, room.work.sums)
    tally, rng = _Tally(), Rng(SEED)
    while not room.is_over:
        rng = _act(room, tally, rng)
    work, count = room.work, tally.actions
    return Counted(
        actions=count,
        frames_built=(work.updates + work.privates - before[0]) / count,
        encodes=(work.messages - before[1]) / count,
        diffs=(work.diffs - before[2]) / count,
        diff_visits=tally.visits / count,
        checksums=(work.sums - before[3]) / count,
    )


def _full_room() -> Room:
    options = RoomOptions(seating="as_joined")
    opened = Opened(
        1, "graph_battle", GAME.info.rules_version, SEATS, encode(GAME.options_type()), options, "0", 0, SEED, 0
    )
    room = Room(LogFold(Match.open(opened, GAME)), now=0)
    for seat in range(SEATS):
        _tell(room, commands.Join(Local(seat), seat, str(seat), f"player {seat}", seat, "", None))
    return room


def _act(room: Room, tally: _Tally, rng: Rng) -> Rng:
    """Let the seat that is asked play anything, and count the visits of the diff it leads to."""
    match = room.match
    (seat,) = match.asked
    action, rng = rng.choice(list(GAME.legal_actions(match.state, seat)))
    before = GAME.public(match.state)
    _tell(room, commands.Act(Local(seat), tally.actions, match.decisions[seat], encode(action), 0))
    tally.visits += diff_visits(before, GAME.public(room.match.state))[1]
    tally.actions += 1
    return rng


def _tell(room: Room, command: commands.Command) -> None:
    """Give the room a command, and the store's yes to whatever it appends."""
    appended = [effect for effect in room.handle(command, 0) if isinstance(effect, Append)]
    while appended:
        effects = room.handle(Committed(appended.pop().rev), 0)
        appended = [effect for effect in effects if isinstance(effect, Append)]
