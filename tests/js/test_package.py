"""The JavaScript package as users get it: packed, installed into an empty project, and played with."""

import json
import re
import tarfile
from importlib.metadata import version
from pathlib import Path

import pytest
from js_project import JsProject
from node_packages import JS, MODULES, WEB, install, tool
from server_process import ServerProcess

README = (JS / "README.md").read_text(encoding="utf-8")
MAX_BYTES = 15_000
"""The limit of the whole package, compressed."""

SHORT: dict[str, dict[str, object]] = {
    "graph_battle": {"max_rounds": 6},
    "strata": {"max_turns": 16},
    "thardferr": {"max_turns": 5, "peace_rounds": 0},
    "tile_blitz": {"max_rounds": 6},
    "timberwall": {"max_turns": 16},
}
"""Every game, with options with which a match soon ends."""
WITHOUT_WEBSOCKET = "--no-experimental-websocket"
"""Makes Node like its version 20, which has no WebSocket."""


def test_the_sources_pass_their_own_tests() -> None:
    install()
    tool(JS, "vitest", "run")


@pytest.mark.parametrize("folder", [JS, JS / "tests"], ids=["package", "tests"])
def test_the_types_fit(folder: Path) -> None:
    install()
    tool(folder, "tsc", "--noEmit", "--project", str(folder))


def test_it_has_the_version_of_the_server() -> None:
    own, page = (json.loads((folder / "package.json").read_text(encoding="utf-8")) for folder in (JS, WEB))
    assert own["version"] == page["version"] == version("warroom")


def test_it_needs_no_other_package_and_holds_no_sources(package: Path) -> None:
    with tarfile.open(package) as packed:
        names = packed.getnames()
        file = packed.extractfile("package/package.json")
        assert file is not None
        manifest = json.load(file)
    assert not {"dependencies", "devDependencies", "peerDependencies", "scripts"} & manifest.keys()
    assert "warroom-source" not in json.dumps(manifest)
    assert {f"package/{name}" for name in ("README.md", "LICENSE", "dist/index.js", "dist/index.d.ts")} <= set(names)
    assert [name for name in names if name.endswith(".ts") and not name.endswith(".d.ts")] == []


def size(project: JsProject, code: str) -> int:
    return int(project.run("bundle_size.mjs", str(MODULES), code))


def test_it_is_small_and_unused_parts_cost_nothing(project: JsProject) -> None:
    assert size(project, 'export * from "warroom-client"; export * from "warroom-client/wire";') <= MAX_BYTES
    assert size(project, 'export { roomCode } from "warroom-client";') <= 400
    assert size(project, 'import "warroom-client"; import "warroom-client/wire";') <= 50


def test_a_program_of_a_user_compiles(project: JsProject) -> None:
    strict = (
        "--strict",
        "--exactOptionalPropertyTypes",
        "--noUncheckedIndexedAccess",
        "--types",
        "",
        "--lib",
        "es2023",
    )
    modules = ("--module", "nodenext", "--moduleResolution", "nodenext", "--target", "es2022")
    tool(project.folder, "tsc", "--noEmit", *strict, *modules, str(project.add("consumer.ts")))


def play(project: JsProject, site: ServerProcess, game: str, *flags: str, **settings: object) -> dict[str, int]:
    chosen = {"game": game, "seats": 2, "options": SHORT[game], "cuts": 6, "cutAfter": 5_000, "seed": 1, **settings}
    counts: dict[str, int] = json.loads(project.run("cut_match.mjs", site.url, json.dumps(chosen), flags=flags))
    assert counts["cuts"] >= int(str(chosen["cuts"])) // 2
    assert counts["sums"] > 3 * 10
    assert counts["acts"] > 10
    return counts


@pytest.mark.parametrize("game", SHORT)
def test_a_match_over_broken_connections_ends_as_the_server_says(
    project: JsProject, site: ServerProcess, game: str
) -> None:
    play(project, site, game)


def test_a_match_is_played_with_another_websocket(project: JsProject, site: ServerProcess) -> None:
    implementation = (MODULES / "ws" / "wrapper.mjs").as_uri()
    play(project, site, "tile_blitz", WITHOUT_WEBSOCKET, websocket=implementation)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("game", "seats"), [("graph_battle", 5), ("strata", 2), ("thardferr", 4), ("tile_blitz", 5), ("timberwall", 2)]
)
def test_longer_matches_over_worse_connections(
    project: JsProject, site: ServerProcess, game: str, seats: int, seed: int
) -> None:
    play(project, site, game, seats=seats, seed=seed, cuts=20, cutAfter=3_000)


