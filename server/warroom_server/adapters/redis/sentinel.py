"""The primary that Sentinels name. They are asked for every connection: a fail-over changes it."""

import asyncio
from collections import Counter

from redis.exceptions import ResponseError

from warroom_server.adapters.redis.address import Address, Place
from warroom_server.adapters.redis.connection import Fixed, ServerConnection
from warroom_server.ports.store import Trouble, UnavailableError, UnsuitableStoreError

ASK_WITHIN_S = 0.5
"""How long a Sentinel may take; all are asked at the same time."""


class SentinelEndpoint:
    """Locates the primary that most of the answering Sentinels name.

    The inspection of the connection checks whether that really is a primary.
    """

    def __init__(self, address: Address) -> None:
        assert address.server is not None, "an address of Sentinels tells how to connect to the servers"
        self.name = address.name
        self._address = address
        self._server = address.server

    async def locate(self) -> Place:
        """Return the primary that most Sentinels name now."""
        answers = await asyncio.gather(*(self._ask(place) for place in self._address.places))
        votes = Counter(answer for answer in answers if isinstance(answer, tuple))
        if votes:
            (host, port), _ = votes.most_common(1)[0]
            return self._server.at(host, port)
        failures = [answer for answer in answers if isinstance(answer, UnavailableError)]
        if len(failures) < len(answers):
            raise UnsuitableStoreError(f"{self.name}: the Sentinels know no service {self._address.service!r}")
        raise UnavailableError(f"{self.name}: no Sentinel answers: {failures[0]}", failures[0].trouble)

    async def _ask(self, place: Place) -> tuple[str, int] | UnavailableError | None:
        """Return the address of the primary that a Sentinel names; None if it does not know the service."""
        line = ServerConnection(Fixed(place, f"the Sentinel at {place.name}"), timeout_s=ASK_WITHIN_S)
        try:
            (reply,) = await line.ask([("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self._address.service)])
        except UnavailableError as error:
            return error
        finally:
            await line.close()
        if reply is None:
            return None
        if isinstance(reply, ResponseError):
            return UnavailableError(f"the server at {place.name} is no Sentinel: {reply}", Trouble.UNFIT)
        if isinstance(reply, list) and len(reply) == 2 and isinstance(reply[0], bytes) and isinstance(reply[1], bytes):
            return reply[0].decode(), int(reply[1])
        return UnavailableError(f"the Sentinel at {place.name} said {reply!r}", Trouble.AWAY)
