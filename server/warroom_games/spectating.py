"""The minimum delay of spectators who see all hands, so that they can tell players only old news.

At every decision the newest state that they have seen must be older than the last completed turn of each rival. If
seats move one after the other, each completes a turn within as many turns as there are seats; if all move together,
within every turn.

Only new rooms are checked. A log records its room's options, and folds whatever they are.
"""

from typing import Final

from msgspec.structs import replace

from warroom_games.api import GameInfo, OptionsError
from warroom_games.log import RoomOptions

_TOGETHER: Final = 2
"""The current turn, and the last one that every rival completed."""


class DelayError(OptionsError):
    """Spectators of all hands would see what rivals know now."""


def least_delay(info: GameInfo, seats: int) -> int:
    """Return the minimum delay in turns of spectators of all hands, in a room of so many seats."""
    return _TOGETHER if info.simultaneous else seats


def check_delay(info: GameInfo, seats: int, options: RoomOptions) -> None:
    """Raise `DelayError` if spectators would see all hands too early."""
    least = least_delay(info, seats)
    if options.watch == "all" and options.delay < least:
        raise DelayError(
            f"watch all needs a delay of at least {least} turns in a room of {seats} seats, got {options.delay}"
        )


def with_least_delay(info: GameInfo, seats: int, options: RoomOptions) -> RoomOptions:
    """Return the room options with a delay that `check_delay` accepts: the room's own, or the minimum."""
    if options.watch != "all":
        return options
    return replace(options, delay=max(options.delay, least_delay(info, seats)))
