"""The action types of a game with the finite sets of their fields."""

from collections.abc import Sequence
from math import prod
from typing import Any

import msgspec.inspect as inspect
from msgspec import Struct

from warroom_games.api import AnyGame
from warroom_rl.domain_types import categories_of, struct
from warroom_rl.domains import Product
from warroom_rl.errors import BoundError, SetupError
from warroom_rl.field_bounds import FieldBounds

ACTION = "action"
"""The first name in the path of a field of an action."""


class ActionForm(Struct, frozen=True):
    """One action type: its actions by their codes, or a list of them all."""

    tag: str
    fields: Product
    listed: tuple[Any, ...] | None = None

    @property
    def size(self) -> int:
        """The number of actions."""
        return prod(self.fields.sizes) if self.listed is None else len(self.listed)

    def position(self, action: Any) -> int:
        """Return the number of an action, counted from 0: the last factor counts fastest."""
        if self.listed is not None:
            return self._listed_position(action)
        position = 0
        for size, number in zip(self.fields.sizes, self.fields.encode(action), strict=True):
            position = position * size + number
        return position

    def action_at(self, position: int) -> Any:
        """Return the action with a number; raise `BoundError` if there is none."""
        if self.listed is not None:
            return self.listed[position]
        code: list[int] = []
        for size in reversed(self.fields.sizes):
            position, number = divmod(position, size)
            code.insert(0, number)
        return self.fields.decode(code)

    def _listed_position(self, action: Any) -> int:
        assert self.listed is not None
        try:
            return self.listed.index(action)
        except ValueError:
            raise BoundError(f"{action} is not among the {len(self.listed)} actions {self.tag!r}") from None


def action_forms(game: AnyGame, bounds: FieldBounds) -> tuple[ActionForm, ...]:
    """Return the types of the actions that a player may play, in the game's order."""
    found = inspect.type_info(game.action_type)
    kinds: Sequence[inspect.Type] = found.types if isinstance(found, inspect.UnionType) else (found,)
    forms = [_form(kind, bounds) for kind in kinds if isinstance(kind, inspect.StructType)]
    if len(forms) != len(kinds) or not forms:
        raise SetupError(f"the actions of {game.info.id} are not Structs with a tag")
    return tuple(form for form in forms if form.tag != game.info.clock_action)


def _form(kind: inspect.StructType, bounds: FieldBounds) -> ActionForm:
    tag, listed = str(kind.tag), categories_of(bounds.find((ACTION, str(kind.tag))))
    if listed is not None:
        return ActionForm(tag, Product((), (), tuple, iter), listed)
    return ActionForm(tag, struct(kind, (ACTION, tag), bounds))
