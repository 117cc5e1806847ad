"""One match as a pure fold over its log.

A `Match` is a value; `advance` returns the next one. Rooms add streams, clocks and connections. Replays are verified by
folding the same entries again. `seating` answers who sits where; `saving` has a match's byte form.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import AnyGame, Event, IllegalActionError, Result, Seat, Step
from warroom_games.clocks import SeatClock
from warroom_games.codec import check_seats, decode_action, encode, load_options
from warroom_games.log import (
    FIRST_LIFE,
    FIRST_LINK,
    Acted,
    Agreed,
    Entry,
    Kicked,
    Left,
    LogError,
    Opened,
    Reclaimed,
    Resigned,
    RolledBack,
    Sat,
    Started,
    StoodIn,
    TimedOut,
    Voided,
    Wished,
    hash_state,
    link,
)
from warroom_games.places import Places, with_item
from warroom_games.rng import Rng
from warroom_games.seating import Sitter
from warroom_protocol.codes import ACT_CLOCK_ONLY, END_DRAW, END_RESIGNED, END_VOID, RULES_CHANGED

_StepEntry: TypeAlias = Started | Acted | TimedOut | Resigned
"""The entries that take a step in the game."""
_ArrangingEntry: TypeAlias = Opened | Sat | Left | Kicked | Wished | StoodIn | Reclaimed | Agreed | Voided | RolledBack
"""All others."""

_NO_TURN = -1
MOST_PAUSES = 3
"""Maximum number of agreed pauses per match."""


LINK_STATE_EVERY = 16
"""The chain covers the state after every entry of a new turn, and after each revision that is a multiple of this."""


class Advanced(Struct, frozen=True, gc=False):
    """The match after an entry, that entry's bytes, and the events."""

    match: "Match"
    entry: bytes
    events: tuple[Event, ...] = ()
    state_hash: bytes = b""
    """The hash of the state if the chain covers it here; else empty."""


