"""Where the node's numbers are taken: beside the work, which knows nothing of it."""

import asyncio
from collections.abc import Sequence

from warroom_protocol.codec import decode_server
from warroom_protocol.messages import Verdict
from warroom_server.ports import AppendAnswer, AppendRequest
from warroom_server.runtime.committer import Appender
from warroom_server.runtime.metrics import Counters

# A message is an array that begins with its name: one byte for the array, then the name as MessagePack has it.
_NAME = slice(1, 9)
_VERDICT = b"\xa7verdict"
_EXPIRED = b"\xa7expired"


class MeasuredAppender:
    """The store's appends, with a look at the clock before and after each batch."""

    def __init__(self, store: Appender, counters: Counters) -> None:
        self._store = store
        self._counters = counters

    async def append(self, batch: Sequence[AppendRequest]) -> list[AppendAnswer]:
        """Append one entry each to many rooms, as one round trip; answers in order."""
        loop = asyncio.get_running_loop()
        asked_s = loop.time()
        answers = await self._store.append(batch)
        self._counters.batch_sizes.observe(len(batch))
        self._counters.append_ms.observe((loop.time() - asked_s) * 1000)
        return answers


def count_message(payload: bytes, counters: Counters) -> None:
    """Count what a room tells a player, if it is one of the things that are counted."""
    name = payload[_NAME]
    if name == _VERDICT:
        verdict = decode_server(payload)
        assert isinstance(verdict, Verdict)
        counters.verdict(verdict.code)
    elif name == _EXPIRED:
        counters.expired_turns += 1
