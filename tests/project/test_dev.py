"""`./dev` itself: what it says when something is wrong, and when it trusts the environment it finds.

Nothing here installs anything: a copy of the script in an empty folder is a project without an environment.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from warroom_games.invocation import CALLED_AS

ROOT = Path(__file__).resolve().parents[2]
DEV = ROOT / "dev"
SPEEDUPS = "protocol/warroom_protocol/speedups.c"


def load(path: Path) -> ModuleType:
    """Import a copy of the script, which takes the folder that it lies in for the project."""
    spec = spec_from_loader("dev", SourceFileLoader("dev", str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the script, its lock files, what is built, and no environment."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("dev", "pyproject.toml", "hatch_build.py", SPEEDUPS, "requirements.lock", "requirements-dev.lock"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def finished(project: Path) -> Path:
    """Return a folder in which the set-up for running has been done."""
    finish(project)
    return project


def finish(project: Path) -> None:
    """Leave behind what the set-up for running leaves, with a program that says how it was called."""
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (project / ".venv" / "bin" / "warroom").write_text(f"import os; print(os.environ[{CALLED_AS!r}])")
    dev = load(project / "dev")
    dev.STAMP.write_text(json.dumps({"home": dev.home(), dev.RUNTIME_LOCK.name: dev.fingerprint(dev.RUNTIME_LOCK)}))


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, str(DEV), *arguments], capture_output=True, text=True, check=False)


def test_help_names_every_command_and_fits_a_terminal() -> None:
    answer = run("help")
    assert answer.returncode == 0
    for command in ("setup", "serve", "warroom", "test", "check", "page", "screenshots", "bench", "lock", "help"):
        assert f"\n  {command} " in answer.stdout
    assert max(map(len, answer.stdout.splitlines())) <= 80


def test_an_unknown_command_is_a_mistake_of_usage_told_in_one_line() -> None:
    answer = run("sevre")
    assert answer.returncode == 2
    assert answer.stderr == "dev: unknown command sevre; `./dev help` lists the commands\n"


def test_the_script_can_be_executed() -> None:
    assert os.access(DEV, os.X_OK)
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_a_python_that_is_too_old_can_still_read_the_script() -> None:
    tree = ast.parse(DEV.read_text(encoding="utf-8"), feature_version=(3, 6))
    assert ast.get_docstring(tree)


def test_the_script_uses_the_standard_library_alone() -> None:
    tree = ast.parse(DEV.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_a_folder_without_an_environment_is_not_ready(project: Path) -> None:
    dev = load(project / "dev")
    assert not dev.is_ready(dev.RUNTIME_LOCK)
    assert not dev.is_usable(dev.read_stamp())


def test_a_finished_set_up_is_ready_for_what_it_installed_and_nothing_more(finished: Path) -> None:
    dev = load(finished / "dev")
    assert dev.is_ready(dev.RUNTIME_LOCK)
    assert not dev.is_ready(dev.DEV_LOCK)
    assert dev.is_usable(dev.read_stamp())


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml", "hatch_build.py", SPEEDUPS])
def test_a_changed_lock_or_project_is_installed_into_the_same_environment(finished: Path, name: str) -> None:
    dev = load(finished / "dev")
    with (finished / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert not dev.is_ready(dev.RUNTIME_LOCK)
    assert dev.is_usable(dev.read_stamp())


def test_a_compiler_that_came_later_is_used_in_the_same_environment(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "programs" / "cc"
    monkeypatch.setenv("PATH", str(compiler.parent))
    finish(project)
    dev = load(project / "dev")
    assert dev.is_ready(dev.RUNTIME_LOCK)
    compiler.parent.mkdir()
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    assert not dev.is_ready(dev.RUNTIME_LOCK)
    assert dev.is_usable(dev.read_stamp())


def test_a_set_up_that_was_cut_off_is_done_again_from_nothing(finished: Path) -> None:
    dev = load(finished / "dev")
    dev.STAMP.write_text("{}")
    assert not dev.is_ready(dev.RUNTIME_LOCK)
    assert not dev.is_usable(dev.read_stamp())


def test_a_torn_stamp_counts_as_a_set_up_that_was_cut_off(finished: Path) -> None:
    dev = load(finished / "dev")
    dev.STAMP.write_text('{"home": [')
    assert not dev.is_ready(dev.RUNTIME_LOCK)
    assert not dev.is_usable(dev.read_stamp())


def test_an_environment_that_was_moved_is_made_again(finished: Path) -> None:
    moved = finished.rename(finished.with_name("moved"))
    dev = load(moved / "dev")
    assert not dev.is_ready(dev.RUNTIME_LOCK)
    assert not dev.is_usable(dev.read_stamp())


def test_an_environment_whose_python_is_gone_is_made_again(finished: Path) -> None:
    python = finished / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(finished / "uninstalled")
    dev = load(finished / "dev")
    assert not dev.is_ready(dev.RUNTIME_LOCK)
    assert not dev.is_usable(dev.read_stamp())


def test_only_one_set_up_runs_at_a_time(project: Path) -> None:
    command = ["./dev", "warroom", "games"]
    with load(project / "dev").only_one():
        rival = subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert rival.stderr is not None
        assert (
            rival.stderr.readline() == "dev: another ./dev is setting up; waiting for it, which can take some minutes\n"
        )
        assert rival.poll() is None
        finish(project)
    assert rival.communicate() == ("./dev warroom\n", "")
    assert rival.returncode == 0


def test_what_needs_no_environment_runs_during_a_set_up(project: Path) -> None:
    with load(project / "dev").only_one():
        answer = subprocess.run(["./dev", "help"], cwd=project, capture_output=True, text=True, check=False)
    assert answer.returncode == 0
    assert answer.stderr == ""


def test_the_lock_of_the_set_up_is_no_part_of_the_project() -> None:
    assert f"/{load(DEV).SETUP_LOCK.name}" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_a_failed_step_ends_in_plain_words(project: Path) -> None:
    dev = load(project / "dev")
    with pytest.raises(dev.DevError, match=r"installing failed; its last output was:\n +no such thing$"):
        dev.run_quietly([sys.executable, "-c", "raise SystemExit('no such thing')"], "installing")


def test_a_program_that_does_not_run_is_no_python(tmp_path: Path) -> None:
    dev = load(DEV)
    shim = tmp_path / "python3.13"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    assert not dev.works(str(shim), "venv")
    assert not dev.works(str(tmp_path / "missing"), "venv")
    assert dev.works(sys.executable, "venv")


def test_missing_programs_that_cannot_be_installed_are_named_in_one_line_each(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dev = load(DEV)
    monkeypatch.setenv("PATH", str(tmp_path))
    dev.require_programs({"redis-server": "redis-server", "mosquitto_sub": "mosquitto-clients"})
    assert capsys.readouterr().err.splitlines() == [
        f"dev: {program} is missing, so the tests that need it will fail; install the package {package}"
        for program, package in (("redis-server", "redis-server"), ("mosquitto_sub", "mosquitto-clients"))
    ]


@pytest.fixture
def apt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Put a package manager where there is no other program: it notes what it is asked for, and has no `nothing`."""
    notes = tmp_path / "notes"
    (tmp_path / "apt-get").write_text(
        f"""#!/bin/sh
echo "$@" >> {notes}
case "$*" in *nothing*) exit 100; esac
for name in "$@"; do printf '#!/bin/sh\n' > {tmp_path}/"$name"; {shutil.which("chmod")} +x {tmp_path}/"$name"; done
"""
    )
    (tmp_path / "apt-get").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return notes


