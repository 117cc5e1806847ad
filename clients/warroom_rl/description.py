"""Describes the spaces of an environment for people."""

import re
from collections.abc import Iterator
from itertools import groupby

from warroom_rl.action_spaces import FactoredActions, IndexedActions
from warroom_rl.features import Cell
from warroom_rl.setting import Setting

MOST_SIZES = 4
"""A field with more factors than this is described by their number."""


def described(setting: Setting) -> Iterator[str]:
    """Yield a line for each range of indices or each field of factors, and for each field of the observation."""
    info = setting.game.info
    yield f"{info.id}, rules version {info.rules_version}, {setting.seats} seats"
    actions = setting.actions
    if isinstance(actions, IndexedActions):
        yield f"action: an index, 0 to {actions.mask_size - 1}"
        yield from _indices(actions)
    else:
        yield f"action: a vector of {len(actions.labels)} factors"
        yield from _factors(actions)
    yield f"observation: {setting.views.size} numbers"
    yield from _numbers(setting)


def _indices(actions: IndexedActions) -> Iterator[str]:
    for start, form in zip(actions.starts, actions.forms, strict=True):
        fields = zip(form.fields.names, form.fields.parts, strict=True)
        names = (
            [f"{name} {_sizes(part.sizes)}" for name, part in fields] if form.listed is None else ["listed one by one"]
        )
        yield f"  {_range(start, form.size):<12} {form.tag}{': ' if names else ''}{', '.join(names)}"


def _factors(actions: FactoredActions) -> Iterator[str]:
    yield f"  {0:<12} type {len(actions.forms)}: {', '.join(form.tag for form in actions.forms)}"
    for slot in actions.slots:
        users = [form.tag for form, slots in zip(actions.forms, actions.slots_by_form, strict=True) if slot in slots]
        sizes = slot.domain.sizes
        yield f"  {_range(slot.start, len(sizes)):<12} {slot.name} {_sizes(sizes)}: {', '.join(users)}"


def _numbers(setting: Setting) -> Iterator[str]:
    start = 0
    for name, cells in groupby(setting.views.cells(), _field):
        size = sum(1 for _ in cells)
        yield f"  {_range(start, size):<12} {name}"
        start += size


def _field(cell: Cell) -> str:
    """Return the name of the field that a number belongs to: up to the first list, or what is said of it."""
    return re.split(r"\[| ", cell.name, maxsplit=1)[0]


def _sizes(sizes: tuple[int, ...]) -> str:
    return " x ".join(map(str, sizes)) if len(sizes) <= MOST_SIZES else f"{len(sizes)} factors"


def _range(start: int, size: int) -> str:
    return str(start) if size == 1 else f"{start} to {start + size - 1}"
