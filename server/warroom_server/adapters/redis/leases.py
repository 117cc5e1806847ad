"""The values of leases."""

import logging
from typing import Final

from msgspec import MsgspecError, Struct
from msgspec.msgpack import Decoder, encode

from warroom_server.ports.store import NO_FACTS, NodeFacts, NodeLease

logger = logging.getLogger(__name__)


class _Value(Struct, frozen=True):
    """The address and facts of a node; a newer version may have more fields."""

    address: str = ""
    facts: NodeFacts = NO_FACTS


_decoder: Final = Decoder(_Value)


def lease_value(address: str, facts: NodeFacts) -> bytes:
    """Return the value of a lease."""
    return encode(_Value(address, facts))


def node_lease(owner: str, value: bytes, left_ms: int) -> NodeLease:
    """Return a lease; the node holds it even if its value cannot be read."""
    try:
        told = _decoder.decode(value)
    except MsgspecError as error:
        logger.warning("lease cannot be read owner=%s error=%r", owner, str(error))
        told = _Value()
    return NodeLease(owner, told.address, left_ms, told.facts)
