"""`warroom top` merges the status of nodes, and shows it once or continuously."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from independent_client import Stranger
from server_process import WARROOM, ServerProcess

from warroom_server.cli import main
from warroom_server.commands.top import merged, table
from warroom_server.node.status_report import NodeStatus, RoomStatus, Status

HERE = NodeStatus(node="aaaaaaaaaaaaaaaa", address="ws://a/link", rooms=2, connections=7, store_ms=0.5, stalls=3)
HERE_FROM_THERE = NodeStatus(node="aaaaaaaaaaaaaaaa", address="ws://a/link", rooms=2, link_ms=4)
THERE = NodeStatus(node="bbbbbbbbbbbbbbbb", address="ws://b/link", rooms=1, connections=1, is_sure=False)
THERE_FROM_HERE = NodeStatus(node="bbbbbbbbbbbbbbbb", address="ws://b/link", rooms=1, link_ms=4)
ROOM = RoomStatus(
    code="room111", node=HERE.node, game="strata", phase="playing", connected=1, seats=2, watching=5, lag_ms=30
)
STILL = RoomStatus(
    code="room222", node=HERE.node, game="strata", phase="playing", connected=0, seats=2, watching=0, paused="store"
)
OTHERS = RoomStatus(code="room333", node=THERE.node)
SAME = RoomStatus(code="room333", node=THERE.node, game="strata", phase="lobby", connected=1, seats=2, watching=0)
FROM_HERE = Status(HERE.node, (HERE, THERE_FROM_HERE), (ROOM, STILL, OTHERS))
FROM_THERE = Status(THERE.node, (THERE, HERE_FROM_THERE), (SAME, RoomStatus(code="room111", node=HERE.node)))


@pytest.mark.parametrize("order", [(FROM_HERE, FROM_THERE), (FROM_THERE, FROM_HERE)])
def test_every_node_is_believed_about_itself_and_its_rooms(order: tuple[Status, Status]) -> None:
    status = merged(order)
    assert set(status.nodes) == {HERE, THERE}
    assert set(status.rooms) == {ROOM, STILL, SAME}


def test_one_node_tells_of_the_others_what_it_knows() -> None:
    assert table(merged([FROM_HERE]), rooms=10).splitlines() == [
        "NODE      ADDRESS      ROOMS  CONNS  LINK  STORE   STALLS",
        "aaaaaaaa  ws://a/link  2      7      -     0.5 ms  3",
        "bbbbbbbb  ws://b/link  1      -      4 ms  -       -",
        "",
        "ROOM     OWNER     GAME    PHASE    SEATS  WATCHING  LAG    PAUSED",
        "room222  aaaaaaaa  strata  playing  0/2    0         -      store",
        "room111  aaaaaaaa  strata  playing  1/2    5         30 ms",
        "room333  bbbbbbbb  -       -        -      -         -",
    ]


def test_hidden_rooms_are_counted_and_trouble_is_shown() -> None:
    troubled = Status(HERE.node, (THERE,), (ROOM, STILL, SAME), "the store is away")
    shown = table(merged([troubled]), rooms=1).splitlines()
    assert shown[1].endswith("lease uncertain")
    assert shown[-2:] == ["and 2 more", "incomplete: the store is away"]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    running = ServerProcess(tmp_path, redis="memory://")
    running.start()
    yield running
    running.close()


def test_a_running_server_is_shown(server: ServerProcess) -> None:
    admin = f"http://127.0.0.1:{server.admin_port}"
    with closing(Stranger(server.url, "Ada")) as ada:
        created = ada.ask("create", "strata", 2, {}, {})
        ada.ask("join", created[2], None, None, None)
        command = [str(WARROOM), "top", "--admin", admin]
        told = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
        shown = subprocess.run(command, capture_output=True, text=True, check=True)
    status = json.loads(told.stdout)
    (node,), (room,) = status["nodes"], status["rooms"]
    assert (node["node"], node["rooms"], node["connections"], node["is_sure"]) == (status["teller"], 1, 1, True)
    assert (room["code"], room["node"], room["game"], room["phase"]) == (created[3], node["node"], "strata", "lobby")
    assert (room["connected"], room["seats"], room["paused"]) == (1, 2, None)
    assert created[3] in shown.stdout


@pytest.mark.parametrize(
    ("url", "code", "says"),
    [
        pytest.param("http://127.0.0.1:1", 1, "no status from http://127.0.0.1:1", id="nobody there"),
        pytest.param("127.0.0.1:8001", 2, "is not an admin port, such as http://127.0.0.1:8001", id="no URL"),
    ],
)
def test_a_port_that_does_not_answer_is_named(
    url: str, code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["top", "--once", "--admin", url]) == code
    assert says in capsys.readouterr().err
