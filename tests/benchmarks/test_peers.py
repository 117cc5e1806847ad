"""`./dev bench peers`: what it writes and refuses. Nothing here measures time."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import msgspec
import pytest
from benchmarks.peers import command
from benchmarks.peers.alone import Alone
from benchmarks.peers.arena import Arena, Size, open_arena
from benchmarks.peers.contestants import all_contestants
from benchmarks.peers.deadlines import Lateness
from benchmarks.peers.document import BEGIN, END, PAGE, PLOT, write_documents
from benchmarks.peers.games import Played
from benchmarks.peers.generator import Window
from benchmarks.peers.hot_modules import Line, Profile
from benchmarks.peers.machine import describe_machine
from benchmarks.peers.results import FIGURES, RATIOS, Growth, Playouts, Run
from benchmarks.peers.resumes import Resumes
from benchmarks.peers.rounds import Comparison
from benchmarks.peers.tables import TITLES
from benchmarks.peers.tools import HERE, ToolError
from benchmarks.tiles49 import SEATS

PROMISED_RATIOS = [
    "rooms_vs_colyseus",
    "rooms_durable_vs_colyseus",
    "rooms_python_vs_colyseus",
    "single_vs_colyseus",
    "single_durable_vs_colyseus",
    "rooms_vs_boardgameio",
    "fanout_vs_colyseus",
    "fanout_vs_limit",
    "update_bytes_vs_colyseus",
]
PROMISED_FIGURES = ["kb_per_connection", "lateness_p99_ms", "resumes_s", "verdict_ms_over_append"]


def window(us_per_action: float, *, answer_us: float = 500.0) -> Window:
    """Return a window of 1,000 actions in rooms of five."""
    return Window(
        seconds=1.0,
        accepted=1000,
        refused=0,
        updates=5000,
        update_bytes=125_000,
        bytes=200_000,
        server_cpu_s=us_per_action / 1000,
        store_cpu_s=0.0,
        own_cpu_s=0.1,
        answer_p50_us=answer_us,
        answer_p99_us=2 * answer_us,
        all_accepted=1000,
        failures=0,
    )


def comparison(costs: dict[str, list[float]]) -> Comparison:
    """Return rounds in which each server cost the same under every load."""
    samples = {
        load: {name: [window(cost) for cost in rounds] for name, rounds in costs.items()}
        for load in ("rooms", "single", "fanout")
    }
    return Comparison(samples, dict.fromkeys(costs, 4.0), [0.1] * len(next(iter(costs.values()))))


def sample_run(costs: dict[str, list[float]] | None = None) -> Run:
    """Return a run that measured everything."""
    rounds = costs or {name: [50.0, 60.0, 70.0] for name in TITLES}
    alone = Alone(
        deadlines=Lateness(10_000, 20_000, 2000.0, 1.0, 4.0, 9.0, 0, 2.0, 8.0, 0.4),
        resumes=Resumes(2000, 1.5, 2000, 1.0),
        games=[Played("strata", 2, 120.0, 10.0, 3000.0, 0)],
        playouts=[Playouts("strata", 100.0, 80_000.0)],
        growth=Growth({500: 60.0, 8000: 61.0}, {10: 60.0, 1000: 62.0}),
        profile=Profile(1000, 80.0, [Line("warroom_server.room.room", 0.1, 12.0)]),
    )
    return command.summarize(comparison(rounds), alone, describe_machine(), "./dev bench peers", [])


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Return a folder with a page that has a place for the figures."""
    (tmp_path / PAGE).write_text(f"before\n\n{BEGIN}\nold\n{END}\n\nafter\n", encoding="utf-8")
    return tmp_path


class TestJson:
    def test_it_has_every_ratio_with_its_spread_and_every_figure(self) -> None:
        plain = json.loads(msgspec.json.encode(sample_run()))
        assert list(plain["ratios"]) == PROMISED_RATIOS == [ratio.name for ratio in RATIOS]
        assert list(plain["figures"]) == PROMISED_FIGURES == [figure.name for figure in FIGURES]
        assert all(set(ratio) == {"median", "low", "high", "rounds"} for ratio in plain["ratios"].values())
        assert all(isinstance(figure, float) for figure in plain["figures"].values())
        assert plain["machine"]["processor"]
        assert plain["versions"]["@colyseus/core"].startswith("0.18.")
        assert plain["versions"]["boardgame.io"].startswith("0.50.")

    def test_it_can_be_read_again(self) -> None:
        run = sample_run()
        assert msgspec.json.decode(msgspec.json.encode(run), type=Run) == run

    def test_a_ratio_compares_within_a_round(self) -> None:
        run = sample_run({"warroom_memory": [10.0, 40.0, 90.0], "colyseus": [10.0, 20.0, 30.0]})
        ratio = run.ratios["rooms_vs_colyseus"]
        assert ratio is not None
        assert (ratio.median, ratio.low, ratio.high, ratio.rounds) == (2.0, 1.0, 3.0, 3)

    def test_without_a_peer_its_ratios_are_null(self) -> None:
        run = sample_run({"warroom_memory": [10.0], "limit": [5.0]})
        assert [name for name, ratio in run.ratios.items() if ratio is not None] == ["fanout_vs_limit"]

    def test_a_verdict_is_compared_with_the_append_of_its_round(self) -> None:
        found = Comparison(appends_ms=[0.1, 2.0, 0.3])
        found.samples["single"] = {"warroom_embedded": [window(9, answer_us=us) for us in (600, 2600, 700)]}
        assert found.verdict_ms_over_append() == pytest.approx(0.5)


