"""Shared parts of the laws."""

from typing import Any

from warroom_games.api import AnyGame, IllegalActionError, Seat


class LawBrokenError(AssertionError):
    """A game breaks a law; the message says what was found."""


def hold(claim: object, message: str) -> None:
    """Raise `LawBrokenError` unless *claim* is true.

    The message is formatted either way. Callers that would format states or views many times per match should raise the
    error themselves.
    """
    if not claim:
        raise LawBrokenError(message)


def viewers(seats: int) -> tuple[Seat | None, ...]:
    """Return all viewers: a spectator (None) and each seat."""
    return (None, *range(seats))


def refusal(game: AnyGame, state: Any, seat: Seat, action: Any) -> IllegalActionError | None:
    """Return the error that `check` raises, or None if the action is legal."""
    try:
        game.check(state, seat, action)
    except IllegalActionError as error:
        return error
    return None
