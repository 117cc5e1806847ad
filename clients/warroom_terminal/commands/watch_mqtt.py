"""`warroom watch --mqtt`: follow a match through an MQTT broker, without a server."""

import sys
from argparse import Namespace

from warroom_client import follow_feed
from warroom_games.words import printable
from warroom_terminal.painter import painter_for
from warroom_terminal.spectator_screen import result
from warroom_terminal.watch_session import WatchSession

ALONE = ("player", "chat")
"""Options that need a server and cannot be combined with `--mqtt`."""


def complaint(args: Namespace) -> str | None:
    """Return an error for conflicting arguments, or None."""
    if args.room is None:
        return f"--mqtt needs a room code; `mosquitto_sub -t '{args.mqtt_prefix}/lobby/#'` lists the rooms"
    return next(
        (f"--{name} needs a server and cannot be combined with --mqtt" for name in ALONE if getattr(args, name)), None
    )


async def watch(args: Namespace) -> None:
    """Watch a room, and its rematches with `--follow`."""
    code, goes_on = args.room, True
    while goes_on:
        async with follow_feed(args.mqtt, code, prefix=args.mqtt_prefix, ca=args.mqtt_ca) as room:
            with painter_for(sys.stdout) as painter:
                watching = WatchSession(room, painter)
                ended = await watching.follow()
                goes_on = args.follow and await watching.await_rematch() and room.moved is not None
            if ended is not None:
                print(printable(result(room.seats, ended)), flush=True)
            code = room.moved.code if room.moved is not None else code
