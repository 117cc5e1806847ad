"""How far behind spectators who see all hands must be, so that what they tell a player is old news.

At every decision the newest state that they have seen must be older than the last completed turn of each rival. Where
seats move in turn, each has completed one in as many turns as there are seats; where all move together, in each turn.

Only new rooms are checked. A log says what its room was made with, and folds whatever that was.
"""

from typing import Final

from msgspec.structs import replace

from warroom_games.api import GameInfo, OptionsError
from warroom_games.log import RoomOptions

_TOGETHER: Final = 2
"""The running turn, and the last one that every rival has completed."""


class DelayError(OptionsError):
    """Spectators of all hands would see what rivals know now."""


def least_delay(info: GameInfo, seats: int) -> int:
    """Return how many turns spectators of all hands are behind at least, in a room of so many seats."""
    return _TOGETHER if info.simultaneous else seats


def check_delay(info: GameInfo, seats: int, options: RoomOptions) -> None:
    """Raise `DelayError` if spectators of a room would see all hands too early."""
    least = least_delay(info, seats)
    if options.watch == "all" and options.delay < least:
        raise DelayError(
            f"watch=all needs a delay of at least {least} turns in a room of {seats} seats, got {options.delay}"
        )


def with_least_delay(info: GameInfo, seats: int, options: RoomOptions) -> RoomOptions:
    """Return the options of a room with a delay that `check_delay` accepts: the room's own, or the least one."""
    if options.watch != "all":
        return options
    return replace(options, delay=max(options.delay, least_delay(info, seats)))
