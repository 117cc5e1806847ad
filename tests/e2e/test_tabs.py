"""One seat on several connections: all get its frames, any may act; and what becomes of tokens that were stolen."""

import secrets
from collections.abc import Callable

import msgpack
import pytest
from independent_client import Message, Stranger
from raw_websocket import RawLine
from server_process import ServerProcess
from websockets.exceptions import ConnectionClosed

IN_ORDER = {"turn_ms": 60_000, "seating": "as_joined"}
OF_THE_SEAT = ("private", "update", "prompt")
VERDICTS = ("verdict",)


def _frames(stranger: Stranger, names: tuple[str, ...] = OF_THE_SEAT) -> list[Message]:
    """Return what came for the seat since the last look."""
    stranger.ask("ping")
    frames = [message for message in stranger.inbox if message[0] in names]
    stranger.inbox.clear()
    return frames


def test_two_tabs_hold_one_seat_and_either_may_act(newcomer: Callable[..., Stranger]) -> None:
    ada, bob, phone = newcomer("Ada"), newcomer("Bob"), newcomer("somebody's phone")
    room = ada.ask("create", "sealed_bids", 2, {"rounds": 2, "cards": 4, "peeks": 1}, IN_ORDER)[2]
    joined = ada.ask("join", room, None, None, None)
    again = phone.ask("join", room, None, joined[6], None)
    assert again[:1] + again[2:] == joined[:1] + joined[2:]
    for tab in (ada, phone):
        _frames(tab)
    assert bob.ask("join", room, None, None, None)[5] == 1
    bob.await_message("prompt")
    opening = _frames(ada)
    assert [message[0] for message in opening] == list(OF_THE_SEAT)
    assert _frames(phone) == opening
    low, high = opening[0][5][0][1]["hand"]

    assert ada.act(room, 1, 1, {"type": "peek"})[3] is None
    peeked = _frames(ada)
    assert [message[0] for message in peeked] == ["private", "prompt"]
    assert _frames(phone) == peeked
    assert phone.act(room, 2, 2, {"type": "bid", "card": low})[3] is None
    assert [message[0] for message in _frames(ada)] == ["private"]
    assert phone.act(room, 1, 1, {"type": "peek"})[3:5] == [None, None]
    assert ada.act(room, 3, 2, {"type": "bid", "card": high})[3] == "act.stale"

    phone.close()
    assert bob.act(room, 1, 1, bob.ask("legal", room)[5][0])[3] is None
    assert [message[0] for message in _frames(ada)] == list(OF_THE_SEAT)
    assert ada.act(room, 4, 3, {"type": "bid", "card": high})[3] is None


def test_a_seat_token_leads_to_its_own_room_and_seat_alone(newcomer: Callable[..., Stranger]) -> None:
    ada, thief = newcomer("Ada"), newcomer("Mallory")
    rooms = [ada.ask("create", "sealed_bids", 2, {}, IN_ORDER)[2] for _ in range(2)]
    token = ada.ask("join", rooms[0], None, None, None)[6]
    changed = token[:-1] + ("A" if token[-1] != "A" else "B")
    assert thief.ask("join", rooms[1], None, token, None)[2] == "seat.token"
    assert thief.ask("join", rooms[0], None, changed, None)[2] == "seat.token"
    assert thief.ask("join", rooms[0], None, ada.token, None)[2] == "seat.token"
    assert thief.ask("join", rooms[0], None, token, None)[5] == 0


def _bids(tab: Stranger, room: int) -> list[object]:
    """Return the bids that a seat may make."""
    legal = tab.ask("legal", room)[5]
    return [action for action in legal if action["type"] == "bid"]


