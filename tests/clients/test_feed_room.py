"""`follow_feed` of the SDK on a real broker: across breaks, to the end of a room, and without a room."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from feed_room import TOPICS, FedTable
from mosquitto import Mosquitto, mosquitto
from mqtt_subscriber import BrokerEar
from room_table import ALICE, BOB, ROOM
from sealed_bids import GAME, Bid

from warroom_client import ClientError, Disconnected, Ended, Reconnected, Updated, follow_feed
from warroom_protocol.canonical import canonical
from warroom_protocol.rooms import room_code
from warroom_server.feed.queue import SNAPSHOT_MS

OPTIONS: dict[str, object] = {"rounds": 4, "cards": 8, "peeks": 2}
PATIENCE_S = 30.0


class Studio:
    """A room whose feed is published to a real broker on demand."""

    def __init__(self, broker: Mosquitto) -> None:
        self.broker = broker
        self.table = FedTable(GAME, options=OPTIONS)
        self.publish()
        self.table.now = SNAPSHOT_MS
        for seat in (ALICE, BOB):
            self.table.join(seat)
        self.publish()

    def publish(self) -> None:
        with BrokerEar(self.broker.port) as voice:
            for publication in self.table.published():
                voice.say(publication.topic, publication.payload, retain=publication.retained)

    def publish_all(self) -> None:
        """Publish everything anew, as a server does when its broker is back."""
        self.table.queue.lost()
        self.table.queue.opened()
        self.publish()

    def play(self) -> None:
        for seat in (ALICE, BOB):
            self.table.act(seat, Bid(self.table.room.match.state.secrets[seat].hand[0]))

    @property
    def public(self) -> bytes:
        return canonical(GAME.public(self.table.room.match.state))


@pytest.fixture
def broker() -> Iterator[Mosquitto]:
    with mosquitto() as running:
        yield running


@pytest.fixture
def studio(broker: Mosquitto) -> Studio:
    return Studio(broker)


async def test_a_room_is_followed_to_its_end(studio: Studio) -> None:
    async with asyncio.timeout(PATIENCE_S), follow_feed(studio.broker.url, room_code(ROOM)) as room:
        assert room.about is not None
        assert (room.about.game, room.phase, room.turn) == ("sealed_bids", "playing", 1)
        assert canonical(room.public) == studio.public
        assert (room.name_of(ALICE), room.name_of(7)) == ("Alice", "seat 7")
        assert room.remaining_ms() is not None
        for _ in range(4):
            studio.play()
            await asyncio.to_thread(studio.publish)
        happened = [event async for event in room]
        assert sum(isinstance(event, Updated) for event in happened) == 4
        assert isinstance(happened[-1], Ended)
        assert canonical(room.public) == studio.public
        assert room.ended is not None
        with BrokerEar(studio.broker.port) as voice:
            voice.say(TOPICS.room(ROOM, "about"), b"", retain=True)
        assert [event async for event in room.afterwards()] == []


async def test_a_broker_that_breaks_off_is_waited_for(studio: Studio) -> None:
    async with asyncio.timeout(PATIENCE_S), follow_feed(studio.broker.url, ROOM) as room:
        studio.broker.kill()
        while not isinstance(await anext(room), Disconnected):
            pass
        studio.play()
        studio.broker.start()
        await asyncio.to_thread(studio.publish_all)
        while not isinstance(await anext(room), Reconnected):
            pass
        while canonical(room.public) != studio.public:
            await anext(room)


async def test_what_the_broker_does_not_have_is_said_so(broker: Mosquitto) -> None:
    with pytest.raises(ClientError, match="it has no data about the room"):
        async with follow_feed(broker.url, ROOM, patience_s=0.5):
            pass
    broker.kill()
    with pytest.raises(ClientError, match=r"cannot follow room .* refused"):
        async with follow_feed(broker.url, ROOM, patience_s=3.0):
            pass


async def test_a_wrong_password_is_reported_at_once(tmp_path: Path) -> None:
    with mosquitto("allow_anonymous false\n") as strict, pytest.raises(ClientError, match="refused"):
        async with follow_feed(f"mqtt://eve:secret@127.0.0.1:{strict.port}", ROOM):
            pass


@pytest.mark.parametrize("url", ["http://broker", "mqtt://eve:secret@broker:port"])
async def test_an_invalid_broker_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ClientError, match="expected mqtt://") as refused:
        async with follow_feed(url, ROOM):
            pass
    assert "secret" not in str(refused.value)


async def test_certificates_that_cannot_be_read_are_named() -> None:
    with pytest.raises(ClientError, match="/no/such/file"):
        async with follow_feed("mqtts://broker", ROOM, ca="/no/such/file"):
            pass
