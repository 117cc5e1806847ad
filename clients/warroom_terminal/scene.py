"""Everything a spectator should see of a room at one moment, composed into lines of text."""

from msgspec import Struct

from warroom_client import Ended
from warroom_protocol.messages import SeatState

MAX_NEWS = 8


class Scene(Struct, frozen=True, kw_only=True):
    """One moment of a room."""

    code: str
    game: str
    phase: str
    picture: tuple[str, ...]
    seats: tuple[SeatState, ...]
    labels: tuple[str, ...]
    """What the game calls each seat, such as its colour; may be shorter than *seats*."""
    to_act: frozenset[int]
    watching: int
    turn: int
    remaining_ms: int | None
    paused: str | None
    lost: str | None
    """Why there is no line to the server; None while there is one."""
    news: tuple[str, ...]
    ended: Ended | None
    url: str


def compose(scene: Scene) -> list[str]:
    """Return the lines of the whole screen."""
    lines = [f"room {scene.code}   {scene.game}   {scene.phase}   {scene.watching} watching", ""]
    if scene.picture:
        lines += [*scene.picture, ""]
    lines += [_seat_line(scene, seat) for seat in scene.seats]
    lines += ["", *_status(scene)]
    if scene.news:
        lines += ["", *(f"  {line}" for line in scene.news[-MAX_NEWS:])]
    return lines


def _seat_line(scene: Scene, seat: SeatState) -> str:
    mark = ">" if seat.seat in scene.to_act and scene.ended is None else " "
    label = f"{scene.labels[seat.seat]:<8}" if seat.seat < len(scene.labels) else ""
    notes = []
    if seat.player is None:
        notes.append("open")
    elif not seat.connected and scene.ended is None:
        notes.append("no line")
    if seat.out:
        notes.append("gave up")
    return f"{mark} {seat.seat} {label}{seat.name:<24} {', '.join(notes)}".rstrip()


def _status(scene: Scene) -> list[str]:
    if scene.ended is not None:
        return _ranking(scene, scene.ended)
    if scene.lost is not None:
        return [f"{scene.lost}; trying to come back"]
    if scene.phase == "lobby":
        taken = sum(seat.player is not None for seat in scene.seats)
        return [f"waiting for players: {taken} of {len(scene.seats)} seats are taken"]
    if scene.paused is not None:
        return [f"turn {scene.turn}   paused: {scene.paused}"]
    return [f"turn {scene.turn}{_who(scene)}{_countdown(scene.remaining_ms)}"]


def _who(scene: Scene) -> str:
    names = [seat.name or f"seat {seat.seat}" for seat in scene.seats if seat.seat in scene.to_act]
    return f"   {', '.join(names)} to move" if names else ""


def _countdown(remaining_ms: int | None) -> str:
    return "" if remaining_ms is None else f"   {remaining_ms / 1000:.1f} s left"


def _ranking(scene: Scene, ended: Ended) -> list[str]:
    names = {seat.seat: seat.name for seat in scene.seats}
    ranks = sorted((rank, seat) for seat, rank in enumerate(ended.ranks))
    return [
        f"the match is over: {ended.reason}",
        *(f"  {rank}. {names.get(seat) or f'seat {seat}'}" for rank, seat in ranks),
        f"check it: warroom verify {scene.code} --url {scene.url} --chain {ended.chain}",
    ]
