"""What plain GETs show."""

import gzip
import json
import re
from collections.abc import Awaitable
from hashlib import sha256
from urllib.parse import urlencode

import msgspec
import pytest
from ferries_game import GAME as FERRIES
from jsonschema import Draft202012Validator
from manual_time import ManualTime
from protocol_document import REFERENCE, SCHEMAS
from small_node import FickleStore, LittleNode, hire
from wait_until import until

from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_games.thardferr.rules import GAME as THARDFERR
from warroom_protocol.messages import Ended
from warroom_protocol.rooms import room_code
from warroom_server.adapters.http.page_files import page_files
from warroom_server.lobby.catalog import Catalog
from warroom_server.lobby.room_lists import KEPT_MS
from warroom_server.ports.connections import HttpResponse


async def get(node: LittleNode, path: str, query: str = "") -> HttpResponse:
    answer = node.pages.answer(path, query)
    return await answer if isinstance(answer, Awaitable) else answer


async def test_the_status_page_lists_games_and_rooms(node: LittleNode) -> None:
    empty = await get(node, "/")
    assert b"No rooms are open." in empty.body
    room, _ = await node.table()
    node.time.advance(KEPT_MS)
    page = await get(node, "/")
    assert (page.status, page.content_type) == (200, "text/html; charset=utf-8")
    assert b"Sealed Bids" in page.body
    assert room_code(room).encode() in page.body
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]


async def test_health_and_readiness(node: LittleNode) -> None:
    assert (await get(node, "/healthz")).status == 200
    assert (await get(node, "/readyz")).status == 200
    node.reclaim.lose()
    assert (await get(node, "/readyz")).status == 503
    assert (await get(node, "/healthz")).status == 200


async def test_the_lists_are_json_with_names(node: LittleNode) -> None:
    room, _ = await node.table()
    assert await node.listed() == [room]
    games = json.loads((await get(node, "/api/games")).body)["games"]
    rooms = json.loads((await get(node, "/api/rooms")).body)
    assert [game["game"] for game in games] == ["graph_battle", "sealed_bids"]
    assert [(listed["room"], listed["phase"], listed["taken"]) for listed in rooms] == [(room, "playing", 2)]
    assert json.loads((await get(node, "/api/rooms", "game=graph_battle")).body) == []
    assert len(json.loads((await get(node, "/api/rooms", "game=sealed_bids")).body)) == 1
    assert json.loads((await get(node, "/api/rooms", f"before={room_code(room)}")).body) == []
    nowhere = await get(node, "/api/rooms", "before=0000000")
    assert (nowhere.status, nowhere.body) == (404, b"before: there is no room 0000000 any more\n")


async def test_while_the_store_is_away_lists_say_so(node: LittleNode, store: FickleStore) -> None:
    store.is_away = True
    for path in ("/", "/api/rooms"):
        answer = await get(node, path)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1")


async def test_the_games_come_with_every_schema_and_are_kept_by_whoever_asked(node: LittleNode) -> None:
    answer = await get(node, "/api/games")
    found = json.loads(answer.body)
    graph, bids = found["games"]
    assert graph["views"]["public"]["$ref"] == "#/$defs/Table"
    assert graph["views"]["private"]["type"] == "null"
    assert bids["views"] == {"public": True, "private": True}
    assert "turn_ms" in found["room_options"]["$defs"]["RoomOptions"]["properties"]
    assert answer.compressed is not None
    assert gzip.decompress(answer.compressed) == answer.body
    assert await get(node, "/api/games") is answer, "nothing is made anew as long as nothing changes"
    hire(node)
    await until(lambda: node.pages.answer("/api/games", "") is not answer)
    assert (await get(node, "/api/games")).headers["ETag"] != answer.headers["ETag"]


async def test_all_games_that_are_shipped_take_little_room() -> None:
    catalog = Catalog(load_games())
    assert len(gzip.compress(catalog.json)) < 12_000


