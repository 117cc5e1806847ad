"""What happens in a room, told in sentences to somebody who plays or watches there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from warroom_client import Ended, Event, Receipt, Room, SeatState
from warroom_client import events as happened
from warroom_games.api import AnyGame
from warroom_games.sentences import told
from warroom_protocol import codes
from warroom_protocol.messages import OfferName, View
from warroom_protocol.results import standings
from warroom_terminal.picture import find_game, labels
from warroom_terminal.scene import bot_told

OFFERS: Final[dict[OfferName, tuple[str, str]]] = {
    "draw": ("a draw", "/draw"),
    "pause": ("a pause", "/pause"),
    "resume": ("to go on", "/resume"),
    "rematch": ("a rematch", "/rematch"),
}
"""What can be offered, in words, and what to type to agree."""

PAUSES: Final = {
    codes.PAUSE_STORE: "the server waits for its store",
    codes.PAUSE_AGREED: "the players agreed on it",
    codes.PAUSE_RESTART: "the server was restarted and waits a moment for the players",
    codes.PAUSE_MOVING: "the match moves to another server",
}

ENDINGS: Final = {
    codes.END_VICTORY: "it was won",
    codes.END_CAP: "it reached the cap on its length",
    codes.END_RESIGNED: "all but one side gave up",
    codes.END_DRAW: "the players agreed on a draw",
    codes.END_VOID: "it ended without a result",
}

UNTOLD: Final = {codes.NOTICE_STOOD_IN, codes.NOTICE_RELIEVED, codes.NOTICE_DECIDED}
"""Notices of what is told in better words: who sits where, what was done."""
TELLING_CREDIT_MS: Final = 20
"""Credit for a slow line below this makes no difference to a person."""


class Narrator:
    """Tells the news of one room; it remembers what it told, so that it tells only what is new."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._game = find_game(room.about)
        self._seats: tuple[SeatState, ...] = ()
        self._phase: str | None = None
        self._offers: dict[str, tuple[int, ...]] = {}
        self._warned: int | None = None
        """The deadline of the missed turn that was last warned of: the clock may decide several times in one turn."""

    def _in_order(self, public: Sequence[View], private: Sequence[View]) -> Sequence[View]:
        """Return what the own seat did before whose turn it is then, and what its own turn brought after it."""
        match public:
            case [*before, {"type": "turn", "seat": seat} as turn] if seat != self._room.seat:
                return [*before, *private, turn]
            case _:
                return [*public, *private]

    def tell(self, event: Event) -> list[str]:
        """Return what there is to say about an event."""
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
                return [f"the clock stands still{most}: {PAUSES.get(reason, reason)}"]
            case happened.Unpaused():
                return ["the clock runs again"]
            case _:
                return self._about_the_line(event)

    def _about_the_line(self, event: Event) -> list[str]:
        match event:
            case happened.Disconnected(reason=reason):
                return [f"{reason}; trying to come back"]
            case happened.Reconnected():
                return ["back in the room"]
            case happened.Skipped(count=count):
                return [f"({count} pieces of news were left out)"]
            case happened.Drifted():
                return ["this copy of the board may be wrong (view.drift)"]
            case happened.Noticed(code=code) if code in UNTOLD:
                return []
            case happened.Noticed(code=code, detail=detail):
                return [f"{detail} ({code})"]
            case _:
                return []

    def _warning(self, event: happened.TimedOut) -> list[str]:
        """Say how many more missed turns bring a bot, once for each turn."""
        if event.left is None or event.receipt.deadline == self._warned:
            return []
        self._warned = event.receipt.deadline
        return [warning(event.left)]

    # --- seats --------------------------------------------------------------------------------------------------

    def _seats_changed(self, phase: str, seats: tuple[SeatState, ...]) -> list[str]:
        before, self._seats = self._seats, seats
        was, self._phase = self._phase, phase
        if was == "lobby" and phase == "playing":
            return ["the match begins", *seat_lines(self._room, seats)]
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
                kind = f" (the bot {new.bot})" if new.bot else ""
                yield f"{who}{kind} took seat {new.seat}"
            return
        if new.stood_in and not old.stood_in:
            how = "; /reclaim takes the seat back" if self._is_own(new) else ""
            yield f"the bot {new.bot} stands in for {who}{how}"
        if old.stood_in and not new.stood_in:
            yield f"{who} took the seat back from the bot"
        if new.out and not old.out:
            yield f"{who} {'are' if who == 'you' else 'is'} out of the match"
        # A bot that lost its line is replaced in a moment.
        is_person = new.bot is None or new.stood_in
        if self._phase != "ended" and not new.out and is_person and not self._is_own(new):
            if old.connected and not new.connected:
                grace_ms = self._room.grace_ms(new.seat)
                until = "" if grace_ms is None else f"; the seat waits {seconds(grace_ms)}"
                yield f"{who} lost the line{until}"
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
                agree = "" if seat == self._room.seat or self._room.seat is None else f" ({typed} agrees)"
                lines.append(f"{self._name(seat)} offer{'' if seat == self._room.seat else 's'} {words}{agree}")
        return lines

    # --- names --------------------------------------------------------------------------------------------------

    def _is_own(self, state: SeatState) -> bool:
        return self._room.seat is not None and state.player == self._room.player

    def _name(self, seat: int) -> str:
        return "you" if seat == self._room.seat else self._room.name_of(seat)

    def _player(self, seat: int) -> str:
        """Return who plays at a seat, which may be a bot for a while."""
        is_bots = seat == self._room.seat and self._room.is_stood_in
        return "the bot in your seat" if is_bots else self._name(seat)

    def _names(self) -> list[str]:
        return [self._name(seat) for seat in range(len(self._room.seats))]


