"""One link in virtual time: who may open it, whether it lives, how long it takes, and what it refuses."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_server.cluster import messages
from warroom_server.cluster.messages import Batch, Draining, Greet, Item, LinkError, Message, Owns, Part, Ping, Prove
from warroom_server.cluster.peer_link import PING_MS, SILENCE_MS, PeerLink

KEY = b"the key of the cluster"


class Pair:
    """Two ends of a link, and a wire between them that takes its time."""

    def __init__(self, *, key: bytes = KEY, way_ms: int = 0) -> None:
        self.now = 0
        self.way_ms = way_ms
        self.near = PeerLink("node-a", key=KEY, nonce=b"a" * 16, dialled="node-b", now=0)
        self.far = PeerLink("node-b", key=key, nonce=b"b" * 16, dialled=None, now=0)
        self.heard: dict[str, list[Message]] = {"near": [], "far": []}

    def carry(self) -> None:
        """Carry everything that is on its way to where it belongs, until nothing more is."""
        while True:
            out, back = self.near.take(), self.far.take()
            if not out and not back:
                return
            self.now += self.way_ms
            for payload in out:
                self._hear("far", self.far, payload)
            for payload in back:
                self._hear("near", self.near, payload)

    def _hear(self, who: str, end: PeerLink, payload: bytes) -> None:
        message = end.receive(payload, self.now)
        if message is not None:
            self.heard[who].append(message)


def test_two_nodes_that_know_the_key_find_each_other() -> None:
    pair = Pair()
    pair.carry()
    assert (pair.near.is_open, pair.far.is_open) == (True, True)
    assert (pair.near.peer, pair.far.peer) == ("node-b", "node-a")


def test_what_one_end_says_the_other_one_hears_in_order() -> None:
    pair = Pair()
    pair.carry()
    said: list[Message] = [Owns(((1, 2),)), Batch((b"payload",), (Item(3, 4, (5, 6), 0),)), Part((5,)), Draining()]
    for message in said:
        pair.near.send(message)
    pair.carry()
    assert pair.heard == {"near": [], "far": said}


def test_who_does_not_know_the_key_is_refused_and_learns_nothing_of_it() -> None:
    pair = Pair(key=b"another key")
    with pytest.raises(LinkError, match="does not know the key"):
        pair.carry()
    assert not pair.near.is_open
    sent = b"".join(pair.near.take())
    assert KEY not in sent


def test_a_proof_of_another_link_is_worth_nothing() -> None:
    first, second = Pair(), Pair()
    first.far = PeerLink("node-b", key=KEY, nonce=b"x" * 16, dialled=None, now=0)
    (greeting,) = first.near.take()
    first.far.receive(greeting, 0)
    _, proof = first.far.take()
    (greeting,) = second.near.take()
    second.far.receive(greeting, 0)
    theirs, _ = second.far.take()
    second.near.receive(theirs, 0)
    with pytest.raises(LinkError, match="does not know the key"):
        second.near.receive(proof, 0)


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        pytest.param(Greet(messages.VERSION + 1, "node-b", b"b" * 16), "speaks version", id="another version"),
        pytest.param(Greet(messages.VERSION, "node-a", b"b" * 16), "this very node", id="itself"),
        pytest.param(Prove(b""), "out of turn", id="a proof before a greeting"),
        pytest.param(Ping(1), "before a proof", id="a question before a proof"),
        pytest.param(Owns(()), "before a proof", id="news before a proof"),
    ],
)
def test_whoever_breaks_the_rules_of_the_handshake_is_refused(message: Message, complaint: str) -> None:
    link = PeerLink("node-a", key=KEY, nonce=b"a" * 16, dialled=None, now=0)
    with pytest.raises(LinkError, match=complaint):
        link.receive(messages.encode(message), 0)


def test_nobody_greets_or_proves_twice() -> None:
    pair = Pair()
    pair.carry()
    with pytest.raises(LinkError, match="twice"):
        pair.near.receive(messages.encode(Greet(messages.VERSION, "node-b", b"b" * 16)), 0)
    with pytest.raises(LinkError, match="out of turn"):
        pair.near.receive(messages.encode(Prove(b"")), 0)


def test_a_link_that_is_silent_for_too_long_is_dead() -> None:
    pair = Pair()
    pair.carry()
    pair.near.tick(SILENCE_MS - 1)
    with pytest.raises(LinkError, match="not a word"):
        pair.near.tick(SILENCE_MS)


def test_a_link_on_which_both_ends_ask_stays_alive() -> None:
    pair = Pair()
    pair.carry()
    for _ in range(4 * SILENCE_MS // PING_MS):
        pair.now += PING_MS
        for end in (pair.near, pair.far):
            end.tick(pair.now)
        pair.carry()
    assert pair.near.is_open


def test_the_smallest_round_trip_counts() -> None:
    pair = Pair()
    pair.carry()
    for way_ms in (40, 15, 90):
        pair.way_ms = way_ms
        pair.now += PING_MS
        pair.near.tick(pair.now)
        pair.carry()
    assert (pair.near.last_rtt_ms, pair.near.rtt_ms) == (180, 0)
    fresh = Pair(way_ms=25)
    fresh.carry()
    assert fresh.near.rtt_ms == 50


@given(st.binary(max_size=200))
def test_no_bytes_at_all_do_harm(noise: bytes) -> None:
    link = PeerLink("node-a", key=KEY, nonce=b"a" * 16, dialled=None, now=0)
    with pytest.raises(LinkError):
        link.receive(noise, 0)


def test_a_message_names_no_more_guests_than_allowed() -> None:
    many = messages.encode(Part(tuple(range(messages.MAX_ENTRIES + 1))))
    with pytest.raises(LinkError, match="no message"):
        messages.decode(many)
    assert messages.decode(messages.encode(Part((1, 2)))) == Part((1, 2))
    assert msgspec.msgpack.decode(messages.encode(Part((1, 2)))) == ["part", [1, 2]]