def test_missing_programs_are_installed_together(apt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dev = load(DEV)
    dev.require_programs({"one": "one", "two": "two", "apt-get": "apt"})
    install = "--quiet install --yes --no-install-recommends"
    assert apt.read_text().splitlines() == ["--quiet update", f"{install} one two"]
    assert capsys.readouterr().err == "dev: installing system packages: one, two\n"
    dev.require_programs({"one": "one", "two": "two"})
    assert len(apt.read_text().splitlines()) == 2


def test_a_program_that_cannot_be_had_keeps_no_other_out(apt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(DEV).require_programs({"nothing": "nothing", "two": "two"})
    assert (apt.parent / "two").exists()
    assert capsys.readouterr().err.splitlines()[-1].startswith("dev: nothing is missing")


def test_missing_header_files_are_installed_for_the_python_of_the_environment(
    apt: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    python = project / "usr" / "bin" / "python3.11"
    python.parent.mkdir(parents=True)
    python.touch()
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to(python)
    dev = load(project / "dev")
    dev.require_headers()
    assert apt.read_text().splitlines()[-1] == "--quiet install --yes --no-install-recommends python3.11-dev"
    headers = project / "usr" / "include" / "python3.11" / "Python.h"
    headers.parent.mkdir(parents=True)
    headers.touch()
    capsys.readouterr()
    dev.require_headers()
    assert capsys.readouterr().err == ""


def test_header_files_that_cannot_be_installed_are_named_in_one_line(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to(project / "python3.12")
    load(project / "dev").require_headers()
    assert capsys.readouterr().err == (
        "dev: Python.h is missing, so the tests of the C module will fail; install the package python3.12-dev\n"
    )


@pytest.mark.parametrize("command", [["./dev"], [sys.executable, "dev"]])
def test_the_program_is_told_how_to_call_it(finished: Path, command: list[str]) -> None:
    answer = subprocess.run([*command, "serve"], cwd=finished, capture_output=True, text=True, check=False)
    assert answer.stdout == "./dev warroom\n"
    (finished / "sub folder").mkdir()
    answer = subprocess.run(
        ["../dev", "serve"], cwd=finished / "sub folder", capture_output=True, text=True, check=False
    )
    assert answer.stdout == "../dev warroom\n"


def test_what_was_compiled_is_kept_for_the_next_start(finished: Path) -> None:
    (finished / ".venv" / "bin" / "warroom").write_text("import sys; print(sys.dont_write_bytecode)")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    answer = subprocess.run(
        ["./dev", "serve"], cwd=finished, env=environment, capture_output=True, text=True, check=False
    )
    assert answer.stdout == "False\n"


@pytest.mark.parametrize("command", ["new-game", "check-game"])
def test_what_authors_need_is_installed_when_their_commands_run_and_not_for_their_help(command: str) -> None:
    dev = load(DEV)
    assert dev.needed_by([command, "four_corners"]) == dev.DEV_LOCK
    assert dev.needed_by([command, "--help"]) == dev.RUNTIME_LOCK
    assert dev.needed_by([command, "four_corners", "-h"]) == dev.RUNTIME_LOCK


def test_other_commands_need_no_more_than_the_server() -> None:
    dev = load(DEV)
    assert dev.needed_by(["serve", "--port", "0"]) == dev.RUNTIME_LOCK
    assert dev.needed_by([]) == dev.RUNTIME_LOCK


@pytest.mark.parametrize("command", ["new-game", "check-game"])
def test_the_help_of_the_authors_commands_comes_at_once(finished: Path, command: str) -> None:
    answer = subprocess.run(
        ["./dev", "warroom", command, "--help"], cwd=finished, capture_output=True, text=True, check=False
    )
    assert (answer.stdout, answer.stderr) == ("./dev warroom\n", "")


def test_closed_standard_streams_are_no_obstacle() -> None:
    answer = subprocess.run(
        ["/bin/sh", "-c", '"$0" "$1" help <&- 2>&-', sys.executable, str(DEV)], stdout=-1, check=False
    )
    assert answer.returncode == 0
    assert b"usage: ./dev" in answer.stdout
