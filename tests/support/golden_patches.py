"""Golden patches: pairs of views and the patch between them, which every implementation must apply alike."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, defstruct

from warroom_games.rng import Rng
from warroom_protocol.canonical import plain
from warroom_protocol.patches import diff

PATCHES: Final = Path(__file__).parents[1] / "golden" / "patches.json"
CASES: Final = 200
KEYS: Final = ("", "a", "army", "B", "9", "10", "é", "\uffff", "\U00010000", "\U0001f3b2", "__proto__")
"""Keys that sort otherwise as numbers, or by UTF-16."""


class _Draw:
    """Draws views. Structs have some of the keys as fields, and sometimes a tag among them."""

    def __init__(self) -> None:
        self._rng = Rng(bytes(16))

    def below(self, bound: int) -> int:
        """Return a number."""
        value, self._rng = self._rng.below(bound)
        return value

    def keys(self) -> Sequence[str]:
        """Return some keys in any order."""
        keys, self._rng = self._rng.sample(KEYS, 2 + self.below(4))
        return keys

    def view(self, depth: int) -> Any:
        """Return a view."""
        match self.below(6) if depth else 0:
            case 0:
                return (None, True, False, -1, 300, "x", "é")[self.below(7)]
            case 1:
                return tuple(self.view(depth - 1) for _ in range(self.below(4)))
            case 2:
                return {key: self.view(depth - 1) for key in self.keys()}
            case _:
                return self.struct(depth)

    def struct(self, depth: int) -> Any:
        """Return a Struct of a new type."""
        names = {f"field_{index}": key for index, key in enumerate(self.keys())}
        tag = None if self.below(2) else "kind"
        kind = defstruct("Drawn", [(name, Any) for name in names], rename=names, tag=tag, frozen=True)
        return kind(*(self.view(depth - 1) for _ in names))

    def changed(self, view: Any) -> Any:
        """Return a view that differs in some places."""
        if isinstance(view, Struct):
            values = [getattr(view, name) for name in view.__struct_fields__]
            return type(view)(*(self.changed(value) if self.below(2) else value for value in values))
        if isinstance(view, tuple) and view:
            return (*map(self.changed, view[:-1]), *((), (view[-1], 7))[self.below(2)])
        if isinstance(view, dict):
            kept = {key: self.changed(value) for key, value in view.items() if self.below(4)}
            return {**kept, KEYS[self.below(len(KEYS))]: self.view(1)}
        return self.view(1) if self.below(2) else view


def golden_patches() -> str:
    """Return the text of the file."""
    draw = _Draw()
    cases: list[dict[str, Any]] = []
    while len(cases) < CASES:
        before = draw.struct(2)
        after = draw.changed(before)
        if patch := diff(before, after):
            cases.append({"before": plain(before), "patch": plain(patch), "after": plain(after)})
    return "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n"
