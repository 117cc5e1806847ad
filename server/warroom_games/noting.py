"""Notes on actions, made only from what the asking seat can see."""

from collections.abc import Sequence
from typing import Any, Final

from warroom_games.api import AnyGame, Noting, Seat
from warroom_games.law import LawBrokenError
from warroom_games.playthrough import Playthrough
from warroom_protocol.canonical import plain

LONGEST_NOTE: Final = 120
"""The longest note, in characters."""

_SAMPLE = 12


def notes_on(game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any]) -> tuple[str, ...]:
    """Return the game's note for each offered action of *seat*; empty texts if it has none."""
    adviser: object = game
    if not isinstance(adviser, Noting):
        return ("",) * len(actions)
    return tuple(adviser.notes(plain(game.public(state)), plain(game.private(state, seat)), plain(actions)))


def notes_are_short_lines(match: Playthrough) -> None:
    """Each note is one printable line of at most 120 characters, or empty."""
    game = match.game
    for state in match.sample(_SAMPLE):
        for seat in sorted(game.to_act(state)):
            actions = tuple(game.legal_actions(state, seat))
            notes = notes_on(game, state, seat, actions)
            if len(notes) != len(actions):
                raise LawBrokenError(f"{len(notes)} notes on {len(actions)} actions of seat {seat}")
            for action, note in zip(actions, notes, strict=True):
                if not (note.isprintable() and note == note.strip() and len(note) <= LONGEST_NOTE):
                    raise LawBrokenError(f"{note!r}, on {action}, is not a short line")
            if notes != notes_on(game, state, seat, actions):
                raise LawBrokenError(f"noting the actions of seat {seat} twice gives other notes")
