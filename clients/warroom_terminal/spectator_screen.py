"""Composes one moment of a room into the lines of a spectator's screen."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from warroom_client import Ended
from warroom_protocol.messages import SeatState
from warroom_protocol.results import ending_in_words, standings
from warroom_terminal.line_wrapping import cut

MAX_NEWS: Final = 8
SOME_NEWS: Final = 3
"""A picture gives up its empty lines to show this many rows of log."""
STATUS_ROWS: Final = 2
"""Rows for the status line and the empty line before the log."""
SECRETS: Final = "spectators see only public information"


class Scene(Struct, frozen=True, kw_only=True):
    """One moment of a room."""

    code: str
    game: str
    phase: str
    picture: tuple[str, ...]
    is_named: bool = False
    """Whether the picture names the players."""
    hides: bool
    """Whether players see more than the picture shows."""
    seats: tuple[SeatState, ...]
    labels: tuple[str, ...]
    """The game's labels of the seats, such as colours; may be shorter than *seats*."""
    to_act: frozenset[int]
    watching: int
    turn: int
    remaining_ms: int | None
    paused: str | None
    lost: str | None
    """Why the connection is down; None while it is up."""
    news: tuple[str, ...]
    ended: Ended | None


def compose(scene: Scene, rows: int | None = None, columns: int | None = None) -> list[str]:
    """Return the lines of the screen, at most *rows*; the first is the status line."""
    news = [f"  {line}" for line in scene.news[-MAX_NEWS:]]
    parts = [part for part in (list(scene.picture), _players(scene), news) if part]
    status = _status(scene, columns)
    lines = [status, SECRETS if scene.hides else ""]
    for part in parts:
        lines += [*part, ""]
    whole = lines[:-1]
    if rows is None or len(whole) <= rows:
        return whole
    return [status, *_squeezed(scene, news, rows - 1)][: max(1, rows)]


# --- small windows --------------------------------------------------------------------------------------------------


def _squeezed(scene: Scene, news: list[str], rows: int) -> list[str]:
    """Cut to the window: drop log lines first (oldest first), then the players, then rows of the picture.

    Players whom the picture already names get lines of their own only if all of them fit.
    """
    players = [] if scene.is_named else _players(scene)
    picture = _denser(scene.picture, rows - len(players) - 1 - min(len(news), SOME_NEWS))
    least = [*picture, *(["", *players] if players else [])]
    if len(least) > rows:
        shown = least[: max(0, rows - 1)]
        shown = shown[:-1] if shown and not shown[-1] else shown
        missing = sum(map(bool, [*least, *news])) - sum(map(bool, shown))
        return [*shown, f"… {missing} more rows; enlarge the window" + (f"   ({SECRETS})" if scene.hides else "")]
    left = rows - len(least)
    fresh = news[-(left - 1) :] if left > 1 else []
    return [*least, *(["", *fresh] if fresh else [])]


def _denser(picture: tuple[str, ...], space: int) -> list[str]:
    """Return a tall picture without the empty lines below its title and above its legend."""
    lines = list(picture)
    if len(lines) > space and "" in lines:
        lines.remove("")
    if len(lines) > space and "" in lines:
        del lines[len(lines) - 1 - lines[::-1].index("")]
    return lines


# --- players --------------------------------------------------------------------------------------------------------


def _players(scene: Scene) -> list[str]:
    """Return a line per seat; after the match, in the order of the ranking."""
    if scene.ended is None:
        return [_seat_line(scene, seat) for seat in scene.seats]
    return [f"  {rank}. {_label(scene, seat)}{name}" for rank, seat, name in ranking(scene.seats, scene.ended)]


def _seat_line(scene: Scene, seat: SeatState) -> str:
    mark = ">" if seat.seat in scene.to_act else " "
    notes = []
    if seat.player is None:
        notes.append("open")
    elif not seat.connected and scene.phase != "ended":
        notes.append("disconnected")
    if seat.bot is not None:
        notes.append(f"bot {seat.bot} plays for them" if seat.stood_in and not seat.hired else bot_label(seat))
    if seat.out:
        notes.append("resigned")
    return f"{mark} {seat.seat} {_label(scene, seat.seat)}{seat.name:<24} {', '.join(notes)}".rstrip()


def bot_label(seat: SeatState) -> str:
    """Return the bot at a seat, and whether a player rather than the server runs it."""
    return f"bot {seat.bot}" if seat.hired else f"player's bot {seat.bot}"


def _label(scene: Scene, seat: int) -> str:
    return f"{scene.labels[seat]:<8}" if seat < len(scene.labels) else ""


def ranking(seats: Sequence[SeatState], ended: Ended) -> list[tuple[int, int, str]]:
    """Return rank, seat and name in the order of the result; a void match has no ranking."""
    names = {seat.seat: seat.name for seat in seats}
    return [
        (each.rank, each.seat, f"{names.get(each.seat) or f'seat {each.seat}'}{each.note}")
        for each in standings(ended.ranks, ended.left)
    ]


def result(seats: Sequence[SeatState], ended: Ended) -> str:
    """Return one line with the reason and the ranking."""
    return "   ".join(
        [
            f"match over: {ending_in_words(ended.reason)}",
            *(f"{rank}. {name}" for rank, _, name in ranking(seats, ended)),
        ]
    )


# --- status line ----------------------------------------------------------------------------------------------------


def _status(scene: Scene, columns: int | None) -> str:
    """Return the status line; a narrow window drops the spectator count first, then the game."""
    room, standing, watching = f"room {scene.code}", _standing(scene), f"{scene.watching} watching"
    for parts in ([room, scene.game, *standing, watching], [room, scene.game, *standing], [room, *standing]):
        line = "   ".join(part for part in parts if part)
        if columns is None or len(line) <= columns:
            break
    return line if columns is None else cut(line, columns)


def _standing(scene: Scene) -> list[str]:
    if scene.ended is not None:
        return [result(scene.seats, scene.ended)]
    if scene.lost is not None:
        return [f"reconnecting: {scene.lost}"]
    if scene.phase == "lobby":
        taken = sum(seat.player is not None for seat in scene.seats)
        return [f"waiting for players: {taken} of {len(scene.seats)} seats taken"]
    if scene.phase == "ended":
        return ["over"]
    if scene.paused is not None:
        return [f"turn {scene.turn}", f"paused: {scene.paused}"]
    return [f"turn {scene.turn}", _countdown(scene.remaining_ms), _who(scene)]


def _who(scene: Scene) -> str:
    names = [seat.name or f"seat {seat.seat}" for seat in scene.seats if seat.seat in scene.to_act]
    return f"{', '.join(names)} to move" if names else ""


def _countdown(remaining_ms: int | None) -> str:
    return "" if remaining_ms is None else f"{remaining_ms / 1000:.1f} s left"
