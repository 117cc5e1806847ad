"""A complete bot with the SDK alone; it needs `pip install warroom`.

python sdk_bot.py ws://127.0.0.1:8000/ws CODE    joins the room and plays what its notes say is best
python sdk_bot.py ws://127.0.0.1:8000/ws         creates a room for two, prints its code, and plays there
"""

import asyncio
import secrets
import sys

from warroom_client import Client, ClientError, Ended, LegalActions, Prompted, RejectedError, Room
from warroom_protocol import codes

CLOSED = (codes.ACT_STALE, codes.ACT_LATE, codes.ROOM_ENDED)
"""Refusals of an action that mean that the clock was faster."""


def choose(legal: LegalActions) -> object:
    """Return the action with the most promising note, or any."""
    notes = legal.notes or ()
    odds = {index: int(note.split()[0]) for index, note in enumerate(notes) if note.split()[1:2] == ["%"]}
    return legal.actions[max(odds, key=odds.__getitem__)] if odds else secrets.choice(legal.actions)


async def play(room: Room) -> Ended:
    """Answer every prompt until the match is over."""
    async for event in room:
        match event:
            case Prompted(turn=turn):
                legal = await room.legal(notes=True)
                if legal.turn == turn and legal.actions:
                    try:
                        await room.act(choose(legal), turn=turn)
                    except RejectedError as refused:
                        if refused.code not in CLOSED:
                            raise
            case Ended():
                return event
            case _:
                pass
    raise AssertionError("the events of a room end with the match")


async def main(url: str, code: str | None = None) -> None:
    """Play one match; breaks of the connection are repaired in the background."""
    async with Client(url, name="sdk bot", bot="sdk") as client:
        code = code or (await client.create("graph_battle", seats=2)).code
        room = await client.join(code)
        print(f"in room {code}", flush=True)
        ended = await play(room)
        print(f"ended by {ended.reason}; ranks by seat: {list(ended.ranks)}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python sdk_bot.py URL [CODE], where URL is like ws://127.0.0.1:8000/ws")
    try:
        asyncio.run(main(*sys.argv[1:]))
    except ClientError as error:
        sys.exit(f"cannot play on {sys.argv[1]}: {error}")
