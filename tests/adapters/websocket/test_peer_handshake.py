"""Who may open a link, and what a stranger learns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.msgpack import encode

from warroom_server.adapters.websocket.peer_handshake import NONCE_BYTES, Greeting, Handshake

KEY = b"the key of the cluster"
A, B = b"a" * NONCE_BYTES, b"b" * NONCE_BYTES


def dialler(*, key: bytes = KEY, nonce: bytes = A) -> Handshake:
    return Handshake("node-a", key=key, version=1, nonce=nonce, dialled="node-b")


def answerer(*, key: bytes = KEY, nonce: bytes = B) -> Handshake:
    return Handshake("node-b", key=key, version=1, nonce=nonce, dialled=None)


def test_two_nodes_that_know_the_key_find_each_other() -> None:
    near, far = dialler(), answerer()
    answer = far.receive(near.greet())
    assert far.node == ""
    proof = near.receive(answer)
    assert far.receive(proof) == b""
    assert (near.node, far.node) == ("node-b", "node-a")


def test_an_answer_without_the_key_is_refused() -> None:
    near = dialler()
    with pytest.raises(ValueError, match="does not know the key"):
        near.receive(answerer(key=b"another").receive(near.greet()))
    assert near.node == ""


def test_a_dialler_without_the_key_is_refused() -> None:
    far = answerer()
    far.receive(dialler().greet())
    with pytest.raises(ValueError, match="does not know the key"):
        far.receive(b"x" * 32)
    assert far.node == ""


def test_a_proof_holds_for_one_line_only() -> None:
    near, old = dialler(), answerer(nonce=b"o" * NONCE_BYTES)
    proof = near.receive(old.receive(near.greet()))
    far = answerer()
    far.receive(dialler().greet())
    with pytest.raises(ValueError, match="does not know the key"):
        far.receive(proof)


def test_a_proof_cannot_be_sent_back_to_whoever_made_it() -> None:
    far = answerer()
    answer = far.receive(encode(Greeting(1, "node-c", A)))
    with pytest.raises(ValueError, match="does not know the key"):
        far.receive(answer[-32:])


@pytest.mark.parametrize(
    ("greeting", "complaint"),
    [
        pytest.param(Greeting(2, "node-a", A), "has version 2", id="another version"),
        pytest.param(Greeting(1, "node-b", A), "this node itself", id="itself"),
        pytest.param(Greeting(1, "x" * 65, A), "length", id="a long name"),
        pytest.param(Greeting(1, "", A), "length", id="no name"),
        pytest.param(Greeting(1, "node-a", b"short"), "length", id="a short nonce"),
    ],
)
def test_a_wrong_greeting_is_refused(greeting: Greeting, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        answerer().receive(encode(greeting))


def test_another_node_at_the_dialled_address_is_refused() -> None:
    near = dialler()
    with pytest.raises(ValueError, match="dialled node-b, but node-c answered"):
        near.receive(encode(Greeting(1, "node-c", B)))


@given(st.binary(max_size=200))
def test_no_bytes_do_harm(noise: bytes) -> None:
    for end in (dialler(), answerer()):
        with pytest.raises(ValueError):  # noqa: PT011
            end.receive(noise)
