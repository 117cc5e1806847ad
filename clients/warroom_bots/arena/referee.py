"""Plays one match of a contest in memory: times every move, and lets a faulty bot lose without ending the match.

A bot that raises, or chooses an action that the rules refuse, is removed as if it resigned; the others go on by the
game's rules, and it is ranked behind them; so is one that hangs in Python. A bot that hangs elsewhere, or ends the
process, cannot be handled here: the match is played again, with that fault known in advance.
"""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter_ns
from typing import Final, TypeVar

from warroom_bots.api import Action, Bot, BotKind, Decision
from warroom_bots.arena.contest import Contest, Pairing
from warroom_bots.arena.move_board import MoveBoard
from warroom_bots.arena.results import Fault, MatchResult, names_of, ranked_last
from warroom_bots.failures import at_home, in_one_line, located, told
from warroom_bots.move_clock import HungError, MoveClock
from warroom_bots.table import Table
from warroom_games.api import AnyGame, Seat

_NS_A_MS: Final = 1_000_000

T = TypeVar("T")


class BotFaultError(Exception):
    """A bot failed at a decision."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


class Timekeeper:
    """Calls the bots of one match, and keeps their times and faults."""

    def __init__(self, seats: int, board: MoveBoard, known: Mapping[Seat, Fault], clock: MoveClock) -> None:
        self._board = board
        self._clock = clock
        self._known = known
        """Faults at which an earlier attempt ended."""
        self.moves = [0] * seats
        self._decisions = [0] * seats
        self.spent_ns = [0] * seats
        self.slowest_ns = [0] * seats
        self.missed = [0] * seats
        """Decisions that a clock took from the bot."""
        self.faults: list[Fault] = []

    def begin(self) -> None:
        """Note that the match begins, with the rules."""
        self._board.begin_match()
        self._clock.begin()

    def end(self) -> None:
        """Note that the match is over."""
        self._clock.end()

    def bot(self, seat: Seat, make: Callable[[], Bot]) -> Bot:
        """Return the bot of a seat; raise `BotFaultError` if it cannot be made."""
        return self._called(seat, make)[0]

    def choice(self, seat: Seat, bot: Bot, decision: Decision) -> Action:
        """Return what a bot chooses; raise `BotFaultError` if it fails."""
        self._decisions[seat] += 1
        action, spent_ns = self._called(seat, lambda: bot.choose(decision), bot)
        self.moves[seat] += 1
        self.spent_ns[seat] += spent_ns
        self.slowest_ns[seat] = max(self.slowest_ns[seat], spent_ns)
        return action

    def refused(self, seat: Seat, error: Exception, bot: Bot) -> BotFaultError:
        """Return the fault of a bot whose action the rules refuse."""
        return BotFaultError(Fault(seat, "illegal", self._decisions[seat], at_home(told(error), bot)))

    def result(
        self, contest: Contest, pairing: Pairing, ranks: Sequence[int], reason: str, *, turns: int = 0, room: str = ""
    ) -> MatchResult:
        """Return the result of the match, with those at fault behind the others."""
        return MatchResult(
            match=pairing.match,
            bots=names_of(contest, pairing.bots),
            ranks=ranked_last(ranks, [fault.seat for fault in self.faults]) if ranks else (),
            reason=reason,
            moves=tuple(self.moves),
            think_ms=tuple(map(_ms, self.spent_ns)),
            slowest_ms=tuple(map(_ms, self.slowest_ns)),
            missed=tuple(self.missed) if any(self.missed) else (),
            faults=tuple(self.faults),
            turns=turns,
            room=room,
        )

    def _called(self, seat: Seat, call: Callable[[], T], bot: Bot | None = None) -> tuple[T, int]:
        known = self._known.get(seat)
        if known is not None and self._decisions[seat] >= known.decision:
            raise BotFaultError(known)
        self._board.begin(seat, self._decisions[seat])
        self._clock.watch_bot()
        began_ns = perf_counter_ns()
        try:
            return call(), perf_counter_ns() - began_ns
        except HungError as error:
            detail = located(told(error), error, bot)
            raise BotFaultError(Fault(seat, "hang", self._decisions[seat], detail)) from error
        except BaseException as error:  # a stranger's code may raise anything, even SystemExit
            raise BotFaultError(Fault(seat, "crash", self._decisions[seat], in_one_line(error, bot))) from error
        finally:
            self._clock.watch_rules()
            self._board.end(seat)


class Referee:
    """One match in memory."""

    def __init__(
        self, contest: Contest, game: AnyGame, kinds: Sequence[BotKind], pairing: Pairing, keeper: Timekeeper
    ) -> None:
        self._contest = contest
        self._pairing = pairing
        self._kinds = kinds
        self._keeper = keeper
        self._table = Table(game, contest.seats, seed=pairing.seed, options=contest.options, limit=contest.limit)
        self._bots: dict[Seat, Bot] = {}

    def play(self) -> MatchResult:
        """Play the match to its end."""
        table = self._table
        for seat in range(self._contest.seats):
            if table.asked:
                self._guard(seat, self._seat_bot)
        while asked := table.asked:
            self._guard(min(asked), self._move)
        ended = table.result()
        turns = table.game.turn(table.state)
        return self._keeper.result(self._contest, self._pairing, ended.ranks, ended.reason, turns=turns)

    def _guard(self, seat: Seat, step: Callable[[Seat], None]) -> None:
        try:
            step(seat)
        except BotFaultError as failed:
            self._keeper.faults.append(failed.fault)
            self._table.remove(seat)

    def _seat_bot(self, seat: Seat) -> None:
        kind, rng = self._kinds[seat], self._table.generator(seat)
        self._bots[seat] = self._keeper.bot(seat, lambda: kind.make(rng))

    def _move(self, seat: Seat) -> None:
        table, bot = self._table, self._bots[seat]
        decision = table.decision(seat, has_notes=self._kinds[seat].wants_notes)
        try:
            action = self._keeper.choice(seat, bot, decision)
        except BotFaultError as fault:
            if table.failure is not None:
                raise table.failure from fault  # the bot only read what the rules could not make
            raise
        try:
            move = table.judge(seat, action)
        except Exception as error:  # even a check that fails on nonsense is the fault of the nonsense
            raise self._keeper.refused(seat, error, bot) from error
        table.apply(seat, move)


def _ms(spent_ns: int) -> float:
    return round(spent_ns / _NS_A_MS, 3)
