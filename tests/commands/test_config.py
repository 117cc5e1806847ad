"""`warroom config`, and the settings behind it."""

import json

import pytest

from warroom_server.cli import main
from warroom_server.config import HIDDEN, SECRET, Settings, SettingsError, flag_of, help_texts, resolve


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the machine's own settings from these tests."""
    for name in help_texts():
        monkeypatch.delenv(f"WARROOM_{name.upper()}", raising=False)


def test_nothing_set_means_the_defaults() -> None:
    resolved = resolve({"HOME": "/somewhere"})
    assert resolved.settings == Settings()
    assert set(resolved.sources.values()) == {"default"}


def test_a_flag_goes_before_a_variable_before_the_default() -> None:
    resolved = resolve({"WARROOM_PORT": "9000", "WARROOM_HOST": "0.0.0.0"}, {"port": "9001", "data": None})
    assert (resolved.settings.port, resolved.settings.host, resolved.settings.data) == (9001, "0.0.0.0", "data")
    assert (resolved.sources["port"], resolved.sources["host"], resolved.sources["data"]) == (
        "flag",
        "variable",
        "default",
    )


def test_games_are_a_list_in_a_variable_and_a_repeated_flag() -> None:
    assert resolve({"WARROOM_GAMES": "one:GAME, two:GAME"}).settings.games == ("one:GAME", "two:GAME")
    assert resolve({}, {"games": ["one:GAME", "two:GAME"]}).settings.games == ("one:GAME", "two:GAME")
    assert flag_of("games") == "--game"


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    [
        pytest.param(
            "WARROOM_PORT", "80a", "WARROOM_PORT: expected a whole number from 0 to 65535, got '80a'", id="word"
        ),
        pytest.param("WARROOM_PORT", "70000", "WARROOM_PORT: expected a whole number", id="out of range"),
        pytest.param("WARROOM_LOG_LEVEL", "loud", "WARROOM_LOG_LEVEL: expected one of debug, error, info", id="choice"),
        pytest.param("WARROOM_PROT", "1", "unknown setting WARROOM_PROT; did you mean WARROOM_PORT?", id="misspelt"),
        pytest.param("WARROOM_port", "1", "unknown setting WARROOM_port", id="lower case"),
        pytest.param("WARROOM_BOT_THINK", "slowly", "WARROOM_BOT_THINK: expected seconds, such as 0.5", id="no time"),
        pytest.param(
            "WARROOM_BOT_THINK", "0.9-0.3", "0.3-0.9, with the shorter time first, got '0.9-0.3'", id="wrong order"
        ),
        pytest.param("WARROOM_XYZZY", "1", "`warroom config` lists all settings", id="unknown"),
    ],
)
def test_a_bad_setting_is_named_with_what_was_expected(variable: str, value: str, complaint: str) -> None:
    with pytest.raises(SettingsError) as raised:
        resolve({variable: value})
    assert complaint in str(raised.value)


def test_a_bad_flag_is_named_as_a_flag() -> None:
    with pytest.raises(SettingsError, match="--max-rooms: expected a whole number from 1"):
        resolve({}, {"max_rooms": "none"})


def test_every_setting_has_a_help_text() -> None:
    assert all(help_texts().values())
    assert list(help_texts()) == list(Settings.__struct_fields__)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        pytest.param("redis://me:secret@host:1/0", "redis://me:***@host:1/0", id="with a name"),
        pytest.param("redis://:secret@host:1/0", "redis://:***@host:1/0", id="without a name"),
        pytest.param("redis://host:1/0", "redis://host:1/0", id="no password"),
    ],
)
def test_a_password_is_not_shown(url: str, shown: str) -> None:
    settings = {setting.name: setting for setting in resolve({"WARROOM_REDIS": url}).explain()}
    assert settings["redis"].value == shown


def test_the_table_shows_value_source_and_help(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARROOM_PORT", "9000")
    assert main(["config"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("WARROOM_PORT ")]
    assert line.split()[1:4] == ["--port", "9000", "variable"]


def test_as_json_it_is_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--json"]) == 0
    settings = {setting["name"]: setting for setting in json.loads(capsys.readouterr().out)}
    assert settings["port"]["value"] == Settings().port
    assert settings["port"]["variable"] == "WARROOM_PORT"
    assert set(settings) == set(Settings.__struct_fields__) - HIDDEN


def test_what_the_help_of_serve_hides_is_not_shown_either(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    helped = capsys.readouterr().out
    main(["config", "--json"])
    shown = {setting["flag"] for setting in json.loads(capsys.readouterr().out) if setting["name"] not in SECRET}
    assert shown == {flag_of(name) for name in help_texts() if f"{flag_of(name)} " in helped}
    assert "--crash-at" not in shown


def test_bots_can_be_switched_off_by_flag_and_variable() -> None:
    assert resolve({}).settings.bots
    assert not resolve({"WARROOM_BOTS": "false"}).settings.bots
    assert resolve({"WARROOM_BOTS": "1"}).settings.bots
    assert not resolve({"WARROOM_BOTS": "true"}, {"bots": "false"}).settings.bots
    with pytest.raises(SettingsError, match="WARROOM_BOTS: expected true or false, got 'perhaps'"):
        resolve({"WARROOM_BOTS": "perhaps"})


def test_the_key_of_bot_workers_is_not_shown() -> None:
    shown = {setting.name: setting for setting in resolve({"WARROOM_BOT_KEY": "a very secret key"}).explain()}
    assert (shown["bot_key"].value, shown["bot_key"].source) == ("***", "variable")
    assert {setting.name: setting.value for setting in resolve({}).explain()}["bot_key"] == ""


@pytest.mark.parametrize("key", ["short secret", "k" * 257])
def test_a_key_that_does_not_fit_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(SettingsError) as raised:
        resolve({"WARROOM_BOT_KEY": key})
    assert str(raised.value) == f"WARROOM_BOT_KEY: expected 16 to 256 characters, got {len(key)}"
    assert raised.value.__cause__ is None


def test_a_bad_variable_fails_in_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARROOM_PORT", "many")
    assert main(["config"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "WARROOM_PORT" in line
