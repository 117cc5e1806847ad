"""Ajv in strict mode, an independent validator: it refuses to compile a schema with anything unknown or ambiguous."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from node_packages import install, node
from protocol_document import SCHEMAS

from warroom_games.hints import HINTS

FOLDER: Final = Path(__file__).with_name("schema_validators")


def problems(cases: Iterable[tuple[str, object]], *, folder: Path = SCHEMAS) -> list[str | None]:
    """Return what is wrong with each case, a schema's path and a value; None if the value fits."""
    install(FOLDER)
    lines = [json.dumps(sorted(HINTS)), *map(json.dumps, cases)]
    answer = node(FOLDER, str(FOLDER / "validate.mjs"), str(folder), stdin="\n".join(lines))
    found: list[str | None] = [json.loads(line) for line in answer.splitlines()]
    assert len(found) == len(lines) - 1
    return found
