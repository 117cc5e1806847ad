"""`warroom worker` reports missing requirements in one line."""

from pathlib import Path

import pytest

from warroom_server.cli import main


def test_a_worker_without_a_key_says_where_it_belongs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WARROOM_BOT_KEY", raising=False)
    assert main(["worker"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warroom worker: ")
    assert "WARROOM_BOT_KEY" in line


def test_the_help_shows_an_example_without_a_key_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["worker", "--help"])
    helped = capsys.readouterr().out
    assert "warroom worker --url ws://127.0.0.1:8000/ws" in helped
    assert "--until-stdin-ends" not in helped
    assert "--key" not in helped


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        pytest.param("strata=nowhere.py", "there is no file nowhere.py", id="file"),
        pytest.param("strata=warroom_bots.games.thardferr:BOT", "plays thardferr, not strata", id="game"),
        pytest.param("strata=deep", "unknown bot 'deep' for strata", id="name"),
    ],
)
def test_a_bot_that_cannot_be_offered_is_one_line(
    bot: str, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARROOM_BOT_KEY", "key")
    assert main(["worker", "--bot", bot]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warroom worker: ")
    assert message in line


def test_two_bots_of_one_name_are_not_offered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARROOM_BOT_KEY", "key")
    files = [tmp_path / folder / "bot.py" for folder in ("old", "new")]
    for file in files:
        file.parent.mkdir()
        file.write_text("def choose(decision):\n    return decision.legal[0]\n")
    assert main(["worker", *(f"--bot=strata={file}" for file in files)]) == 2
    assert capsys.readouterr().err == f"warroom worker: two bots of strata are named bot, {files[0]} and {files[1]}\n"


def test_a_bot_is_offered_for_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["worker", "--bot", "my_bot.py"])
    assert left.value.code == 2
    assert "write a bot as GAME=BOT, got 'my_bot.py'" in capsys.readouterr().err
