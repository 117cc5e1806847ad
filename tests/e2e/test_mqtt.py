"""A server and a real broker: followed from the broker alone, killed, stopped, restarted, and with certificates."""

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import msgpack
import pytest
from certificates import make_certificate
from independent_client import Stranger, play_to_the_end
from interactive_program import program
from mosquitto import Mosquitto, mosquitto
from mqtt_subscriber import BrokerEar
from redis_server import RedisServer
from server_process import WARROOM, ServerProcess

from warroom_protocol.topics import Topics

NewServer = Callable[..., ServerProcess]
TOPICS = Topics()
GAME = "graph_battle"
QUICK = {"max_rounds": 3}
PATIENT = {"turn_ms": 60_000, "seating": "as_joined"}
BOT_KEY = "a key for the bots of tests"
PATIENCE_S = 60


@pytest.fixture
def broker() -> Iterator[Mosquitto]:
    with mosquitto() as running:
        yield running


@pytest.fixture
def ear(broker: Mosquitto) -> Iterator[BrokerEar]:
    with BrokerEar(broker.port, "warroom/#") as listening:
        yield listening


@pytest.fixture
def strangers() -> Iterator[Callable[[ServerProcess, str], Stranger]]:
    with ExitStack() as stack:

        def make(server: ServerProcess, name: str) -> Stranger:
            stranger = Stranger(server.url, name)
            stack.callback(stranger.close)
            return stranger

        yield make


def started(new_server: NewServer, broker: Mosquitto, *flags: str, **settings: str) -> ServerProcess:
    server = new_server(*flags, mqtt=broker.url, **settings)
    server.start()
    return server


def table(server: ServerProcess, strangers: Callable[..., Stranger]) -> tuple[int, str, list[Stranger]]:
    """Return a running match of two."""
    players = [strangers(server, name) for name in ("Ada", "Bob")]
    _, _, room, code, _ = players[0].ask("create", GAME, 2, QUICK, PATIENT)
    for player in players:
        assert player.ask("join", room, None, None, None)[0] == "joined"
    return room, code, players


def finish(room: int, players: list[Stranger]) -> list[Any]:
    with ThreadPoolExecutor(len(players)) as pool:
        endings = list(pool.map(lambda player: play_to_the_end(room, player), players))
    return endings[0]


def metric(server: ServerProcess, name: str) -> float:
    [line] = [line for line in server.metrics().splitlines() if line.startswith(f"warroom_feed_{name} ")]
    return float(line.split()[1])


def read(ear: BrokerEar, topic: str) -> Any:
    payload = ear.kept.get(topic)
    return None if payload is None else json.loads(payload)


def test_a_match_can_be_watched_from_the_broker_alone(
    new_server: NewServer, broker: Mosquitto, ear: BrokerEar, strangers: Callable[..., Stranger]
) -> None:
    server = started(new_server, broker)
    room, code, players = table(server, strangers)
    ear.until(lambda: (read(ear, TOPICS.room(room, "state")) or {}).get("phase") == "playing")
    command = [str(WARROOM), "watch", "--mqtt", broker.url, code]
    with program(command, within_s=PATIENCE_S) as watching:
        ending = finish(room, players)
        said, complaint = watching.communicate()
    assert (watching.returncode, complaint) == (0, "")
    winner = ("Ada", "Bob")[ending[2].index(1)]
    assert f"1. {winner}" in said.splitlines()[-1]
    # What is retained is the whole of the end, and every number came once.
    ear.until(lambda: (read(ear, TOPICS.room(room, "state")) or {}).get("ended"))
    numbers = [msgpack.unpackb(payload)[2] for payload in ear.of(TOPICS.update(room, 1))]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    ear.until(lambda: (read(ear, TOPICS.room(room, "json")) or {}).get("p") == numbers[-1])
    assert read(ear, TOPICS.room(room, "state"))["ended"]["ranks"] == ending[2]
    assert ear.until(lambda: ear.of(TOPICS.match(GAME, "ended")))
    assert ear.until(lambda: read(ear, TOPICS.ranking(GAME)))["size"] == 2
    assert metric(server, "published_total") > len(numbers)
    assert metric(server, "up") == 1


def test_a_room_that_the_broker_does_not_have_is_said_so(broker: Mosquitto) -> None:
    command = [str(WARROOM), "watch", "--mqtt", f"mqtt://127.0.0.1:{broker.port}"]
    usage = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert usage.returncode == 2
    assert "--mqtt needs a room code" in usage.stderr