def test_two_tabs_and_a_phone_see_the_same_and_each_action_has_one_verdict(newcomer: Callable[..., Stranger]) -> None:
    ada, bob, phone = newcomer("Ada"), newcomer("Bob"), newcomer("a phone")
    tab = newcomer("Ada", ada.token)
    room = ada.ask("create", "sealed_bids", 2, {"rounds": 3, "cards": 6}, IN_ORDER)[2]
    seat_token = ada.ask("join", room, None, None, None)[6]
    tab.ask("join", room, None, None, None)
    phone.ask("join", room, None, seat_token, None)
    devices = (ada, tab, phone)
    for device in devices:
        _frames(device)
    bob.ask("join", room, None, None, None)
    for number, device in enumerate(devices, start=1):
        bob.await_message("prompt")
        seen = [_frames(each) for each in devices]
        assert seen[0] == seen[1] == seen[2] != []
        turn = next(message for message in seen[0] if message[0] == "prompt")[3]
        bid = _bids(device, room)[0]
        assert device.act(room, number, turn, bid)[3] is None
        late = devices[number % len(devices)]
        assert late.act(room, 10 * number, turn, bid)[3] == "act.stale"
        assert bob.act(room, number, number, _bids(bob, room)[0])[3] is None
    assert {device.await_message("ended")[0] for device in devices} == {"ended"}
    for device in devices:
        assert device.act(room, 1, 1, {"type": "peek"})[3] is None, "the verdict of an id is the same on every device"
        assert _frames(device, VERDICTS) == []


def test_a_device_that_lost_its_line_resumes_while_the_others_play_on(newcomer: Callable[..., Stranger]) -> None:
    ada, bob, phone = newcomer("Ada"), newcomer("Bob"), newcomer("a phone")
    room = ada.ask("create", "sealed_bids", 2, {"rounds": 3, "cards": 6}, IN_ORDER)[2]
    joined = ada.ask("join", room, None, None, None)
    phone.ask("join", room, None, joined[6], None)
    bob.ask("join", room, None, None, None)
    phone.await_message("prompt")
    verdict = phone.act(room, 1, 1, {"type": "peek"})
    position = [joined[4], verdict[5], verdict[6]]
    phone.close()
    _frames(ada)
    assert ada.act(room, 2, 2, _bids(ada, room)[0])[3] is None
    assert bob.act(room, 1, 1, _bids(bob, room)[0])[3] is None
    missed = _frames(ada)
    again = newcomer("the same phone")
    assert again.ask("join", room, None, joined[6], position)[0] == "resumed"
    *frames, prompt = _frames(again)
    assert frames == missed[:-1]
    assert prompt[:4] + prompt[5:] == missed[-1][:4] + missed[-1][5:], "only the time has gone on"
    assert again.act(room, 2, 2, {"type": "peek"})[3] is None, "accepted on the other device"
    assert again.act(room, 3, 3, _bids(again, room)[0])[3] is None


def test_what_was_stolen_is_worth_nothing_after_a_rotation(
    newcomer: Callable[..., Stranger], shared_server: ServerProcess
) -> None:
    ada, bob, phone, thief = (newcomer(name) for name in ("Ada", "Bob", "a phone", "Mallory"))
    burglar = newcomer("Ada", ada.token)
    room = ada.ask("create", "sealed_bids", 2, {}, IN_ORDER)[2]
    seat_token = ada.ask("join", room, None, None, None)[6]
    for device in (phone, burglar):
        assert device.ask("join", room, None, None if device is burglar else seat_token, None)[5] == 0
    bob.ask("join", room, None, None, None)
    with RawLine(shared_server.port) as line:
        line.shake_hands()
        ref, rotation = 2**32 + secrets.randbits(48), ([1], "Ada", ada.token, "", True)
        line.say("hello", ref, *rotation)
        token = line.hear_of("welcome")[4]
    assert [device.close_code() for device in (ada, burglar, phone)] == [4005] * 3
    for stolen in ((1, [1], "Ada", ada.token), (ref + 1, *rotation)):
        with RawLine(shared_server.port) as line:
            line.shake_hands()
            line.say("hello", *stolen)
            assert line.hear()[2] == "hello.token"
            assert line.close_code() == 4001
    assert thief.ask("join", room, None, seat_token, None)[2] == "seat.token"
    with pytest.raises(ConnectionClosed):
        burglar.socket.send(msgpack.packb(["act", room, 1, 1, {"type": "peek"}]))
    owner = newcomer("Ada", token)
    assert owner.ask("join", room, None, None, None)[5] == 0
    assert owner.act(room, 1, 1, {"type": "peek"})[3] is None
