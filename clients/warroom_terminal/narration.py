"""Describes the events of a room in sentences for players and spectators."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from warroom_client import Ended, Event, Receipt, Room, SeatState
from warroom_client import events as happened
from warroom_games.api import AnyGame
from warroom_games.forms import listed
from warroom_games.sentences import told
from warroom_protocol import codes
from warroom_protocol.messages import OfferName, View
from warroom_protocol.results import ending_in_words, standings
from warroom_terminal.spectator_screen import bot_label
from warroom_terminal.view_rendering import find_game, labels

OFFERS: Final[dict[OfferName, tuple[str, str]]] = {
    "draw": ("a draw", "/draw"),
    "pause": ("a pause", "/pause"),
    "resume": ("to resume play", "/resume"),
    "rematch": ("a rematch", "/rematch"),
}
"""What can be offered, and the command that accepts it."""

PAUSES: Final = {
    codes.PAUSE_STORE: "waiting for storage",
    codes.PAUSE_AGREED: "agreed by the players",
    codes.PAUSE_RESTART: "server restarted; waiting for players to return",
    codes.PAUSE_MOVING: "moving to another server",
}

PLAIN_ENDINGS: Final = {codes.END_VICTORY, codes.END_VOID}
"""Why a match ended, where the outcome alone says it."""

COVERED_NOTICES: Final = {codes.NOTICE_STOOD_IN, codes.NOTICE_RELIEVED, codes.NOTICE_DECIDED}
"""Notices that other lines already cover: seat changes and actions."""
LEAST_CREDIT_MS: Final = 20
"""Lag credit below this is not worth mentioning."""


class Narrator:
    """Describes the news of one room, and remembers what it said to avoid repetition."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._game = find_game(room.about)
        self._seats: tuple[SeatState, ...] = ()
        self._phase: str | None = None
        self._offers: dict[str, tuple[int, ...]] = {}
        self._warned: int | None = None
        """Deadline of the last missed turn with a warning; the clock may act several times in one turn."""

    def _in_order(self, public: Sequence[View], private: Sequence[View]) -> Sequence[View]:
        """Order events: the own seat's actions, whose turn follows, then what that turn brought."""
        match public:
            case [*before, {"type": "turn", "seat": seat} as turn] if seat != self._room.seat:
                return [*before, *private, turn]
            case _:
                return [*public, *private]

    def tell(self, event: Event) -> list[str]:
        """Return the lines for an event."""
        match event:
            case happened.Updated(events=public, private=private):
                return list(in_sentences(self._game, self._in_order(public, private), self._names()))
            case happened.SeatsChanged(phase=phase, seats=seats):
                return self._seats_changed(phase, seats)
            case happened.OffersChanged():
                return self._offered()
            case happened.Said(name=name, seat=seat, text=text):
                return [f"{name}{' (watching)' if seat is None else ''}: {text}"]
            case happened.TimedOut(seat=seat, receipt=receipt, acted=acted):
                return [time_out(self._player(seat), receipt, acted=acted), *self._warning(event)]
            case happened.Paused(reason=reason, left_ms=left_ms):
                most = "" if left_ms is None else f", for {seconds(left_ms)} at most"
                return [f"clock paused{most}: {PAUSES.get(reason, reason)}"]
            case happened.Unpaused():
                return ["clock running again"]
            case _:
                return self._about_connection(event)

    def _about_connection(self, event: Event) -> list[str]:
        match event:
            case happened.Disconnected(reason=reason):
                return [f"{reason}; reconnecting…"]
            case happened.Reconnected():
                return ["reconnected"]
            case happened.Skipped(count=count):
                return [f"({count} events skipped)"]
            case happened.Drifted():
                return ["the board may be out of date (view.drift)"]
            case happened.Noticed(code=code) if code in COVERED_NOTICES:
                return []
            case happened.Noticed(code=code, detail=detail):
                return [f"{detail} ({code})"]
            case _:
                return []

    def _warning(self, event: happened.TimedOut) -> list[str]:
        """Warn once per turn how many more missed turns bring in a bot."""
        if event.left is None or event.receipt.deadline == self._warned:
            return []
        self._warned = event.receipt.deadline
        return [warning(event.left)]

    # --- seats --------------------------------------------------------------------------------------------------

    def _seats_changed(self, phase: str, seats: tuple[SeatState, ...]) -> list[str]:
        before, self._seats = self._seats, seats
        was, self._phase = self._phase, phase
        if was == "lobby" and phase == "playing":
            return ["the match starts", *seat_lines(self._room, seats)]
        if not before:
            return [] if phase == "ended" else seat_lines(self._room, seats)
        if len(before) != len(seats):
            return seat_lines(self._room, seats)
        return [line for old, new in zip(before, seats, strict=True) for line in self._changed(old, new)]

    def _changed(self, old: SeatState, new: SeatState) -> Iterator[str]:
        who = "you" if self._is_own(new) else new.name or f"seat {new.seat}"
        if old.player != new.player:
            if new.player is None:
                yield f"{old.name or f'seat {old.seat}'} left seat {old.seat}"
            else:
                kind = f" (bot {new.bot})" if new.bot else ""
                yield f"{who}{kind} took seat {new.seat}"
            return
        # A bot of the server that was lost is replaced by another one of its kind: the same player for everybody.
        is_same = new.hired and new.bot == old.bot
        if new.stood_in and not old.stood_in and not is_same:
            how = "; type /reclaim to take over again" if self._is_own(new) else ""
            yield f"bot {new.bot} plays for {who}{how}"
        if old.stood_in and not new.stood_in:
            yield f"{who} took over from the bot"
        if new.out and not old.out:
            yield "you are out of the match; stay and watch, or /quit" if who == "you" else f"{who} is out of the match"
        # A disconnected bot is replaced in a moment, so its loss is no news.
        is_person = not new.hired and (new.bot is None or new.stood_in)
        if self._phase != "ended" and not new.out and is_person and not self._is_own(new):
            if old.connected and not new.connected:
                grace_ms = self._room.grace_ms(new.seat)
                until = "" if grace_ms is None else f"; the seat is kept for {seconds(grace_ms)}"
                yield f"{who} disconnected{until}"
            if new.connected and not old.connected:
                yield f"{who} is back"

    # --- offers -------------------------------------------------------------------------------------------------

    def _offered(self) -> list[str]:
        before, self._offers = self._offers, dict(self._room.offers)
        lines = []
        for what, (words, typed) in OFFERS.items():
            for seat in self._offers.get(what, ()):
                if seat in before.get(what, ()):
                    continue
                agree = "" if seat == self._room.seat or self._room.seat is None else f" (type {typed} to accept)"
                lines.append(f"{self._name(seat)} offer{'' if seat == self._room.seat else 's'} {words}{agree}")
        return lines

    # --- names --------------------------------------------------------------------------------------------------

    def _is_own(self, state: SeatState) -> bool:
        return self._room.seat is not None and state.player == self._room.player

    def _name(self, seat: int) -> str:
        return "you" if seat == self._room.seat else self._room.name_of(seat)

    def _player(self, seat: int) -> str:
        """Return the name of the player or bot that acts for a seat."""
        is_bots = seat == self._room.seat and self._room.is_stood_in
        return "the bot at your seat" if is_bots else self._name(seat)

    def _names(self) -> list[str]:
        return [self._name(seat) for seat in range(len(self._room.seats))]


