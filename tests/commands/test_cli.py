"""The dispatcher finds commands, loads only the chosen one, and reports errors in one line."""

import re
import subprocess
import sys
from importlib.metadata import entry_points, version

import pytest

from warroom_games.invocation import CALLED_AS
from warroom_server.cli import COLUMNS, ENTRY_POINTS, main

ALL = sorted(point.name for point in entry_points(group=ENTRY_POINTS))


def test_without_a_command_it_lists_all_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out = capsys.readouterr().out
    assert all(f"  {point.name} " in out for point in entry_points(group=ENTRY_POINTS))


def test_help_lists_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "run the server" in capsys.readouterr().out


def test_the_list_of_commands_fits_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CALLED_AS, "./dev warroom")
    main(["--help"])
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= COLUMNS
    told = " ".join(out.split())
    assert all(point.load().SUMMARY in told for point in entry_points(group=ENTRY_POINTS))


@pytest.mark.parametrize("command", ALL)
def test_the_help_of_every_command_fits_a_terminal(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CALLED_AS, "./dev warroom")
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    with pytest.raises(SystemExit):
        main([command, "--help"])
    explained, _, _ = capsys.readouterr().out.partition("\nexample:\n")
    assert max(map(len, explained.splitlines())) <= COLUMNS


def test_it_knows_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"warroom {version('warroom')}\n"


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        pytest.param("sevre", "did you mean `warroom serve`?", id="misspelt"),
        pytest.param("xyzzy", "the commands are: ", id="nothing like it"),
    ],
)
def test_an_unknown_command_gets_a_hint(wrong: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([wrong]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"warroom: unknown command '{wrong}'; {hint}")


@pytest.mark.parametrize("command", ALL)
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert "example:\n" in capsys.readouterr().out


@pytest.mark.parametrize("called", ["warroom", "./dev warroom"])
@pytest.mark.parametrize("command", ALL)
def test_every_example_can_be_typed_where_the_program_was_called(
    command: str, called: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CALLED_AS, called)
    with pytest.raises(SystemExit):
        main([command, "--help"])
    *_, example = capsys.readouterr().out.rstrip().splitlines()
    assert re.fullmatch(rf"  ([A-Z_]+=\S+ )*{re.escape(called)} {command}( .*)?", example)


def test_only_the_chosen_command_is_loaded() -> None:
    probe = (
        "import sys; from warroom_server.cli import main; main(['config', '--json']);"
        "sys.exit(any(name in sys.modules for name in"
        " ('asyncio', 'websockets', 'warroom_server.app', 'warroom_server.commands.serve')))"
    )
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False).returncode == 0


def test_a_reader_that_has_enough_is_no_error() -> None:
    probe = "import sys; from warroom_server.cli import main; sys.exit(main(['config', '--json']))"
    with subprocess.Popen([sys.executable, "-c", probe], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in (0, 1)


def test_a_wrong_argument_is_a_matter_of_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["serve", "--carrier-pigeon", "grey"])
    assert stopped.value.code == 2
    assert "--carrier-pigeon" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check-game", "new-game"])
def test_the_help_of_the_authors_commands_needs_no_test_tools(command: str) -> None:
    probe = (
        "import sys; sys.modules.update(dict.fromkeys(('hypothesis', 'pytest')));"
        f"from warroom_server.cli import main; main([{command!r}, '--help'])"
    )
    answer = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert answer.returncode == 0
    assert "example:\n" in answer.stdout