async def test_the_schemas_are_the_committed_ones_and_those_of_the_installed_games(store: FickleStore) -> None:
    fresh = LittleNode(store, ManualTime(), games=[*load_games(), FERRIES])
    index = await get(fresh, "/api/schema")
    assert (index.status, index.content_type) == (200, "application/json")
    paths = json.loads(index.body)
    for path in paths:
        found = await get(fresh, f"/api/schema/{path}")
        kind = "vnd.aai.asyncapi" if path == "asyncapi.json" else "schema"
        assert (found.status, found.content_type) == (200, f"application/{kind}+json")
        assert found.compressed is not None
        assert gzip.decompress(found.compressed) == found.body
        assert found.headers["ETag"] == f'"{sha256(found.body).hexdigest()[:20]}"'
        assert found.headers["Access-Control-Allow-Origin"] == "*"
        if (SCHEMAS / path).exists():
            assert found.body == (SCHEMAS / path).read_bytes()
    committed = {path.relative_to(SCHEMAS).as_posix() for path in SCHEMAS.rglob("*.json")} - {"index.json"}
    of_ferries = {f"games/ferries/{name}.json" for name in ("options", "actions", "public", "private", "events")}
    assert set(paths) == committed | of_ferries


async def test_the_lists_have_the_schemas_of_the_messages(node: LittleNode) -> None:
    rooms = [await node.table(rounds=1), await node.table()]
    for number, player in enumerate(rooms[0][1]):
        node.act(player, rooms[0][0], number)
        await node.settle()
    definitions = json.loads((SCHEMAS / "server.json").read_text())["$defs"]
    for path, part in (("/api/rooms", "RoomListing"), ("/api/matches", "MatchSummary")):
        listed = json.loads((await get(node, path)).body)
        assert len(listed) == 1
        Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": definitions}).validate(listed[0])


async def test_a_schema_that_does_not_exist_is_answered_with_those_that_do(node: LittleNode) -> None:
    for path in ("games/chess/actions.json", "../../etc/passwd", "client", "x" * 5_000):
        wrong = await get(node, f"/api/schema/{path}")
        assert wrong.status == 404
        assert wrong.body.startswith(f"no schema {path[:100]!r}; there are asyncapi.json, ".encode())
        assert b" games/sealed_bids/events.json" in wrong.body
        assert wrong.body.count(b"\n") == 1
    assert (await get(node, "/api/schema/")).body == (await get(node, "/api/schema")).body


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/api/games", "/api/rooms", "/api/matches"])
async def test_every_page_is_in_the_document(path: str, node: LittleNode) -> None:
    assert (await get(node, path)).status == 200
    assert f"| `{path}` | " in REFERENCE.read_text()


async def test_every_path_in_the_document_has_a_page(node: LittleNode) -> None:
    section = REFERENCE.read_text().split("## HTTP")[1].split("\n## ")[0]
    paths = [
        path
        for path in re.findall(r"^\| `(/[^`]*)`", section, re.MULTILINE)
        if not re.search("CODE|CALCULATION|SCHEMA", path)
    ]
    files = page_files([])
    named = [path for path in paths if not path.startswith(("/api/rules/", "/boards/")) and path not in files]
    assert [(await get(node, path)).status for path in named] == [200] * 8
    assert {"/api/boards", "/"} <= files.keys()


async def test_a_game_calculates_for_whoever_asks(store: FickleStore) -> None:
    fresh = LittleNode(store, ManualTime(), games=[THARDFERR])
    path, side = "/api/games/thardferr/battle", {"race": "orc", "army": {"Rusher": 9}}
    fought = await get(fresh, path, urlencode({"battle": json.dumps({"attacker": side, "defender": side})}))
    assert (fought.status, fought.content_type) == (200, "application/json")
    assert json.loads(fought.body)["winner"] == "draw"
    wrong = await get(fresh, path, "battle=7")
    assert (wrong.status, wrong.body) == (400, b"the battle must be a map, got 7\n")
    assert [(await get(fresh, f"/api/games/{name}")).status for name in ("thardferr/luck", "no/battle")] == [404, 404]


