"""The packed JavaScript package in an empty project, and a server to play on."""

from collections.abc import Iterator
from pathlib import Path

import pack
import pytest
from js_project import JsProject
from node_packages import install
from server_process import ServerProcess


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the packed package."""
    install()
    return pack.pack(tmp_path_factory.mktemp("packed"))


@pytest.fixture(scope="session")
def project(package: Path, tmp_path_factory: pytest.TempPathFactory) -> JsProject:
    """Return an empty project with the package."""
    return JsProject(tmp_path_factory.mktemp("project"), package)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Yield a running server with bots."""
    running = ServerProcess(tmp_path_factory.mktemp("site"), bots=True)
    try:
        running.start()
        yield running
    finally:
        running.close()