def test_a_broker_that_is_killed_and_started_again_has_everything_within_seconds(
    new_server: NewServer, broker: Mosquitto, strangers: Callable[..., Stranger]
) -> None:
    server = started(new_server, broker)
    room, _, players = table(server, strangers)
    broker.kill()
    ending = finish(room, players)
    assert ending[0] == "ended"
    rooms = [table(server, strangers)[0] for _ in range(3)]
    os.kill(server.pid, signal.SIGSTOP)  # what it tells once is not retained: somebody has to listen before that
    broker.start()
    with BrokerEar(broker.port, "warroom/#") as ear:
        os.kill(server.pid, signal.SIGCONT)
        for number in rooms:
            ear.until(partial(read, ear, TOPICS.room(number, "json")), within_s=PATIENCE_S)
            assert read(ear, TOPICS.room(number, "state"))["phase"] == "playing"
        ended = ear.until(lambda: (read(ear, TOPICS.room(room, "state")) or {}).get("ended"))
        assert ended["ranks"] == ending[2]
        # What was told once waits for the broker, too.
        assert ear.until(lambda: ear.of(TOPICS.match(GAME, "ended")))
    assert metric(server, "failures_total") >= 1


def test_a_broker_that_stops_reading_holds_nobody_up(
    new_server: NewServer, broker: Mosquitto, strangers: Callable[..., Stranger]
) -> None:
    server = started(new_server, broker)
    room, _, players = table(server, strangers)
    broker.stop_reading()
    try:
        assert finish(room, players)[0] == "ended"
        other, _, _ = table(server, strangers)
    finally:
        broker.read_on()
    with BrokerEar(broker.port, "warroom/#") as ear:
        ear.until(lambda: read(ear, TOPICS.room(other, "json")))
        ear.until(lambda: (read(ear, TOPICS.room(room, "state")) or {}).get("ended"))


def test_a_killed_node_is_gone_by_its_will_and_its_numbers_go_on_under_the_next(
    new_server: NewServer, broker: Mosquitto, ear: BrokerEar, strangers: Callable[..., Stranger]
) -> None:
    server = started(new_server, broker)
    room, _, players = table(server, strangers)
    ear.until(lambda: read(ear, TOPICS.room(room, "json")))
    first = read(ear, TOPICS.room(room, "about"))["node"]
    assert ear.until(lambda: read(ear, TOPICS.node(first)))
    server.kill()
    ear.until(lambda: TOPICS.node(first) not in ear.kept)
    assert read(ear, TOPICS.room(room, "about"))["node"] == first
    server.start()
    ear.until(lambda: read(ear, TOPICS.room(room, "about"))["node"] != first)
    back = [Stranger(server.url, name, player.token) for name, player in zip(("Ada", "Bob"), players, strict=True)]
    for player in back:
        assert player.ask("join", room, None, None, None)[0] in ("joined", "resumed")
    finish(room, back)
    for player in back:
        player.close()
    ear.until(lambda: (read(ear, TOPICS.room(room, "state")) or {}).get("ended"))
    contents: dict[int, set[bytes]] = {}
    for payload in ear.of(TOPICS.update(room, 1)):
        contents.setdefault(msgpack.unpackb(payload)[2], set()).add(payload)
    assert all(len(payloads) == 1 for payloads in contents.values())
    assert server.stop() == 0
    second = read(ear, TOPICS.room(room, "about"))["node"]
    ear.until(lambda: TOPICS.node(second) not in ear.kept)
    # What it left of a match that is over is taken back by whoever comes next.
    assert TOPICS.room(room, "about") in ear.kept
    server.start()
    ear.until(lambda: not {TOPICS.room(room, part) for part in ("about", "state", "snapshot", "json")} & set(ear.kept))
    assert [json.loads(notice)["code"] for notice in ear.of(TOPICS.notice)] == ["server.draining"]


