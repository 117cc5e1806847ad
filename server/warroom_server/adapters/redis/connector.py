"""Opens connections to what the URL of a store names: one server, the primary that Sentinels name, or a cluster."""

import logging
from collections.abc import Callable, Mapping

from warroom_server.adapters.redis.address import Place, parse_address
from warroom_server.adapters.redis.checks import is_forgetful, is_loading, objections
from warroom_server.adapters.redis.cluster import ClusterConnection, SlotMap
from warroom_server.adapters.redis.command_sender import CommandSender, Wait
from warroom_server.adapters.redis.connection import Endpoint, Fixed, ServerConnection
from warroom_server.adapters.redis.sentinel import SentinelEndpoint
from warroom_server.ports.store import Trouble, UnavailableError, UnsuitableStoreError

logger = logging.getLogger(__name__)


class RedisBackend:
    """Opens connections; each inspects its servers when it reaches them, and every few seconds."""

    def __init__(self, url: str, *, timeout_s: float, wait: Wait | None = None) -> None:
        self._address = parse_address(url)
        self._timeout_s = timeout_s
        self._wait = wait
        self._slots = SlotMap(self._address, timeout_s=timeout_s) if self._address.kind == "cluster" else None
        self._warned: set[str] = set()

    @property
    def name(self) -> str:
        """What to call the store where a password must not show."""
        return self._address.name

    def line(
        self, *, timeout_s: float | None = None, on_replaced: Callable[[str], None] = lambda _: None
    ) -> CommandSender:
        """Return a connection that opens itself when it is needed.

        *on_replaced* is called when a server was replaced or restarted.
        """
        timeout_s = timeout_s or self._timeout_s

        def open_server(endpoint: Endpoint, *, is_successor: bool = False) -> ServerConnection:
            def inspect(info: Mapping[str, str]) -> None:
                self._inspect(info, endpoint.name)

            return ServerConnection(
                endpoint,
                timeout_s=timeout_s,
                inspect=inspect,
                on_replaced=on_replaced,
                is_successor=is_successor,
                wait=self._wait,
            )

        def open_place(place: Place) -> ServerConnection:
            return open_server(Fixed(place), is_successor=self._slots is not None and self._slots.is_new(place))

        if self._slots is not None:
            return ClusterConnection(self.name, self._slots, open_place)
        if self._address.kind == "sentinel":
            return open_server(SentinelEndpoint(self._address))
        return open_place(self._address.places[0])

    def _inspect(self, info: Mapping[str, str], name: str) -> None:
        if is_loading(info):
            done = info.get("loading_loaded_perc", "0")
            raise UnavailableError(f"{name} is still reading its data, {done} % of it is done", Trouble.LOADING)
        if found := objections(info, self._address.kind):
            raise UnsuitableStoreError(f"{name} cannot keep rooms: {'; '.join(found)}")
        if is_forgetful(info) and name not in self._warned:
            self._warned.add(name)
            logger.warning("store without append-only file store=%r: its own crash may lose actions", name)
