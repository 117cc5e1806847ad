"""docs/PYTHON_SDK.md is what the docstrings say, the SDK reaches all of the protocol, and its types are known."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documented_commands import ROOT
from sdk_document import FROM_CLIENT, FROM_SERVER, PAGE, page, wire_names

import warroom_client
from warroom_protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES

WRITTEN = PAGE.read_text(encoding="utf-8")
BIN = Path(sys.executable).parent
ALIASES = {"DEFAULT_URL", "Event"}
"""Exports that are no classes or functions: a constant, and the union of the events."""


def test_the_page_is_up_to_date() -> None:
    """Otherwise: `.venv/bin/python tests/support/sdk_document.py --write`."""
    assert page() == WRITTEN


def test_the_page_has_everything_that_the_package_exports() -> None:
    described = set(re.findall(r"^### (\w+)$", WRITTEN, re.MULTILINE))
    assert described | set(wire_names()) == set(warroom_client.__all__) - ALIASES


def test_everything_on_the_page_is_described() -> None:
    bare = re.findall(r"^(\*\*`[^\n]+`\*\*\n\n(?:\*\*`|#|\n)|### \w+\n\n(?:#|\n))", WRITTEN, re.MULTILINE)
    assert bare == []


@pytest.mark.parametrize(("reached", "messages"), [(FROM_CLIENT, CLIENT_MESSAGES), (FROM_SERVER, SERVER_MESSAGES)])
def test_every_message_of_the_protocol_is_reached(reached: dict[str, str], messages: dict[str, type]) -> None:
    assert reached.keys() == messages.keys()


def test_what_reaches_the_messages_exists() -> None:
    for how in (*FROM_CLIENT.values(), *FROM_SERVER.values()):
        for named in re.findall(r"`([A-Z]\w+)(?:\.(\w+))?", how):
            kind = getattr(warroom_client, named[0])
            assert not named[1] or f"`{named[1]}: " in WRITTEN or hasattr(kind, named[1]), named


def test_a_type_checker_knows_every_type_of_the_sdk() -> None:
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    command = [str(BIN / "basedpyright"), "--verifytypes", "warroom_client"]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert "Type completeness score: 100%" in run.stdout, run.stdout
