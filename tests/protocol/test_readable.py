"""The readable form of a message has every field by its name, and of what is inside it likewise."""

from warroom_protocol.messages import Clock, Position, Seats, SeatState, Update
from warroom_protocol.readable import named


def test_fields_have_their_names_at_every_depth() -> None:
    update = Update(7, 1, [[["row", 0], 2]], ({"type": "bid"},), Clock(5, 1, None, (3,)), None)
    assert named(update) == {
        "room": 7,
        "p": 1,
        "patch": [[["row", 0], 2]],
        "events": [{"type": "bid"}],
        "clock": {"at": 5, "turn": 1, "deadline": None, "banks": [3]},
        "sum": None,
    }
    seats = named(Seats(7, "lobby", None, (SeatState(0, None, "", connected=False, out=False),), 2))
    assert isinstance(seats["seats"], list)
    assert seats["seats"][0]["kept"] is None
    assert named(Position(1, 2, 3)) == {"life": 1, "p": 2, "q": 3}
