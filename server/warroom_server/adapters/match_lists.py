"""Which lists show a finished match."""

from warroom_server.ports.records import MatchRecord


def list_for(game: str | None, player: str | None) -> str:
    """Return the name of the list of matches of a game, of a player, of both or (None, None) of all."""
    if player is None:
        return "all" if game is None else f"game:{game}"
    return f"player:{player}" if game is None else f"player:{player}:{game}"


def lists_of(record: MatchRecord) -> list[str]:
    """Return the names of the lists that show a match; none if it is not listed."""
    if not record.is_listed:
        return []
    whose = (None, *record.players)
    return [list_for(game, player) for player in whose for game in (None, record.game)]
