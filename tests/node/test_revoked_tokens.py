"""Tokens count until their player makes them void, whatever the store does meanwhile."""

from collections.abc import Awaitable, Callable

import pytest
from manual_time import ManualTime
from small_node import SECRET, FickleStore, LittleNode, NotedConnection, token_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import Error, Hello, Join, Joined, Ping, Pong, Welcome
from warroom_server.node import revoked_tokens as identities
from warroom_server.node.revoked_tokens import PATIENCE_MS
from warroom_server.ports.store import UnavailableError
from warroom_server.session.session import LOOKUPS
from warroom_server.session.signer import Identity, Signer

REF = 4_406_821_377_015_922


async def rotate(node: LittleNode, token: str) -> NotedConnection:
    """Come back with *token*, and make it void."""
    connection = node.connect()
    node.say(connection, Hello(REF, (1,), "Ada", token, rotate=True))
    await until(lambda: bool(connection.of(Welcome)))
    return connection


async def come_back(node: LittleNode, token: str) -> NotedConnection:
    """Come back with *token*, and wait for the answer."""
    connection = node.greet(token=token)
    await until(lambda: bool(connection.messages))
    return connection


async def test_a_rotated_token_lets_nobody_in(node: LittleNode) -> None:
    old = token_of(node.greet())
    new = token_of(await rotate(node, old))
    thief = await come_back(node, old)
    assert thief.of(Error)[0].code == codes.HELLO_TOKEN
    assert thief.closed == codes.CLOSE_HELLO
    assert (await come_back(node, new)).of(Welcome)[0].player == new.partition(".")[0]


async def test_a_thief_who_is_in_already_is_shown_out(node: LittleNode) -> None:
    stranger = node.greet()
    old = token_of(node.greet())
    thief = await come_back(node, old)
    await rotate(node, old)
    assert thief.closed == codes.CLOSE_ROTATED
    assert stranger.closed is None


async def test_a_thief_on_another_node_is_shown_out_when_the_connections_are_looked_through(
    new_node: Callable[..., Awaitable[LittleNode]], store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identities, "REVIEWED", 2)
    here, there = await new_node(name="node-a"), await new_node(name="node-b")
    ada = here.greet()
    room = await there.create(there.greet("Bob"))
    thief, phone, others = await come_back(there, token_of(ada)), there.greet("Phone"), [there.greet(), there.connect()]
    seat_token = Signer(SECRET).seat_token(room, Identity(ada.of(Welcome)[0].player))
    there.say(phone, Join(5, room, seat_token=seat_token))
    await until(lambda: bool(phone.of(Joined)))
    new = await rotate(here, token_of(ada))
    assert (thief.closed, phone.closed) == (None, None), "nobody has told this node yet"
    store.is_away = True
    with pytest.raises(UnavailableError):
        await there.tokens.review()
    store.is_away = False
    for _ in range(3):
        await there.tokens.review()
        await here.tokens.review()
    assert (thief.closed, phone.closed) == (codes.CLOSE_ROTATED, codes.CLOSE_ROTATED)
    assert [connection.closed for connection in (new, *others)] == [None, None, None]


async def test_a_rotated_token_rotates_nothing(node: LittleNode) -> None:
    old = token_of(node.greet())
    new = token_of(await rotate(node, old))
    thief = node.connect()
    node.say(thief, Hello(REF + 1, (1,), "Eve", old, rotate=True))
    await until(lambda: thief.closed is not None)
    assert (await come_back(node, new)).of(Welcome)


async def test_a_rotation_whose_answer_was_lost_can_be_asked_again(node: LittleNode) -> None:
    old = token_of(node.greet())
    assert token_of(await rotate(node, old)) == token_of(await rotate(node, old))


async def test_a_seat_token_dies_with_the_tokens_of_its_player(node: LittleNode) -> None:
    ada = node.greet()
    room = await node.create(ada)
    joined = await node.join(ada, room)
    assert isinstance(joined, Joined)
    phone, thief = node.greet("Phone"), node.greet("Thief")
    node.say(phone, Join(5, room, seat_token=joined.seat_token))
    await until(lambda: bool(phone.of(Joined)))
    await rotate(node, token_of(ada))
    assert phone.closed == codes.CLOSE_ROTATED
    node.say(thief, Join(5, room, seat_token=joined.seat_token))
    await until(lambda: bool(thief.of(Error)))
    assert thief.of(Error)[0].code == codes.SEAT_TOKEN


async def test_whoever_comes_back_waits_for_a_store_that_is_away(node: LittleNode, store: FickleStore) -> None:
    token = token_of(node.greet())
    store.is_away = True
    connection = node.greet(token=token)
    node.say(connection, Ping(9))
    await node.settle()
    assert connection.messages == []
    store.is_away = False
    await until(lambda: len(connection.messages) == 2)
    assert isinstance(connection.messages[0], Welcome)
    assert connection.of(Pong) == [Pong(9)]


async def test_whoever_comes_back_is_told_in_time_that_the_store_is_away(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    token = token_of(node.greet())
    store.is_away = True
    connection = node.greet(token=token)
    await node.settle()
    time.advance(PATIENCE_MS)
    await until(lambda: connection.closed is not None)
    assert connection.closed == codes.CLOSE_INTERNAL, "a client that is closed so comes again"
    assert [(refused.ref, refused.code) for refused in connection.of(Error)] == [(0, codes.STORE_UNAVAILABLE)]


async def test_whoever_joins_with_a_seat_token_waits_a_while_for_a_store_that_is_away(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    phone, room = node.greet("Phone"), 77
    store.is_away = True
    for ref in range(LOOKUPS):
        node.say(phone, join(ref, room))
    await node.settle()
    time.advance(PATIENCE_MS - 1)
    await node.settle()
    assert phone.of(Error) == []
    time.advance(1)
    await until(lambda: len(phone.of(Error)) == LOOKUPS)
    assert {refused.code for refused in phone.of(Error)} == {codes.STORE_UNAVAILABLE}
    store.is_away = False
    node.say(phone, join(99, room))
    await until(lambda: phone.of(Error)[-1].ref == 99)
    assert phone.of(Error)[-1].code == codes.ROOM_UNKNOWN


async def test_a_bug_in_looking_a_token_up_is_answered(
    node: LittleNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stumble(players: list[str]) -> list[int]:
        raise ZeroDivisionError("planted")

    token, phone = token_of(node.greet()), node.greet("Phone")
    monkeypatch.setattr(store, "generations", stumble)
    node.say(phone, join(5, 77))
    await until(lambda: bool(phone.of(Error)))
    assert [(refused.ref, refused.code) for refused in phone.of(Error)] == [(5, codes.INTERNAL)]
    assert phone.closed is None
    ada = await come_back(node, token)
    assert [refused.code for refused in ada.of(Error)] == [codes.INTERNAL]
    assert ada.closed == codes.CLOSE_INTERNAL


def join(ref: int, room: int) -> Join:
    """Return a join with somebody else's seat token."""
    return Join(ref, room, seat_token=Signer(SECRET).seat_token(room, Identity("ada", 0)))
