"""Getting into a Redis server: with TLS, and as a user who may do no more than docs/OPERATIONS.md says."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from appends import request
from redis_server import free_port, redis_server
from redis_topologies import RedisCluster

from warroom_server.adapters.redis.listings import RedisListings
from warroom_server.adapters.redis.records import RedisRecords
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.listings import ListedRoom, OpenRoom, QuickAnswer, QuickRequest
from warroom_server.ports.records import MatchRecord, RatingChange
from warroom_server.ports.store import Committed, Trouble, UnavailableError

OPERATIONS = Path(__file__).parents[3] / "docs" / "OPERATIONS.md"


def documented_rights() -> list[str]:
    """Return what the documented user may do, word by word."""
    [line] = re.findall(r"ACL SETUSER warroom on >PASSWORD (.*)", OPERATIONS.read_text())
    return str(line).split()


async def use_everything(url: str) -> None:
    """Ask a store everything that a server asks."""
    store, records, directory = RedisStore(url), RedisRecords(url), RedisListings(url)
    await store.start()
    await store.secret(b"secret")
    await store.renew("node-a", "", lease_ms=60_000)
    for room in range(1, 7):
        assert await store.create(request(room, 1))
    assert await store.append([request(room, 2) for room in range(1, 7)]) == [Committed(2)] * 6
    assert await store.append([request(9, 1, before=b"")]) == [Committed(1)]
    await store.save(1, "node-a", 1, rev=2, snapshot=b"snapshot")
    assert await store.load(1) is not None
    assert len(await store.log(1)) == 2
    assert await store.orphans() == []
    assert len(await store.nodes()) == 1
    assert await store.claim([(2, "node-a", 1)], "node-b") == [2]
    await store.archive(1, "node-a", 1, replay=b"match", ended_ms=5, keep_s=60)
    assert await store.replay(1) is not None
    assert await store.rotate("ada", 0, 7)
    assert await store.generations(["ada"]) == [1]
    await store.release("node-a")
    await records.publish(MatchRecord(1, "bids", ("ada",), 5, b"summary", b"result", True), keep_s=60)
    assert await records.matches(game=None, player=None, before=None, limit=5) == [b"summary"]
    assert [result.room async for result in records.results()] == [1]
    assert await records.rate(1, "bids", [RatingChange("ada", None, b"rating", 1)], keep_s=60)
    assert await records.ranking("bids", offset=0, limit=5) == (1, [("ada", b"rating")])
    await directory.publish(
        "node-a", [ListedRoom(3, 1, 5, ("all",), b"listing"), ListedRoom(4, 1, 5, ("all",), b"")], [4]
    )
    await directory.publish("node-a", [], [4])
    assert await directory.find(["all"], before=4, owners=["node-a"], limit=5) == [b"listing"]
    assert (await directory.owners(), await directory.rooms_of("node-a")) == (["node-a"], [3])
    await directory.publish_open("kind", "node-a", [OpenRoom(3, 1, 2), OpenRoom(4, 1, 1)], [])
    asked = QuickRequest(player="ada", ref=1, room=9, owner="node-a", seats=2, owners=["node-a"])
    assert await directory.quick_match("kind", asked) == QuickAnswer("join", 4)
    await directory.publish_open("kind", "node-a", [OpenRoom(3, 1, 1, ("ada",))], [4])
    for kept in (store, records, directory):
        await kept.close()


async def test_the_documented_user_may_do_all_that_is_needed() -> None:
    with redis_server() as server:
        server.raw("ACL", "SETUSER", "warroom", "on", ">PASSWORD", *documented_rights())
        await use_everything(f"redis://warroom:PASSWORD@127.0.0.1:{server.port}")


async def test_the_documented_user_will_do_for_a_cluster(cluster: RedisCluster) -> None:
    for server in cluster.servers:
        server.raw("ACL", "SETUSER", "warroom", "on", ">PASSWORD", *documented_rights())
    await use_everything(cluster.url.replace("://", "://warroom:PASSWORD@"))


async def test_a_user_who_may_do_too_little_is_told_so() -> None:
    with redis_server() as server:
        server.raw("ACL", "SETUSER", "ada", "on", ">secret", "~warroom:*", "+@all", "-info")
        with pytest.raises(UnavailableError, match=r"refused the name or password: .*info"):
            await RedisStore(f"redis://ada:secret@127.0.0.1:{server.port}").start()


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """Return a certificate for this machine that vouches for itself, and its key."""
    openssl = shutil.which("openssl")
    assert openssl, "this test needs openssl: install it with the system's package manager"
    paths = tmp_path / "redis.crt", tmp_path / "redis.key"
    subprocess.run(
        [
            openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
            "-out", str(paths[0]), "-keyout", str(paths[1]),
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    return paths


async def test_a_server_with_tls_is_used_if_its_certificate_is_known(certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    port = free_port()
    files = ("--tls-cert-file", str(cert), "--tls-key-file", str(key))
    with redis_server("--tls-port", str(port), *files, "--tls-auth-clients", "no"):
        await use_everything(f"rediss://127.0.0.1:{port}?ssl_ca_certs={cert}")
        with pytest.raises(UnavailableError, match=r"(?i)certificate") as caught:
            await RedisStore(f"rediss://127.0.0.1:{port}").start()
        assert caught.value.trouble is Trouble.AWAY
