"""One seat on two connections: both get its frames, either may act."""

from collections.abc import Callable

from stranger import Message, Stranger

IN_ORDER = {"turn_ms": 60_000, "seating": "as_joined"}
OF_THE_SEAT = ("private", "update", "prompt")


def _frames(stranger: Stranger) -> list[Message]:
    """Return what came for the seat since the last look."""
    stranger.ask("ping")
    frames = [message for message in stranger.inbox if message[0] in OF_THE_SEAT]
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
