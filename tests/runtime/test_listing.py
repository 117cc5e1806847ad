"""Listings: made once in a while, however many ask."""

import pytest
from manual_time import ManualTime

from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import RoomList, RoomListing
from warroom_protocol.rooms import room_code
from warroom_server.runtime.listing import KEPT_MS, Listings

GAMES = ("chess", "go")


def listed(number: int, game: str = "chess") -> RoomListing:
    return RoomListing(
        room=number, code=room_code(number), game=game, phase="lobby", seats=2, taken=0, watching=0, turn_ms=1_000
    )


class Provider:
    """Thousands of rooms, and how often somebody went through them."""

    def __init__(self) -> None:
        self.rooms = [listed(number, GAMES[number % 2]) for number in range(5_000)]
        self.asked: list[str | None] = []

    def listing(self, game: str | None) -> tuple[RoomListing, ...]:
        self.asked.append(game)
        return tuple(room for room in self.rooms if game in (None, room.game))[:100]


@pytest.fixture
def provider() -> Provider:
    """Return what knows the rooms."""
    return Provider()


def listings(provider: Provider, time: ManualTime) -> Listings:
    return Listings(provider.listing, games=GAMES, clock=time)


def test_a_burst_of_requests_goes_through_the_rooms_once(provider: Provider, time: ManualTime) -> None:
    lists = listings(provider, time)
    answers = {lists.get().message(9) for _ in range(180)}
    assert len(answers) == 1
    assert provider.asked == [None]
    assert lists.get().json is lists.get().json


def test_the_answer_is_what_the_wire_has(provider: Provider, time: ManualTime) -> None:
    listing = listings(provider, time).get("go")
    for ref in (0, 200, 2**53 - 1):
        assert listing.message(ref) == encode(RoomList(ref, listing.rooms))
    assert decode_server(listing.message(7)) == RoomList(7, listing.rooms)


def test_a_listing_is_made_anew_when_it_is_old(provider: Provider, time: ManualTime) -> None:
    lists = listings(provider, time)
    before = lists.get()
    time.advance(KEPT_MS - 1)
    assert lists.get() is before
    provider.rooms.clear()
    time.advance(1)
    assert lists.get().rooms == ()


def test_names_that_are_no_games_cost_nothing(provider: Provider, time: ManualTime) -> None:
    lists = listings(provider, time)
    assert {lists.get(f"game {number}").message(1) for number in range(100)} == {encode(RoomList(1, ()))}
    assert lists.get("x").json == b"[]\n"
    assert provider.asked == []
