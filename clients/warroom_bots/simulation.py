"""Plays whole matches between bots without a server, at the speed of the rules.

The replay of a match is made from its actions afterwards, and only for those who ask: it plays them again as a room
would, in simulated room time.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from warroom_bots.api import UNLIMITED, Bot, BotKind, Limit
from warroom_bots.failures import BotFailedError, at_home, in_one_line, located, told
from warroom_bots.move_clock import HungError, MoveClock
from warroom_bots.table import Move, Table
from warroom_games.api import AnyGame, Result, Seat
from warroom_games.codec import encode
from warroom_games.log import Acted, Entry, Opened, Resigned, RoomOptions, Sat, Started
from warroom_games.match import Match
from warroom_games.replay import Link, seal
from warroom_games.rng import derived_key

THINK_MS = 250
"""Room time per action."""


class Simulated(Struct, frozen=True, kw_only=True, dict=True):
    """A finished match: its settings, its actions, and how it ended."""

    game: AnyGame
    seed: str
    options: Any
    bots: tuple[str, ...]
    """The names of the bots by seat."""
    moves: tuple[Move, ...]
    state: Any
    """The final state."""
    result: Result

    @property
    def turns(self) -> int:
        """The turn in which the match ended."""
        return self.game.turn(self.state)

    @property
    def match(self) -> Match:
        """The match as a room has it at the end."""
        return self._recorded[0]

    @cached_property
    def replay(self) -> bytes:
        """The replay of the match."""
        return seal(self._recorded[1])

    @cached_property
    def _recorded(self) -> tuple[Match, list[Link]]:
        record = _Record(self)
        for seat, name in enumerate(self.bots):
            record.enter(Sat(seat, f"bot-{seat}", f"{name} {seat + 1}"))
        record.enter(Started(0))
        for move in self.moves:
            record.play(move)
        return record.match, record.log


def simulate(
    game: AnyGame,
    bots: Sequence[BotKind],
    *,
    seed: str,
    options: Mapping[str, object] | None = None,
    limit: Limit = UNLIMITED,
    clock: MoveClock | None = None,
) -> Simulated:
    """Play one match, a bot per seat; the same arguments give the same match and the same bytes.

    Raise `OptionsError` if the seats or options are invalid, and `BotFailedError` if a bot raises an error, plays an
    illegal action, or thinks longer than the running *clock* allows.
    """
    clock = clock or MoveClock()
    table = Table(game, len(bots), seed=seed, options=options, limit=limit)
    players = [_made(kind, table, seat, clock) for seat, kind in enumerate(bots)]
    while asked := table.asked:
        seat = min(asked)
        decision = table.decision(seat, has_notes=bots[seat].wants_notes)
        clock.begin()
        try:
            action = players[seat].choose(decision)
        except BaseException as error:
            raise _failed(bots[seat], seat, error, players[seat]) from error
        finally:
            clock.end()
        try:
            move = table.judge(seat, action)
        except Exception as error:  # even a check that fails on nonsense is the fault of the nonsense
            what = f"the bot {bots[seat].name} at seat {seat} plays an illegal action: {told(error)}"
            raise BotFailedError(at_home(what, players[seat])) from error
        table.apply(seat, move)
    return finished(table, [kind.name for kind in bots])


def _made(kind: BotKind, table: Table, seat: Seat, clock: MoveClock) -> Bot:
    clock.begin()
    try:
        return kind.make(table.generator(seat))
    except BaseException as error:
        raise _failed(kind, seat, error) from error
    finally:
        clock.end()


def _failed(kind: BotKind, seat: Seat, error: BaseException, bot: Bot | None = None) -> BaseException:
    """Return what to raise for an error of a bot; a person's interrupt is none."""
    if isinstance(error, KeyboardInterrupt):
        return KeyboardInterrupt()
    name = f"the bot {kind.name} at seat {seat}"
    if isinstance(error, HungError):
        return BotFailedError(located(f"{name} hangs: {told(error)}", error, bot))
    return BotFailedError(f"{name} fails: {in_one_line(error, bot)}")


def finished(table: Table, names: Sequence[str]) -> Simulated:
    """Return the match of a table at its end."""
    return Simulated(
        game=table.game,
        seed=table.seed,
        options=table.options,
        bots=tuple(names),
        moves=tuple(table.moves),
        state=table.state,
        result=table.result(),
    )


class _Record:
    """A match with its log, as it grows."""

    def __init__(self, simulated: Simulated) -> None:
        info = simulated.game.info
        opened = Opened(
            room=0,
            game=info.id,
            rules_version=info.rules_version,
            seats=len(simulated.bots),
            options=encode(simulated.options),
            # The caller assigns the seats; nothing is drawn.
            room_options=RoomOptions(seating="as_joined"),
            creator="bot-0",
            ref=0,
            seed=derived_key(simulated.seed, "match"),
            opened_ms=0,
        )
        self.match = Match.open(opened, simulated.game)
        self.log = [Link(encode(opened), self.match.chain)]

    def enter(self, entry: Entry) -> None:
        """Add an entry to the log."""
        advanced = self.match.advance(entry)
        self.match = advanced.match
        self.log.append(Link(advanced.entry, advanced.match.chain))

    def play(self, move: Move) -> None:
        """Play an action a moment after the previous one, and in time."""
        seat, action = move
        deadline = self.match.deadline
        assert deadline is not None
        at = min(self.match.at + THINK_MS, deadline)
        if action is None:
            self.enter(Resigned(at, seat))
        else:
            self.enter(Acted(at, seat, len(self.log), encode(action), at))