def in_sentences(game: AnyGame | None, events: Sequence[View], names: Sequence[str]) -> Iterator[str]:
    """Yield game events as lines; spectators who may know all get what each seat was told as well."""
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
        yield from (f"({whose} alone) {line}" for line in told(game, [form], names))


def seat_lines(room: Room, seats: Sequence[SeatState] | None = None) -> list[str]:
    """Return a line for each seat, as it is now or as it was in *seats*."""
    colors = seat_colors(room)
    width = max(map(len, colors), default=-1) + 1
    return [
        f"  {_seat_line(room, state, f'{colors[state.seat]:<{width}}' if colors else '')}"
        for state in (room.seats if seats is None else seats)
    ]


def seat_colors(room: Room) -> tuple[str, ...]:
    """Return what the game calls each seat, if it does so for all of them."""
    colors = labels(room.public)
    return colors if len(colors) == len(room.seats) else ()


def colors_told(room: Room) -> str:
    """Return in a sentence whose colour is which; nothing where the seats have none."""
    colors = enumerate(seat_colors(room))
    return ", ".join(
        f"{room.name_of(seat)}{' (you)' if seat == room.seat else ''} is {color}" for seat, color in colors
    )


def bank_told(room: Room) -> str:
    """Return how much of the time that is left is the player's bank; nothing where there is none."""
    if room.seat is None or room.seat >= len(room.banks) or not room.banks[room.seat]:
        return ""
    return f" ({seconds(room.banks[room.seat])} of them are your bank)"


def _seat_line(room: Room, state: SeatState, color: str) -> str:
    notes = []
    if state.player is None:
        notes.append("open" if state.kept is None else "kept for a player of the last match")
    elif state.player == room.player and room.seat is not None:
        notes.append("you")
    if state.player is not None and state.player == room.host and room.phase == "lobby":
        notes.append("host")
    if state.bot is not None:
        notes.append(f"the bot {state.bot} stands in" if state.stood_in else bot_told(state))
    if state.player is not None and not state.connected and room.phase != "ended":
        grace_ms = room.grace_ms(state.seat)
        notes.append("no line" if grace_ms is None else f"no line, the seat waits {seconds(grace_ms)}")
    if state.out:
        notes.append("out")
    return f"{state.seat} {color}{state.name:<20} {', '.join(notes)}".rstrip()


def time_out(who: str, receipt: Receipt, *, acted: bool) -> str:
    """Return in a sentence that the clock ended a turn in which the seat had *acted*, or that the turn was missed."""
    whose = "your" if who == "you" else f"{who}'s"
    if acted:
        return f"time is up: the clock ended {whose} turn"
    credit = f" and the {receipt.credit} ms that a slow line gets" if receipt.credit >= TELLING_CREDIT_MS else ""
    why = f"no valid action arrived by the deadline{credit}" if receipt.arrived is None else late(receipt)
    return f"{who} missed {'your' if who == 'you' else 'a'} turn: {why}"


def warning(left: int) -> str:
    """Return in a sentence how many more missed turns in a row bring a bot."""
    if left == 0:
        return "a bot may take your seat now; /reclaim takes it back"
    return f"miss {'one more turn' if left == 1 else f'{left} more turns in a row'} and a bot plays for you"


def late(receipt: Receipt) -> str:
    """Return by how much an action missed its deadline."""
    over_ms = (receipt.arrived or receipt.judged) - receipt.deadline
    return f"the move arrived {over_ms} ms after the deadline; credit {receipt.credit} ms"


def ending(room: Room, ended: Ended) -> list[str]:
    """Return how a match ended and who came where."""
    why = ENDINGS.get(ended.reason, ended.reason)
    detail = f", {codes.REFUSALS.get(ended.detail, ended.detail)}" if ended.detail else ""
    lines = [f"The match is over: {why} ({ended.reason}){detail}."]
    for each in standings(ended.ranks, ended.left):
        you = " (you)" if each.seat == room.seat else ""
        lines.append(f"  {each.rank}. {room.name_of(each.seat)}{you}{each.note}")
    return [*lines, *_leaving(room, ended)]


def _leaving(room: Room, ended: Ended) -> Iterator[str]:
    """Yield for whom bots finished the match, and what that means."""
    for seat in ended.left:
        who = "You" if seat == room.seat else room.name_of(seat)
        rating = "; for ratings that is behind everyone who stayed" if ended.rated else ""
        yield f"{who} left, and a bot finished the match{rating}."


def seconds(ms: int) -> str:
    """Return a time in words."""
    return f"{ms / 1000:.0f} s" if ms >= 1000 else f"{ms} ms"
