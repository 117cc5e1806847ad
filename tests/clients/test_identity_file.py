"""The saved identities of a player between runs."""

import stat
from pathlib import Path

import pytest

from warroom_client.identity_file import (
    BOTS,
    PLAYERS,
    SERVERS,
    IdentityFileError,
    SavedIdentity,
    open_identity_file,
    read_identities,
    state_folder,
)

URL = "ws://127.0.0.1:8000/ws"
KEPT = SavedIdentity("ada", "token", "tile_blitz", 7, "key")


def test_a_restarted_program_is_the_same_player(tmp_path: Path) -> None:
    folder = tmp_path / "players"
    with open_identity_file(folder, URL, "Ada") as file:
        assert file.kept == ()
        file.keep(KEPT)
    with open_identity_file(folder, URL, "Ada") as again:
        assert again.kept == (KEPT,)
    with (
        open_identity_file(folder, URL, "Bob") as other,
        open_identity_file(folder, "ws://elsewhere/ws", "Ada") as elsewhere,
    ):
        assert other.kept == elsewhere.kept == ()


def test_two_programs_at_once_are_two_players(tmp_path: Path) -> None:
    with open_identity_file(tmp_path, URL, "Ada") as first:
        first.keep(KEPT)
        with open_identity_file(tmp_path, URL, "Ada") as second:
            assert second.kept == ()
        assert read_identities(tmp_path, URL, "Ada") == (KEPT,)


def test_only_the_user_may_read_the_token(tmp_path: Path) -> None:
    folder = tmp_path / "players"
    with open_identity_file(folder, URL, "Ada") as file:
        file.keep(KEPT)
    (kept,) = folder.glob("*.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_file_that_cannot_be_read_makes_a_new_player(tmp_path: Path) -> None:
    with open_identity_file(tmp_path, URL, "Ada") as file:
        file.keep(KEPT)
    (kept,) = tmp_path.glob("*.json")
    kept.write_text("{broken")
    with open_identity_file(tmp_path, URL, "Ada") as file:
        assert file.kept == ()


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IdentityFileError, match="file"):
        open_identity_file(tmp_path / "file", URL, "Ada")


def test_the_folder_follows_the_environment(tmp_path: Path) -> None:
    assert state_folder({"XDG_STATE_HOME": "/state", "HOME": "/home/ada"}, PLAYERS) == Path("/state/warroom/players")
    assert state_folder({"HOME": "/home/ada"}, BOTS) == Path("/home/ada/.local/state/warroom/bots")


def test_identities_of_several_servers_are_kept(tmp_path: Path) -> None:
    elsewhere = SavedIdentity("ada of another server", "another token")
    with open_identity_file(tmp_path, URL, "Ada") as file:
        file.keep(KEPT)
        file.keep(elsewhere)
        assert file.kept == (elsewhere, KEPT)
        fresh = SavedIdentity("ada", "a newer token")
        file.keep(fresh)
    with open_identity_file(tmp_path, URL, "Ada") as again:
        assert again.kept == (fresh, elsewhere)


def test_only_so_many_servers_are_remembered(tmp_path: Path) -> None:
    with open_identity_file(tmp_path, URL, "Ada") as file:
        for number in range(SERVERS + 1):
            file.keep(SavedIdentity(f"ada {number}", "token"))
        assert [kept.player for kept in file.kept] == [f"ada {number}" for number in range(SERVERS, 0, -1)]


def test_bots_of_one_name_from_several_files_are_several_players(tmp_path: Path) -> None:
    def number_of(source: str, player: str) -> int:
        with open_identity_file(tmp_path, URL, "bot", source) as file:
            file.keep(SavedIdentity(player, "token"))
            return file.slot

    assert [number_of("/x/bot.py", "ada"), number_of("/y/bot.py", "bob"), number_of("", "eve")] == [1, 2, 3]
    assert [number_of("/y/bot.py", "bob"), number_of("", "eve"), number_of("/x/bot.py", "ada")] == [2, 3, 1]


def test_a_player_kept_without_a_file_gets_the_one_that_plays(tmp_path: Path) -> None:
    with open_identity_file(tmp_path, URL, "bot") as file:
        file.keep(SavedIdentity("ada", "token"))
    with open_identity_file(tmp_path, URL, "bot", "/x/bot.py") as file:
        assert [kept.player for kept in file.kept] == ["ada"]