def in_sentences(game: AnyGame | None, events: Sequence[View], names: Sequence[str]) -> Iterator[str]:
    """Yield game events as lines; omniscient spectators get the private events of each seat too."""
    public: list[View] = []
    for event in events:
        match event:
            case {"public": form, "seats": dict() as secrets, **others} if not others:
                public += [] if form is None else [form]
                if secrets:
                    yield from told(game, public, names)
                    public.clear()
                yield from _secrets(game, secrets, names)
            case _:
                public.append(event)
    yield from told(game, public, names)


def _secrets(game: AnyGame | None, secrets: Mapping[str, View], names: Sequence[str]) -> Iterator[str]:
    for seat, form in secrets.items():
        whose = names[int(seat)] if seat.isdecimal() and int(seat) < len(names) else f"seat {seat}"
        yield from (f"(only {whose}) {line}" for line in told(game, [form], names))


def seat_lines(room: Room, seats: Sequence[SeatState] | None = None) -> list[str]:
    """Return a line per seat, from the room or from *seats*."""
    colors = seat_colors(room)
    width = max(map(len, colors), default=-1) + 1
    return [
        f"  {_seat_line(room, state, f'{colors[state.seat]:<{width}}' if colors else '')}"
        for state in (room.seats if seats is None else seats)
    ]


def seat_colors(room: Room) -> tuple[str, ...]:
    """Return the game's labels of the seats, if it has one for each."""
    colors = labels(room.public)
    return colors if len(colors) == len(room.seats) else ()