class Match(Places, frozen=True, kw_only=True):
    """The complete state of a room's match after a number of entries. Equal logs give equal matches anywhere."""

    game: AnyGame
    options: Any
    """The game's options."""
    turn_ms: int
    chain: bytes
    state: Any = None
    """The game's state; None before the start."""
    asked: frozenset[Seat] = frozenset()
    """The seats to act."""
    decisions: tuple[int, ...] = ()
    """The turn token of each seat: the number of decisions it was prompted for."""
    turn: int = 0
    deadline: int | None = None
    """The end of the current turn in room time; a seat with a time bank may take longer (`due`)."""
    clocks: tuple[SeatClock, ...] = ()
    """By seat, once the match has started."""
    is_halted: bool = False
    """Whether an agreed pause is running."""
    pauses: int = 0
    """Number of agreed pauses."""
    at: int = 0
    """The room time of the last entry that has one."""
    out: frozenset[Seat] = frozenset()
    """The seats that resigned."""
    result: Result | None = None
    """How it ended; a void match has the reason `void` and no ranks."""
    life: int = FIRST_LIFE
    """Increases when the store lost a part of the history; the numbers of all earlier frames are then invalid."""

    @classmethod
    def open(cls, opened: Opened, game: AnyGame) -> "Match":
        """Return the match after its first entry; raise `OptionsError` for seats or options out of range.

        The game checks the combination of options when the match starts.
        """
        if (opened.game, opened.rules_version) != (game.info.id, game.info.rules_version):
            raise LogError(f"opened for {opened.game} version {opened.rules_version}, not for {game.info}")
        check_seats(game, opened.seats)
        options = load_options(game, opened.options)
        if encode(options) != opened.options:
            raise LogError("the game's options are not in canonical form")
        return cls(
            game=game,
            opened=opened,
            options=options,
            turn_ms=opened.room_options.turn_ms or game.info.turn_ms,
            rev=1,
            chain=link(FIRST_LINK, encode(opened)),
            phase="lobby",
            seats=(None,) * opened.seats,
            wishes=opened.bots or (None,) * opened.seats,
        )

    @property
    def may_pause(self) -> bool:
        """Whether the players may agree on another pause; a limit keeps one player from stalling the others."""
        return self.opened.room_options.pause_ms > 0 and self.pauses < MOST_PAUSES

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.phase == "ended"

    def due(self, seat: Seat) -> int:
        """Return the last moment at which *seat*, which is to act, may do so: the deadline plus its bank."""
        assert self.deadline is not None, "nobody is to act"
        return self.clocks[seat].due(self.deadline)

    def misses_left(self, seat: Seat) -> int | None:
        """Return how many more missed turns in a row bring in a bot, if *seat* misses the current turn.

        None if no bot will come: the room wants none, one already plays, or the seat acted in this turn.
        """
        most = self.opened.room_options.timeouts
        clock = self.clocks[seat]
        if most == 0 or clock.has_acted or self.stand_ins[seat] is not None:
            return None
        return clock.misses_left(most, self.game.info.spared_turns)

    def most_credit(self, seat: Seat) -> int:
        """Return the lag credit that *seat* may use now."""
        return self.clocks[seat].most_credit(self.turn_ms)

    def advance(self, entry: Entry) -> Advanced:
        """Return the match after one more entry.

        Raise a `RulesError` if the game's rules refuse it, and a `LogError` if it cannot follow for another reason.
        """
        match entry:
            case Acted():
                action = decode_action(self.game, entry.action)
                # An action has one byte form in the log, or equal matches would have different chains.
                if encode(action) != entry.action:
                    raise self.wrong("the action is not in canonical form")
                return self.act(entry, action)
            case TimedOut():
                return self._timed_out(entry)
            case Resigned():
                return self._resigned(entry)
            case Started():
                return self._started(entry)
            case _:
                return self._sealed(self._arranged(entry), entry)

    def _arranged(self, entry: _ArrangingEntry) -> "Match":
        """Return the match after an entry that takes no step in the game, without the chain."""
        match entry:
            case Sat() | Left() | Kicked() | Wished():
                return self.placed(entry)
            case StoodIn():
                return self._stood_in(entry)
            case Reclaimed():
                return self._reclaimed(entry)
            case Agreed():
                return self._agreed(entry)
            case Voided():
                return self._voided(entry)
            case RolledBack():
                return self._rolled_back(entry)
            case Opened():
                raise self.wrong("a room is opened once")
            case _:
                assert_never(entry)

    def _sealed(self, following: "Match", entry: Entry) -> Advanced:
        """Add an entry that takes no step in the game to the chain."""
        data, rev = encode(entry), self.rev + 1
        settled = following._concluded() if following.is_over else following
        is_outdated = settled.result is not None and settled.result.detail == RULES_CHANGED
        is_linked = settled.state is not None and (settled.is_over or rev % LINK_STATE_EVERY == 0) and not is_outdated
        state_hash = hash_state(settled.state) if is_linked else b""
        sealed = replace(settled, rev=rev, chain=link(self.chain, data, state_hash))
        return Advanced(sealed, data, state_hash=state_hash)

    # --- seats ------------------------------------------------------------------------------------------------------

    def _stood_in(self, entry: StoodIn) -> "Match":
        self._require_playing(entry.at)
        if entry.seat >= len(self.seats) or entry.seat in self.out:
            raise self.wrong(f"seat {entry.seat} is not in the match")
        if self.seat_of(entry.player) is not None or self.seat_played_by(entry.player) is not None:
            raise self.wrong(f"player {entry.player} already sits")
        stand_in = Sitter(entry.player, entry.name, self.rev + 1, entry.bot, hired=True)
        rested = self._with_clock(entry.seat, self.clocks[entry.seat].rested())
        return replace(rested, stand_ins=with_item(self.stand_ins, entry.seat, stand_in), at=entry.at)

    def _reclaimed(self, entry: Reclaimed) -> "Match":
        self._require_playing(entry.at)
        if entry.seat >= len(self.seats) or self.stand_ins[entry.seat] is None:
            raise self.wrong(f"no bot stands in at seat {entry.seat}")
        # Independent of whether the bot has acted: that may be secret, and everybody sees who plays where.
        if self.clocks[entry.seat].was_asked:
            return replace(self, returning=self.returning | {entry.seat}, at=entry.at)
        return replace(self._returned(frozenset((entry.seat,))), at=entry.at)

    def _returned(self, back: frozenset[Seat]) -> "Match":
        """Return the match after the owners of some seats took them back."""
        return replace(
            self,
            stand_ins=tuple(None if seat in back else bot for seat, bot in enumerate(self.stand_ins)),
            clocks=tuple(clock.rested() if seat in back else clock for seat, clock in enumerate(self.clocks)),
            returning=self.returning - back,
        )

    def _concluded(self) -> "Match":
        """Return a finished match with the seats in its result whose owners had left.

        The last turn is over, so owners who reclaimed their seats have them. A seat that resigned is ranked by the
        rules.
        """
        assert self.result is not None, "the match is over"
        last = self._returned(self.returning) if self.returning else self
        left = tuple(seat for seat in last.deserted() if seat not in self.out) if self.result.ranks else ()
        return replace(last, result=replace(self.result, left=left))

    # --- course of the match ----------------------------------------------------------------------------------------

    def _started(self, entry: Started) -> Advanced:
        self.require_lobby()
        self._require_time(entry.at)
        rng = Rng(self.opened.seed)
        sitters = tuple(sitter for sitter in self.seats if sitter is not None)
        check_seats(self.game, len(sitters))
        if self.opened.room_options.seating == "random":
            sitters, rng = rng.shuffle(sitters)  # before the game draws anything, from the same seed
        state = self.game.setup(len(sitters), self.options, rng)
        nobody_asked = replace(
            self,
            phase="playing",
            seats=sitters,
            decisions=(0,) * len(sitters),
            turn=_NO_TURN,
            clocks=(SeatClock(self.opened.room_options.bank_ms),) * len(sitters),
            stand_ins=(None,) * len(sitters),
            wishes=(),
        )
        return nobody_asked._stepped(Step(state), entry, None, nobody_asked.clocks)

    def act(self, entry: Acted, action: Any) -> Advanced:
        """Return the match after *action*, whose canonical bytes are in *entry*; raise as `advance` does.

        This is the hottest path of a server, so it makes few calls. The checks are those of any entry.
        """
        seat, arrived, credit = entry.seat, entry.arrived, entry.credit
        if seat not in self.asked or self.is_halted or entry.at < self.at:
            self._require_asked(seat, entry.at)
        clock, deadline, game = self.clocks[seat], self.deadline, self.game
        assert deadline is not None, "the seat is to act"
        due = deadline + clock.bank
        # Credit is only for actions after the deadline, so that the same arrival always makes the same entry.
        if arrived > entry.at or arrived > due + credit or (credit and arrived <= due):
            raise self.wrong(f"arrived at {arrived}, due by {due} (credit {credit}), considered at {entry.at}")
        if credit:
            self._require_credit(seat, credit)
        if entry.owners and self.stand_ins[seat] is None:
            raise self.wrong(f"no bot stands in at seat {seat}")
        tag = action.__struct_config__.tag
        if tag == game.info.clock_action:
            raise IllegalActionError(ACT_CLOCK_ONLY, f"{tag} is reserved for the clock")
        game.check(self.state, seat, action)
        clocks = self.clocks
        if not clock.has_acted or arrived - deadline > clock.late:
            clocks = with_item(clocks, seat, clock.acted(deadline, arrived))
        return self._stepped(game.apply(self.state, seat, action), entry, seat, clocks)

    def _timed_out(self, entry: TimedOut) -> Advanced:
        due = self._require_asked(entry.seat, entry.at)
        if entry.deadline != due or entry.at <= due + entry.credit:
            raise self.wrong(f"at {entry.at} the deadline {due} (credit {entry.credit}) was not over")
        self._require_credit(entry.seat, entry.credit)
        action = self.game.default_action(self.state, entry.seat)
        if encode(action) != entry.action:
            raise self.wrong(f"the clock plays {action} for seat {entry.seat}")
        self.game.check(self.state, entry.seat, action)
        clock = self.clocks[entry.seat].timed_out(entry.credit)
        step = self.game.apply(self.state, entry.seat, action)
        return self._stepped(step, entry, entry.seat, with_item(self.clocks, entry.seat, clock))

    def _resigned(self, entry: Resigned) -> Advanced:
        self._require_playing(entry.at)
        if entry.seat >= len(self.seats) or entry.seat in self.out:
            raise self.wrong(f"seat {entry.seat} is not in the match")
        leaving = replace(self, out=self.out | {entry.seat})
        return leaving._stepped(self.game.remove(self.state, entry.seat), entry, None, self.clocks)

    def _agreed(self, entry: Agreed) -> "Match":
        self._require_playing(entry.at)
        if entry.what == "draw":
            if not self.game.info.has_draws:
                raise self.wrong(f"{self.game.info.id} has no draws by agreement")
            return self._over(entry.at, self._draw())
        if self.is_halted == (entry.what == "pause"):
            raise self.wrong("the match is already paused" if self.is_halted else "the match is not paused")
        if entry.what == "resume":
            return replace(self, is_halted=False, at=entry.at)
        if not self.may_pause:
            raise self.wrong("no further pause is allowed")
        return replace(self, is_halted=True, pauses=self.pauses + 1, at=entry.at)

    def _draw(self) -> Result:
        """Return the result in which all remaining seats share first place."""
        last = len(self.seats) - len(self.out) + 1
        return Result(tuple(last if seat in self.out else 1 for seat in range(len(self.seats))), END_DRAW)

    def _voided(self, entry: Voided) -> "Match":
        if self.is_over:
            raise self.wrong("the match is over")
        self._require_time(entry.at)
        return self._over(entry.at, Result((), END_VOID, entry.reason))

    def _rolled_back(self, entry: RolledBack) -> "Match":
        if self.is_over or entry.life <= self.life:
            raise self.wrong(f"life {entry.life} cannot follow life {self.life} of a match that is {self.phase}")
        self._require_time(entry.at)
        return replace(self, life=entry.life, at=entry.at)

    def _over(self, at: int, result: Result) -> "Match":
        return replace(self, phase="ended", at=at, asked=frozenset(), deadline=None, is_halted=False, result=result)

    def _stepped(self, step: Step, entry: _StepEntry, actor: Seat | None, clocks: tuple[SeatClock, ...]) -> Advanced:
        """Return the match after a step of the game, with updated clocks and open decisions."""
        state, rev = step.state, self.rev + 1
        asked, turn = self.game.to_act(state), self.game.turn(state)
        data, is_same_turn = encode(entry), turn == self.turn and bool(asked)
        state_hash = b"" if is_same_turn and rev % LINK_STATE_EVERY else hash_state(state)
        chain = sha256(self.chain + data + state_hash).digest()  # as `link`, without a call
        if is_same_turn and asked <= self.asked:
            # The common case: nobody is newly asked, except that the actor may decide again.
            decisions = self.decisions
            if actor in asked:
                decisions = (*decisions[:actor], decisions[actor] + 1, *decisions[actor + 1 :])
            following = replace(
                self, state=state, asked=asked, decisions=decisions, clocks=clocks, at=entry.at, rev=rev, chain=chain
            )
        else:
            sealed = replace(self, state=state, at=entry.at, rev=rev, chain=chain)
            following = sealed._prompted(asked, turn, actor, clocks, is_resigned=isinstance(entry, Resigned))
        return Advanced(following, data, step.events, state_hash)

    def _prompted(
        self, asked: frozenset[Seat], turn: int, actor: Seat | None, clocks: tuple[SeatClock, ...], *, is_resigned: bool
    ) -> "Match":
        """Return the match after a step that begins a turn, asks more seats, or ends the match."""
        is_new_turn = turn != self.turn
        result = None if asked else self.game.result(self.state)
        assert asked or result, f"{self.game.info.id} asks nobody, but the match has no result"
        if result is not None and is_resigned:
            # Whatever rule the game names, the reason is the resignation.
            result = replace(result, reason=END_RESIGNED)
        # All decisions of a turn share one deadline: acting early does not give a rival more time.
        deadline = self.at + self.turn_ms if is_new_turn else self.deadline
        following = replace(
            self,
            asked=asked,
            decisions=self.decisions if not asked else tuple(self._decisions(asked, is_new_turn, actor)),
            turn=turn,
            deadline=deadline if asked else None,
            clocks=self._ticked(clocks, asked, is_turn_over=is_new_turn or not asked),
            is_halted=self.is_halted and bool(asked),
            phase="playing" if result is None else "ended",
            result=result,
        )
        if result is not None:
            return following._concluded()
        # Reclaimed seats change hands between turns, so that nobody sees whether the bot had acted.
        return following._returned(self.returning) if is_new_turn and self.returning else following

    def _decisions(self, asked: frozenset[Seat], is_new_turn: bool, actor: Seat | None) -> Iterable[int]:
        """Count a decision for each seat with a new prompt: newly to act, in a new turn, or again after it acted."""
        for seat, count in enumerate(self.decisions):
            is_anew = is_new_turn or seat == actor or seat not in self.asked
            yield count + 1 if is_anew and seat in asked else count

    def _ticked(
        self, clocks: tuple[SeatClock, ...], asked: frozenset[Seat], *, is_turn_over: bool
    ) -> tuple[SeatClock, ...]:
        """Settle the clocks of a finished turn, and start those of the seats to act."""
        increment_ms = self.opened.room_options.increment_ms
        spared = self.game.info.spared_turns
        settled = (clock.settled(increment_ms, spared) if is_turn_over else clock for clock in clocks)
        ticked = [clock.asked() if seat in asked else clock for seat, clock in enumerate(settled)]
        shared = dict(zip(ticked, ticked, strict=True))  # the clocks of seats that act at once are mostly equal
        return tuple(map(shared.__getitem__, ticked))

    def _with_clock(self, seat: Seat, clock: SeatClock) -> "Match":
        return replace(self, clocks=with_item(self.clocks, seat, clock))

    # --- debugging --------------------------------------------------------------------------------------------------

    def with_state(self, state: Any) -> "Match":
        """Return the match at the beginning of a turn in another state, to which no log leads."""
        edited = replace(self, state=state, turn=_NO_TURN, phase="playing", result=None)
        return edited._prompted(self.game.to_act(state), self.game.turn(state), None, self.clocks, is_resigned=False)

    # --- validity of entries ----------------------------------------------------------------------------------------

    def _require_playing(self, at: int) -> None:
        if self.phase != "playing":
            raise self.wrong("no match is running")
        self._require_time(at)

    def _require_asked(self, seat: Seat, at: int) -> int:
        """Return the deadline of *seat*'s decision."""
        self._require_playing(at)
        if seat not in self.asked:
            raise self.wrong(f"seat {seat} is not to act")
        if self.is_halted:
            raise self.wrong("the match is paused")
        return self.due(seat)

    def _require_credit(self, seat: Seat, credit: int) -> None:
        if credit > self.most_credit(seat):
            raise self.wrong(f"seat {seat} has at most {self.most_credit(seat)} ms of credit, not {credit}")

    def _require_time(self, at: int) -> None:
        if at < self.at:
            raise self.wrong(f"room time goes back from {self.at} to {at}")
