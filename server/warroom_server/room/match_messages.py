"""Messages about a match that depend on the match alone."""

import msgspec

from warroom_games.api import Seat
from warroom_games.log import FIRST_LIFE, commitment
from warroom_games.match import Match
from warroom_protocol.messages import About, Ended, ListedPlayer, Prompt, RoomListing
from warroom_protocol.rooms import room_code

_OPERATOR = "bot"
"""Stands for a player in the ratings of the operator's bots."""


def about(match: Match) -> About:
    """Return the constant facts of a room."""
    opened = match.opened
    return About(
        game=opened.game,
        rules_version=opened.rules_version,
        seats=opened.seats,
        options=msgspec.to_builtins(match.options),
        room_options={**msgspec.to_builtins(opened.room_options), "turn_ms": match.turn_ms},
        commitment=commitment(opened.seed).hex(),
        follows=opened.follows,
    )


def prompt(match: Match, seat: Seat, at: int) -> Prompt | None:
    """Return the prompt of *seat* at room time *at*; None if the seat is not asked."""
    if seat not in match.asked:
        return None
    return Prompt(match.opened.room, seat, match.decisions[seat], at, match.due(seat))


def ended(match: Match) -> Ended | None:
    """Return the end of the match with its seed and chain; None while it runs."""
    if match.result is None:
        return None
    opened, result = match.opened, match.result
    seed = "" if opened.room_options.reveal_s else opened.seed.hex()
    return Ended(
        opened.room, result.ranks, result.reason, seed, match.chain.hex(), result.detail, counts(match), result.left
    )


def counts(match: Match) -> bool:
    """Whether the result counts for ratings: it must rank two rated players, and its log must be complete.

    At least one of them must have stayed: a game between bots says nothing about the players who left.
    """
    result = match.result
    if result is None or not result.ranks or not _is_rated(match) or match.life != FIRST_LIFE:
        return False
    rated = rated_seats(match)
    return len(set(rated.values())) > 1 and not rated.keys() <= set(result.left)


def _is_rated(match: Match) -> bool:
    """Whether the room is rated.

    Private rooms do not appear in a public ranking. If spectators see all hands, any of them may be a player.
    """
    room_options = match.opened.room_options
    return room_options.rated and not room_options.private and room_options.watch != "all"


def rated_seats(match: Match) -> dict[Seat, str]:
    """Return the ids of the ratings that a match changes, by seat. Hired bots of one name share a rating.

    If a bot plays every seat, all of them are on the bots' ladder. Otherwise a bot that a player brings has no rating:
    its name cannot be checked, and a new identity for each match would fill the ranking of people.
    """
    is_among_bots = all(sitter.bot is not None for sitter in match.seats if sitter is not None)
    rated: dict[Seat, str] = {}
    for seat, sitter in enumerate(match.seats):
        if sitter is not None and sitter.bot is None:
            rated[seat] = sitter.player
        elif sitter is not None and (sitter.hired or is_among_bots):
            rated[seat] = f"{_OPERATOR if sitter.hired else sitter.player}:{sitter.bot}"
    return rated


def listing(match: Match, watching: int) -> RoomListing:
    """Return the listing of a room."""
    opened = match.opened
    return RoomListing(
        room=opened.room,
        code=room_code(opened.room),
        game=opened.game,
        phase=match.phase,
        seats=len(match.seats),
        taken=len(match.seats) - match.seats.count(None),
        watching=watching,
        turn_ms=match.turn_ms,
        players=tuple(
            ListedPlayer(sitter.player, sitter.name, sitter.bot) for sitter in match.seats if sitter is not None
        ),
        watch=opened.room_options.watch,
        delay=opened.room_options.delay,
        rated=_is_rated(match),
    )