class TestDocuments:
    def test_the_page_gets_the_tables_and_keeps_the_rest(self, docs: Path) -> None:
        write_documents(sample_run(), docs)
        text = (docs / PAGE).read_text(encoding="utf-8")
        assert text.startswith("before\n\n" + BEGIN)
        assert text.endswith(END + "\n\nafter\n")
        assert "old" not in text
        assert [ratio.title for ratio in RATIOS if f"| {ratio.title} |" not in text] == []
        assert [figure.title for figure in FIGURES if f"| {figure.title} |" not in text] == []
        assert f"]({PLOT})" in text

    def test_a_second_run_replaces_the_first(self, docs: Path) -> None:
        write_documents(sample_run(), docs)
        once = (docs / PAGE).read_text(encoding="utf-8")
        write_documents(sample_run(), docs)
        assert (docs / PAGE).read_text(encoding="utf-8") == once

    def test_losses_are_named(self, docs: Path) -> None:
        write_documents(sample_run({"warroom_memory": [80.0], "colyseus": [40.0]}), docs)
        text = (docs / PAGE).read_text(encoding="utf-8")
        assert "- 200 rooms, memory / Colyseus: 2.00 times the cost" in text

    def test_the_plot_has_a_bar_for_each_server_and_load(self, docs: Path) -> None:
        write_documents(sample_run(), docs)
        plot = ElementTree.parse(docs / PLOT)
        assert len(plot.findall("{http://www.w3.org/2000/svg}rect")) == 3 * len(TITLES)

    def test_a_page_without_a_place_for_them_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / PAGE).write_text("nothing", encoding="utf-8")
        with pytest.raises(ToolError, match=re.escape(BEGIN)):
            write_documents(sample_run(), tmp_path)
        assert (tmp_path / PAGE).read_text(encoding="utf-8") == "nothing"

    def test_the_document_of_the_project_has_the_place(self) -> None:
        text = (command.DOCS / PAGE).read_text(encoding="utf-8")
        assert text.count(BEGIN) == text.count(END) == 1


class TestCommand:
    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["--rounds", "0"], "expected a number from 1 to 100, got '0'"),
            (["--rounds", "many"], "expected a number from 1 to 100, got 'many'"),
            (["--load", "everything"], "invalid choice: 'everything'"),
            (["--only", "nginx"], "invalid choice: 'nginx'"),
            (["--senders", "6"], "invalid choice: 6"),
            (["--json", "/nowhere/at/all.json"], "/nowhere/at/all.json cannot be written"),
            (["fast"], "unrecognized arguments: fast"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_a_bad_argument_is_refused(
        self, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as exited:
            command.main(arguments)
        assert exited.value.code == 2
        assert complaint in capsys.readouterr().err

    def test_it_shows_an_earlier_run(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "run.json").write_bytes(msgspec.json.encode(sample_run()))
        assert command.main(["--show", str(tmp_path / "run.json")]) == 0
        shown = capsys.readouterr().out
        assert [ratio.title for ratio in RATIOS if ratio.title not in shown] == []

    def test_a_file_that_is_no_run_is_refused(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "run.json").write_text("{}", encoding="utf-8")
        assert command.main(["--show", str(tmp_path / "run.json")]) == 1
        assert "is not the JSON of a run" in capsys.readouterr().err


def test_the_packages_of_the_peers_are_pinned_and_name_no_registry() -> None:
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    lock = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))
    assert [version for version in wanted.values() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []


def test_every_server_has_a_title_and_every_ratio_names_two_servers() -> None:
    assert set(all_contestants()) == set(TITLES)
    assert {name for ratio in RATIOS for name in (ratio.ours, ratio.theirs)} <= set(TITLES)


@pytest.mark.parametrize("name", ["warroom_memory", "limit"])
def test_every_client_of_a_room_gets_every_action(name: str) -> None:
    size = Size(rooms=2, viewers=3)
    with open_arena(all_contestants()[name], size) as arena:
        single, fanout = arena.single(0.05), arena.fanout(0.05)
        rooms = Arena.rooms(arena, 0.05)
    assert single.updates == single.accepted * SEATS
    assert fanout.updates == fanout.accepted * (SEATS + size.viewers)
    assert rooms.accepted > 0