def bot() -> str:
    found = re.search(r"<!-- bot -->\n```js\n(.*?)```\n<!-- end -->", README, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_bot_of_the_readme_has_20_lines_and_plays_a_match(project: JsProject, site: ServerProcess) -> None:
    assert len([line for line in bot().splitlines() if line]) <= 20
    printed = project.run("bot.mjs", site.url, "tile_blitz", code=bot())
    assert re.fullmatch(r"room \w{7}\nover: \w+; ranks by seat: \d,\d\n", printed)


def test_the_bot_of_the_readme_plays_on_when_busy_and_survives_an_end_during_its_action(project: JsProject) -> None:
    project.add("bot.mjs", bot())
    printed = project.run("late_end.mjs", (MODULES / "ws" / "wrapper.mjs").as_uri())
    assert printed == "room 0000007\nover: victory; ranks by seat: 2,1\nacts 2\n"


REFUSALS = """
import { connect } from "warroom-client";
const [url] = process.argv.slice(2);
const told = async (doing) => console.log(await doing().then(() => "done", ({ code, name }) => `${name} ${code}`));
const client = await connect(url, { name: "Ada" });
const room = await client.create("strata", { seats: 2 });
await told(() => connect("ws://127.0.0.1:1/ws"));
await told(() => connect("ftp://127.0.0.1/"));
await told(() => client.join("no code"));
await told(() => client.join("0000000"));
await told(() => client.create("no_game"));
await told(() => client.create("strata", { options: { max_turns: -1 } }));
await told(() => client.create("strata", { options: { max_turns: 0.5 } }));
await told(() => room.act({ type: "pass" }));
await told(() => room.act({ type: "x".repeat(5000) }, 1));
await told(() => room.ask({ type: "say" }));
await told(() => room.ask({ type: "kick", seat: 9 }));
const ended = told(() => room.ended());
await told(() => room.ask({ type: "say", text: "still here" }));
client.close();
await ended;
await told(() => room.act({ type: "pass" }, 1));
await told(() => client.create("strata"));
"""


def test_bad_input_is_refused_with_a_code_and_loses_nothing(project: JsProject, site: ServerProcess) -> None:
    assert project.run("refusals.mjs", site.url, code=REFUSALS).splitlines() == [
        "DisconnectedError client.disconnected",
        "InputError client.input",
        "InputError client.input",
        "RejectedError room.unknown",
        "RejectedError game.unknown",
        "RejectedError game.options",
        "InputError client.input",
        "RejectedError act.stale",
        "InputError client.input",
        "InputError client.input",
        "RejectedError seat.unknown",
        "done",
        "DisconnectedError client.closed",
        "DisconnectedError client.closed",
        "DisconnectedError client.closed",
    ]


OTHER_VERSION = """
import { cpSync, readFileSync, writeFileSync } from "node:fs";
const copy = new URL("./newer/", import.meta.url);
cpSync(new URL("./node_modules/warroom-client/dist/", import.meta.url), copy, { recursive: true });
const shared = new URL("shared.js", copy);
writeFileSync(shared, readFileSync(shared, "utf8").replace("PROTOCOL_VERSIONS = [1]", "PROTOCOL_VERSIONS = [98, 99]"));
const { connect } = await import(new URL("index.js", copy));
await connect(process.argv[2]).catch(({ code, message }) => console.log(code, message));
"""


def test_a_client_of_another_version_is_told_both(project: JsProject, site: ServerProcess) -> None:
    code, _, message = project.run("newer.mjs", site.url, code=OTHER_VERSION).partition(" ")
    assert code == "hello.version"
    assert message.startswith("the server speaks protocol 1, the client 98, 99: update the server; ")
    assert message.endswith(f"warroom-client {version('warroom')} (JavaScript) speaks version 98, 99\n")


NO_WEBSOCKET = """
import { connect } from "warroom-client";
await connect("ws://127.0.0.1:1/ws").catch(({ code, message }) => console.log(code, message));
"""


def test_a_runtime_without_websocket_is_told_what_to_do(project: JsProject) -> None:
    printed = project.run("no_websocket.mjs", code=NO_WEBSOCKET, flags=(WITHOUT_WEBSOCKET,))
    assert re.fullmatch("client.input .*pass that of the package ws\n", printed)
