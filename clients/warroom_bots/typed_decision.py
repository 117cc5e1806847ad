"""A decision in the types of its game, for bots that prefer fields to maps.

    seen = decision.typed(GAME)
    cells = seen.public.cells

Each part is converted when it is read, so a bot pays only for what it uses.
"""

from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from warroom_games.api import Typed, View

P_co = TypeVar("P_co", covariant=True)


class ShowsType(Protocol[P_co]):
    """A game that names the type of its public view."""

    @property
    def view_type(self) -> type[P_co]:
        """The Struct that `public` returns."""
        ...


class PlainDecision(Protocol):
    """The parts of a `Decision` that have types."""

    @property
    def public(self) -> View:
        """The public view."""
        ...

    @property
    def private(self) -> View | None:
        """The private view of the seat."""
        ...

    @property
    def legal(self) -> tuple[View, ...]:
        """The legal actions."""
        ...


class TypedDecision(Generic[P_co]):
    """The views and legal actions of a decision as the Structs of the game, in the same order."""

    def __init__(self, plain: PlainDecision, game: ShowsType[P_co]) -> None:
        self._plain = plain
        self._game: Any = game

    @cached_property
    def public(self) -> P_co:
        """The public view."""
        if not hasattr(self._game, "view_type"):
            raise TypeError(f"{self._game.info.id} names no type of its public view (view_type)")
        view: P_co = msgspec.convert(self._plain.public, self._game.view_type)
        return view

    @cached_property
    def private(self) -> Any:
        """The private view of the seat; None if the game has none now."""
        if not isinstance(self._game, Typed):
            raise TypeError(f"{self._game.info.id} names no type of its private views (private_view_type)")
        return msgspec.convert(self._plain.private, self._game.private_view_type)

    @cached_property
    def legal(self) -> tuple[Any, ...]:
        """The legal actions; a bot may return one of them as it is."""
        kind = self._game.action_type
        return tuple(msgspec.convert(action, kind) for action in self._plain.legal)
