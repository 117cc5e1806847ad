"""Opens connections to what the URL of a store names: one server, the primary that Sentinels name, or a cluster."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from functools import partial

from redis.exceptions import ResponseError

from warroom_server.adapters.redis.address import Address, Place, parse_address
from warroom_server.adapters.redis.checks import is_forgetful, is_loading, objections
from warroom_server.adapters.redis.cluster import ClusterConnection, SlotMap
from warroom_server.adapters.redis.command_sender import CommandSender, Wait
from warroom_server.adapters.redis.connection import OnReplaced, ServerConnection
from warroom_server.ports.store import Trouble, UnavailableError

logger = logging.getLogger(__name__)

ASK_WITHIN_S = 0.5
"""How long a Sentinel may take; all are asked at the same time."""


class RedisBackend:
    """Opens connections; each inspects its servers when it reaches them, and every few seconds."""

    def __init__(self, url: str, *, timeout_s: float, wait: Wait | None = None) -> None:
        self._address = parse_address(url)
        self._timeout_s = timeout_s
        self._wait = wait
        self._slots = SlotMap(self._address, timeout_s=timeout_s) if self._address.kind == "cluster" else None
        self._warned: set[str] = set()
        self.name = self._address.name
        """What to call the store where a password must not show."""

    def line(self, *, timeout_s: float | None = None, on_replaced: OnReplaced = lambda _: None) -> CommandSender:
        """Return a connection that opens itself when it is needed.

        *on_replaced* is called when a server was replaced or restarted.
        """
        open_server = partial(
            ServerConnection,
            timeout_s=timeout_s or self._timeout_s,
            inspect=self._inspect,
            on_replaced=on_replaced,
            wait=self._wait,
        )

        def open_place(place: Place) -> ServerConnection:
            is_successor = self._slots is not None and self._slots.is_new(place)
            return open_server(f"the store at {place.name}", place.locate, is_successor=is_successor)

        if self._slots is not None:
            return ClusterConnection(self.name, self._slots, open_place)
        if self._address.kind == "sentinel":
            return open_server(self.name, partial(_locate_primary, self._address))
        return open_place(self._address.places[0])

    def _inspect(self, info: Mapping[str, str], name: str) -> None:
        if is_loading(info):
            done = info.get("loading_loaded_perc", "0")
            raise UnavailableError(f"{name} is still reading its data, {done} % of it is done", Trouble.LOADING)
        if found := objections(info, self._address.kind):
            raise UnavailableError(f"{name} cannot keep rooms: {'; '.join(found)}", Trouble.UNFIT)
        if is_forgetful(info) and name not in self._warned:
            self._warned.add(name)
            logger.warning("store without append-only file store=%r: its own crash may lose actions", name)


async def _locate_primary(address: Address) -> Place:
    """Return the primary that most of the answering Sentinels name now, since a fail-over changes it.

    The inspection of the connection checks whether that really is a primary.
    """
    assert address.server is not None, "an address of Sentinels tells how to connect to the servers"
    answers = await asyncio.gather(*(_ask_sentinel(place, address.service) for place in address.places))
    votes = Counter(answer for answer in answers if isinstance(answer, tuple))
    if votes:
        (host, port), _ = votes.most_common(1)[0]
        return address.server.at(host, port)
    failures = [answer for answer in answers if isinstance(answer, UnavailableError)]
    if len(failures) < len(answers):
        unknown = f"{address.name}: the Sentinels know no service {address.service!r}"
        raise UnavailableError(unknown, Trouble.UNFIT)
    raise UnavailableError(f"{address.name}: no Sentinel answers: {failures[0]}", failures[0].trouble)


async def _ask_sentinel(place: Place, service: str) -> tuple[str, int] | UnavailableError | None:
    """Return the address of the primary that a Sentinel names; None if it does not know the service."""
    line = ServerConnection(f"the Sentinel at {place.name}", place.locate, timeout_s=ASK_WITHIN_S)
    try:
        (reply,) = await line.ask([("SENTINEL", "GET-MASTER-ADDR-BY-NAME", service)])
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