def color_sentence(room: Room) -> str:
    """Return a sentence that assigns colours to players; empty if the seats have none."""
    colors = enumerate(seat_colors(room))
    return ", ".join(
        f"{room.name_of(seat)}{' (you)' if seat == room.seat else ''} is {color}" for seat, color in colors
    )


def bank_note(room: Room) -> str:
    """Return how much of the remaining time is the player's bank; empty if there is none."""
    if room.seat is None or room.seat >= len(room.banks) or not room.banks[room.seat]:
        return ""
    return f" (including {seconds(room.banks[room.seat])} of your time bank)"


def _seat_line(room: Room, state: SeatState, color: str) -> str:
    notes = []
    if state.player is None:
        notes.append("open" if state.kept is None else "reserved for a player of the last match")
    elif state.player == room.player and room.seat is not None:
        notes.append("you")
    if state.player is not None and state.player == room.host and room.phase == "lobby":
        notes.append("host")
    if state.bot is not None:
        notes.append(f"bot {state.bot} plays for them" if state.stood_in and not state.hired else bot_label(state))
    if state.player is not None and not state.connected and room.phase != "ended":
        grace_ms = room.grace_ms(state.seat)
        notes.append("disconnected" if grace_ms is None else f"disconnected, seat kept for {seconds(grace_ms)}")
    if state.out:
        notes.append("out")
    return f"{state.seat} {color}{state.name:<20} {', '.join(notes)}".rstrip()


def time_out(who: str, receipt: Receipt, *, acted: bool) -> str:
    """Describe a time-out: the clock ended a turn in which the seat had *acted*, or the seat missed the turn."""
    whose = "your" if who == "you" else f"{who}'s"
    if acted:
        return f"time is up: the clock ended {whose} turn"
    credit = f" plus {receipt.credit} ms of lag credit" if receipt.credit >= LEAST_CREDIT_MS else ""
    why = f"no valid action before the deadline{credit}" if receipt.arrived is None else late(receipt)
    return f"{who} missed {'your' if who == 'you' else 'a'} turn: {why}"


def warning(left: int) -> str:
    """Warn how many more missed turns in a row bring in a bot."""
    if left == 0:
        return "a bot may take your seat now; type /reclaim to take over again"
    return f"miss {'one more turn' if left == 1 else f'{left} more turns in a row'} and a bot plays for you"


def late(receipt: Receipt) -> str:
    """Return how late an action was."""
    over_ms = (receipt.arrived or receipt.judged) - receipt.deadline
    return f"your move arrived {over_ms} ms after the deadline (lag credit {receipt.credit} ms)"


def ending(room: Room, ended: Ended) -> list[str]:
    """Return how the match ended, and the ranking."""
    why = "" if ended.reason in PLAIN_ENDINGS else ending_in_words(ended.reason)
    detail = codes.REFUSALS.get(ended.detail, ended.detail)
    reasons = "; ".join(text for text in (why, detail) if text)
    lines = [f"Match over: {_outcome(room, ended)}{f' ({reasons})' if reasons else ''}."]
    for each in standings(ended.ranks, ended.left):
        you = " (you)" if each.seat == room.seat else ""
        lines.append(f"  {each.rank}. {room.name_of(each.seat)}{you}{each.note}")
    return [*lines, *_leaving(room, ended)]


def _outcome(room: Room, ended: Ended) -> str:
    """Return who won, as a clause; several seats can share first place."""
    if ended.reason == codes.END_DRAW:
        return "draw"
    first = [seat for seat, rank in enumerate(ended.ranks) if rank == 1 and ended.reason != codes.END_VOID]
    names = ["you" if seat == room.seat else room.name_of(seat) for seat in first]
    match first:
        case []:
            return "no result"
        case [winner] if winner in ended.left:
            return f"the bot that replaced {names[0]} won"
        case [_]:
            return f"{names[0]} won"
        case _:
            return f"{listed(names)} share first place"


def _leaving(room: Room, ended: Ended) -> Iterator[str]:
    """Yield the players whose match a bot finished, and what it means for ratings."""
    for seat in ended.left:
        who = "You" if seat == room.seat else room.name_of(seat)
        rating = "; ratings rank that behind everyone who stayed" if ended.rated else ""
        yield f"{who} left and a bot finished the match{rating}."


def seconds(ms: int) -> str:
    """Format a duration."""
    return f"{ms / 1000:.0f} s" if ms >= 1000 else f"{ms} ms"