def test_of_two_nodes_the_owner_publishes_and_after_its_death_the_other_goes_on(
    new_server: NewServer, broker: Mosquitto, ear: BrokerEar, redis: RedisServer, strangers: Callable[..., Stranger]
) -> None:
    nodes = [started(new_server, broker, "--redis", redis.url) for _ in range(2)]
    ear.until(lambda: len([topic for topic in ear.kept if "/node/" in topic]) == 2)
    room, _, players = table(nodes[0], strangers)
    ear.until(lambda: (read(ear, TOPICS.room(room, "state")) or {}).get("phase") == "playing")
    first = read(ear, TOPICS.room(room, "about"))["node"]
    # The other node serves somebody who watches, and publishes nothing of the room.
    watcher = strangers(nodes[1], "Eve")
    assert watcher.ask("watch", room, None)[0] == "joined"
    nodes[0].kill()
    ear.until(lambda: read(ear, TOPICS.room(room, "about"))["node"] != first, within_s=PATIENCE_S)
    back = [Stranger(nodes[1].url, name, player.token) for name, player in zip(("Ada", "Bob"), players, strict=True)]
    for player in back:
        assert player.ask("join", room, None, None, None)[0] in ("joined", "resumed")
    finish(room, back)
    for player in back:
        player.close()
    ear.until(lambda: (read(ear, TOPICS.room(room, "state")) or {}).get("ended"))
    assert len(set(ear.of(TOPICS.room(room, "about")))) == 2
    contents: dict[int, set[bytes]] = {}
    numbers = [msgpack.unpackb(payload)[2] for payload in ear.of(TOPICS.update(room, 1))]
    for number, payload in zip(numbers, ear.of(TOPICS.update(room, 1)), strict=True):
        contents.setdefault(number, set()).add(payload)
    assert numbers == sorted(set(numbers))
    assert all(len(payloads) == 1 for payloads in contents.values())


def test_workers_hear_of_seats_and_one_of_them_has_each(
    new_server: NewServer, broker: Mosquitto, ear: BrokerEar, strangers: Callable[..., Stranger]
) -> None:
    server = started(new_server, broker, bot_key=BOT_KEY)
    environment = {**os.environ, "WARROOM_BOT_KEY": BOT_KEY}
    command = [str(WARROOM), "worker", "--mqtt", broker.url, "--url", server.url, "--think", "0", "--processes", "1"]
    workers = [subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) for _ in range(2)]
    try:
        ada = strangers(server, "Ada")
        _, _, room, _, _ = ada.ask("create", GAME, 3, QUICK, {**PATIENT, "fill_after_ms": 0})
        assert ada.ask("join", room, None, None, None)[0] == "joined"
        ear.until(lambda: (read(ear, TOPICS.room(room, "state")) or {}).get("phase") == "playing", within_s=PATIENCE_S)
        bots = [seat["bot"] for seat in read(ear, TOPICS.room(room, "state"))["seats"]]
        assert sorted(bot is not None for bot in bots) == [False, True, True]
        announced = [json.loads(payload) for payload in ear.of(TOPICS.wanted(GAME))]
        assert {frozenset(wanted) for wanted in announced} == {
            frozenset({"node", "room", "code", "game", "ticket", "bot", "claim_ms"})
        }
        assert BOT_KEY.encode() not in b"".join(payload for _, payload, _ in ear.heard)
    finally:
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
        codes = [worker.wait(timeout=PATIENCE_S) for worker in workers]
    assert codes == [0, 0]


def test_with_certificates_server_and_followers_trust_whom_they_are_told_to(
    new_server: NewServer, tmp_path: Path, strangers: Callable[..., Stranger]
) -> None:
    certificate, key = make_certificate(tmp_path)
    broker = Mosquitto(tmp_path, scheme="mqtts")
    broker.configuration = (
        f"listener {broker.port} 127.0.0.1\ncertfile {certificate}\nkeyfile {key}\nallow_anonymous true\n"
    )
    broker.start()
    try:
        server = started(new_server, broker, mqtt_ca=str(certificate), mqtt_prefix="games/warroom")
        room, code, players = table(server, strangers)
        command = [str(WARROOM), "watch", "--mqtt", broker.url, "--mqtt-prefix", "games/warroom", code]
        with program([*command, "--mqtt-ca", str(certificate)], within_s=PATIENCE_S) as watching:
            finish(room, players)
            said, complaint = watching.communicate()
        assert (watching.returncode, complaint) == (0, "")
        assert "Ada" in said
    finally:
        broker.kill()


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--mqtt", "http://broker"], "--mqtt: expected mqtt://"),
        (["--mqtt", "mqtt://ada:secret@broker:x"], "got another URL"),
        (["--mqtt", "mqtt://broker", "--mqtt-prefix", "a/#"], "--mqtt-prefix: expected levels"),
        (["--mqtt", "mqtts://broker", "--mqtt-ca", "/no/such/file"], "--mqtt-ca: cannot read certificates"),
    ],
)
def test_what_cannot_be_is_said_at_the_start(tmp_path: Path, flags: list[str], complaint: str) -> None:
    command = [str(WARROOM), "serve", "--port", "0", "--admin-port", "0", "--redis", "memory://", *flags]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False, cwd=tmp_path)
    assert refused.returncode in (1, 2)
    assert complaint in refused.stderr
    assert "secret" not in refused.stderr