async def test_files_come_before_everything_else(store: FickleStore) -> None:
    file = HttpResponse(200, b"page")
    fresh = LittleNode(store, ManualTime(), files={"/": file})
    assert await get(fresh, "/") is file
    status = await get(fresh, "/status")
    assert b"Graph Battle" in status.body


async def test_the_replay_of_a_finished_match_can_be_fetched(node: LittleNode) -> None:
    room, players = await node.table(rounds=1)
    path = f"/api/replays/{room_code(room).upper()}"
    running = await get(node, path)
    assert (running.status, b"is not over" in running.body) == (404, True)
    for number, player in enumerate(players):
        node.act(player, room, number)
        await node.settle()
    found = await get(node, path)
    assert found.status == 200
    assert found.body.startswith(b"WARROOM")
    assert room_code(room) in found.headers["Content-Disposition"]


async def test_the_server_runs_a_finished_match_again_for_whoever_asks(node: LittleNode) -> None:
    room, players = await node.table(rounds=1)
    path = f"/api/replays/{room_code(room)}"
    assert (await get(node, f"{path}/verify")).status == 404
    for number, player in enumerate(players):
        node.act(player, room, number)
        await node.settle()
    found = json.loads((await get(node, f"{path}/verify")).body)
    whole = verify((await get(node, path)).body, node.registry)
    assert found["accepted"] is True
    assert (found["room"], found["chain"]) == (room_code(room), whole.chain.hex())
    assert chain_over((await get(node, path)).body, found["states"]) == whole.chain
    assert (await get(node, "/api/replays/not-a-code/verify")).status == 404


def chain_over(replay: bytes, states: list[str]) -> bytes:
    """Compute the chain as somebody who knows the document and no rules."""
    links = msgspec.msgpack.decode(replay[9:])[1]
    chain = bytes(32)
    for (entry, _), state in zip(links, states, strict=True):
        chain = sha256(chain + entry + bytes.fromhex(state)).digest()
    return chain


async def test_the_replay_is_there_as_soon_as_the_end_is_told(node: LittleNode) -> None:
    for ref in range(5):
        players = [node.greet(), node.greet()]
        room = await node.create(players[0], ref=ref, rounds=1)
        for player in players:
            await node.join(player, room)
        await node.settle()
        for number, player in enumerate(players):
            node.act(player, room, number)
        await until(lambda player=players[0]: bool(player.of(Ended)))
        assert (await get(node, f"/api/replays/{room_code(room)}")).status == 200


async def test_a_replay_that_cannot_be_stored_yet_is_to_be_asked_for_later(
    node: LittleNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.archive.match_reader.WAIT_S", 0.01)
    room, players = await node.table(rounds=1)
    store.unarchivable = {room}
    for number, player in enumerate(players):
        node.act(player, room, number)
        await node.settle()
    answer = await get(node, f"/api/replays/{room_code(room)}")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "1")


async def test_pages_are_made_once_for_all_who_ask_at_a_time(node: LittleNode) -> None:
    for path in ("/", "/api/rooms", "/api/games"):
        assert (await get(node, path)).body is (await get(node, path)).body


async def test_a_replay_is_not_to_be_had_while_the_store_is_away(node: LittleNode, store: FickleStore) -> None:
    store.is_away = True
    assert (await get(node, "/api/replays/0000000")).status == 503


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/nothing", id="unknown"),
        pytest.param("/api/replays/", id="no code"),
        pytest.param("/api/replays/not-a-code", id="no code of a room"),
        pytest.param("/api/replays/%ff%00", id="no text"),
        pytest.param("/api/replays/0000000/../..", id="a path"),
    ],
)
async def test_everything_else_is_not_found(node: LittleNode, path: str) -> None:
    assert (await get(node, path)).status == 404
