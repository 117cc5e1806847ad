"""docs/PROTOCOL.md and docs/PROTOCOL_REFERENCE.md say what the code does: every message, field, code and byte."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from golden_frames import twin
from log_document import replay_links
from msgspec import Struct
from protocol_document import DOCS, GUIDE, REFERENCE, SCHEMAS, generated_files, is_current, main
from sealed_bids import GAME as SEALED_BIDS

from warroom_client.connection import FINAL_CLOSES
from warroom_games.log import Entry
from warroom_games.registry import Registry
from warroom_games.replay import verify
from warroom_protocol import codes
from warroom_protocol.codec import decode_client, decode_server
from warroom_protocol.descriptions import field_texts
from warroom_protocol.errors import WireError
from warroom_protocol.messages import CLIENT_MESSAGES, PARTS, SERVER_MESSAGES
from warroom_protocol.versions import VERSION

TEXT = REFERENCE.read_text()
BOTH = GUIDE.read_text() + TEXT
HEADINGS = {
    **{f"→ {name}": kind for name, kind in CLIENT_MESSAGES.items()},
    **{f"← {name}": kind for name, kind in SERVER_MESSAGES.items()},
    **{kind.__name__: kind for kind in PARTS},
}
SECTIONS = {
    heading: body
    for heading, body in re.findall(r"^### ([^\n]+)\n(.*?)(?=^#{2,3} |\Z)", TEXT, re.DOTALL | re.MULTILINE)
}
ROW = re.compile(r"^\| (\d+) \| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
EXAMPLE = re.compile(r"```hex\n(.*?)\n```\n```json\n(.*?)\n```", re.DOTALL)
CODE = re.compile(r"`([a-z]+\.[a-z_]+)`")


GENERATED = generated_files()


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: str(path.relative_to(DOCS.parent)))
def test_a_generated_file_is_up_to_date(path: Path) -> None:
    assert is_current(path, GENERATED[path]), "run `.venv/bin/python tests/support/protocol_document.py --write`"


def test_no_schema_is_left_of_something_that_is_gone() -> None:
    assert {path for path in SCHEMAS.rglob("*") if path.is_file()} <= GENERATED.keys()


def test_the_command_says_that_nothing_is_out_of_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("heading", HEADINGS)
def test_no_text_stands_under_a_field_that_does_not_exist(heading: str) -> None:
    assert set(field_texts(HEADINGS[heading])) <= set(HEADINGS[heading].__struct_fields__)


@pytest.mark.parametrize("heading", HEADINGS)
def test_every_field_stands_at_its_position(heading: str) -> None:
    kind = HEADINGS[heading]
    first = 0 if kind in PARTS else 1
    rows = [(int(position), name) for position, name, _, _ in ROW.findall(SECTIONS[heading])]
    assert rows == list(enumerate(kind.__struct_fields__, first))


@pytest.mark.parametrize("heading", HEADINGS)
def test_every_field_that_may_be_nil_or_left_out_is_marked(heading: str) -> None:
    fields = {field.name: field for field in msgspec.structs.fields(HEADINGS[heading])}
    for _, name, kind, _ in ROW.findall(SECTIONS[heading]):
        if kind.strip() not in ("view", "patch"):
            assert ("?" in kind) == (type(None) in get_args(fields[name].type)), name
        assert ("optional" in kind) == (not fields[name].required), name


@pytest.mark.parametrize("heading", [heading for heading in HEADINGS if heading[0] in "→←"])
def test_every_message_has_an_example(heading: str) -> None:
    examples = EXAMPLE.findall(SECTIONS[heading])
    assert len(examples) == 1
    assert json.loads(examples[0][1])["type"] == heading[2:]


@pytest.mark.parametrize("name", CLIENT_MESSAGES)
def test_every_request_names_its_answer_and_its_errors(name: str) -> None:
    section = SECTIONS[f"→ {name}"]
    answers = re.search(r"^\*Answer:\* (.*)$", section, re.MULTILINE)
    errors = re.search(r"^\*Errors:\* (.*?)\n\n", section, re.DOTALL | re.MULTILINE)
    assert answers is not None
    assert errors is not None
    named = re.findall(r"\[`(\w+)`\]", answers[1])
    assert named
    assert set(named) <= set(SERVER_MESSAGES)
    assert set(CODE.findall(errors[1])) <= set(codes.REFUSALS)


def test_every_example_decodes_to_its_twin() -> None:
    examples = EXAMPLE.findall(TEXT)
    assert len(examples) == len(CLIENT_MESSAGES) + len(SERVER_MESSAGES)
    for shown, written in examples:
        assert twin(decoded(bytes.fromhex(shown))) == json.loads(written)


def decoded(frame: bytes) -> Any:
    try:
        return decode_client(frame)
    except WireError:  # names that are used in both directions have other fields in each
        return decode_server(frame)


def test_every_code_in_the_text_exists() -> None:
    known = {*codes.REFUSALS, *codes.NOTICES, *codes.RESYNCS, "bid.spent", "about.commitment"}
    files = {name for name in CODE.findall(BOTH) if name.endswith(".json")}
    assert set(CODE.findall(BOTH)) - files <= known
    assert all((SCHEMAS / name).exists() for name in files)
    closes = {
        int(code)
        for code in re.findall(r"\bclosed? (?:with )?(\d{4})\b|\bwith (\d{4})\b", BOTH)
        for code in code
        if code
    }
    assert closes
    assert closes <= set(codes.CLOSES)


def test_the_closes_after_which_nobody_may_come_back_are_those_that_the_sdk_takes_for_final() -> None:
    named = re.search(r"After ([0-9, and]+) a client must not connect", BOTH)
    assert named is not None
    assert {int(code) for code in re.findall(r"\d{4}", named[1])} == FINAL_CLOSES


@pytest.mark.parametrize("code", sorted({*codes.REFUSALS, *codes.NOTICES}))
def test_every_refusal_and_notice_is_named_where_it_occurs(code: str) -> None:
    assert len(re.findall(rf"`{re.escape(code)}`", BOTH)) >= 2, "once in the table, once where it occurs"


def test_the_replay_in_the_document_verifies() -> None:
    section = TEXT.split("<!-- replay -->")[1].split("<!-- end -->")[0]
    *_, whole = re.findall(r"```hex\n(.*?)\n```", section, re.DOTALL)
    verified = verify(bytes.fromhex(whole), Registry([SEALED_BIDS]))
    assert (verified.steps, verified.result.reason) == (0, codes.END_VOID)


def test_the_chain_is_made_as_the_document_says() -> None:
    chain = bytes(32)
    for link in replay_links():
        chain = sha256(chain + link.entry).digest()
        assert chain == link.chain


@pytest.mark.parametrize("kind", get_args(Entry), ids=lambda kind: kind.__name__)
def test_every_entry_of_a_log_is_described(kind: type[Struct]) -> None:
    assert f"| `{kind.__struct_config__.tag}` | `{kind.__struct_fields__[0]}`" in TEXT


@pytest.mark.parametrize("document", sorted(DOCS.rglob("*.md")), ids=lambda path: path.name)
def test_links_to_sections_of_the_protocol_lead_somewhere(document: Path) -> None:
    written = document.read_text()
    for target in (GUIDE, REFERENCE):
        links = set(re.findall(rf"\]\((?:\.\./)*{re.escape(target.name)}#([^)]+)\)", written))
        if document == target:
            links |= set(re.findall(r"\]\(#([^)]+)\)", written))
        assert links <= anchors(target.read_text())


def anchors(text: str) -> set[str]:
    """Return the anchors of all headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(anchor if anchor not in found else f"{anchor}-1")
    return found


def test_both_documents_are_of_the_version_that_is_spoken() -> None:
    assert GUIDE.read_text().startswith(f"# The Warroom protocol, version {VERSION}\n")
    assert TEXT.startswith(f"# The Warroom protocol, version {VERSION}: reference\n")


def test_the_guide_stays_short() -> None:
    assert len(GUIDE.read_text().splitlines()) < 400


def test_every_request_stands_in_the_table_of_what_may_be_sent_again() -> None:
    rows = GUIDE.read_text().split("<!-- again -->")[1].split("<!-- end -->")[0]
    first_cells = [line.split("|")[1] for line in rows.splitlines()[3:] if line]
    named = [name for cell in first_cells for name in re.findall(r"`(\w+)`", cell) if name != "rotate"]
    assert sorted(named) == sorted(CLIENT_MESSAGES)


def test_no_message_is_described_that_does_not_exist() -> None:
    assert {heading for heading in SECTIONS if heading[0] in "→←"} == {h for h in HEADINGS if h[0] in "→←"}
    assert all(issubclass(kind, Struct) for kind in HEADINGS.values())
