"""A seat's decision as the rules have it, and the decision that its bot gets, which leads to views alone.

The state holds what others hide, so nothing that a bot holds refers to it: a decision has a handle in place of its
position. Who holds it may ask for the views of its seat; the position stays where attributes do not lead.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec.msgpack import decode

from warroom_bots.api import Action, Decision, Limit
from warroom_games.api import AnyGame, MalformedActionError, Noting, Seat, View
from warroom_games.codec import encode
from warroom_games.rng import Rng
from warroom_protocol.canonical import plain

T = TypeVar("T")


class Position(Struct):
    """The position at a decision. Plain forms are made when they are read, and once."""

    game: AnyGame
    state: Any
    seat: Seat
    has_notes: bool
    """Whether the bot wants the game's notes."""
    failure: BaseException | None = None
    """The last error of the rules; the bot that reads meets it first, but did not make it."""
    _actions: Sequence[Any] | None = None
    _legal: tuple[Action, ...] | None = None
    picked: tuple[Action, bytes, Any] | None = None
    """The action that the bot drew last: in plain form, as bytes, and as the rules have it."""
    _public: tuple[View] | None = None
    _private: tuple[View] | None = None

    def listed(self, action: Action) -> Any | None:
        """Return the listed action that a bot chose; None if it has another one, or changed it."""
        picked = self.picked
        if picked is None or picked[0] is not action:
            if self._legal is None or self._actions is None:
                return None
            try:
                listed = self._actions[self._legal.index(action)]
            except ValueError:
                return None
            picked = action, encode(listed), listed
        # Equal is not the same: True equals 1. And a bot may have changed the very object that it got.
        return picked[2] if encoded(self.game, action) == picked[1] else None

    def legal(self) -> tuple[Action, ...]:
        """Return the legal actions."""
        if self._legal is None:
            self._legal = _plain_list(self.game.action_type)(self.listing())
        return self._legal

    def public(self) -> View:
        """Return the public view."""
        if self._public is None:
            self._public = (plain(self._asked(self.game.public, self.state)),)
        return self._public[0]

    def private(self) -> View:
        """Return the private view of the seat."""
        if self._private is None:
            self._private = (plain(self._asked(self.game.private, self.state, self.seat)),)
        return self._private[0]

    def notes(self) -> tuple[str, ...]:
        """Return the game's notes, if the bot wants them and there are any."""
        if not self.has_notes or not isinstance(self.game, Noting):
            return ()
        notes = tuple(self._asked(self.game.notes, self.public(), self.private(), self.legal()))
        return notes if any(notes) else ()

    def listing(self) -> Sequence[Any]:
        """Return the legal actions as the rules have them."""
        actions = self._actions
        if actions is None:
            try:
                actions = self._actions = tuple(self.game.legal_actions(self.state, self.seat))
            except BaseException as error:
                self.failure = error
                raise
        return actions

    def _asked(self, ask: Callable[..., T], *arguments: Any) -> T:
        try:
            return ask(*arguments)
        except BaseException as error:
            self.failure = error
            raise


class _Vault(NamedTuple):
    """Where the positions of all decisions are, as what may be done with it."""

    keep: Callable[[int, Position], None]
    drop: Callable[[int], None]
    public: Callable[["LazyDecision"], View]
    private: Callable[["LazyDecision"], View | None]
    legal: Callable[["LazyDecision"], tuple[Action, ...]]
    notes: Callable[["LazyDecision"], tuple[str, ...]]
    pick: Callable[["LazyDecision", Rng], tuple[Action, Rng]]


def _vault() -> _Vault:
    positions: dict[int, Position] = {}
    """By the id of the handle."""

    def pick(decision: "LazyDecision", rng: Rng) -> tuple[Action, Rng]:
        position = positions[id(decision._handle)]
        actions = position.listing()
        # The generator is the bot's own, so only a place in the list is taken from it.
        place, rng = rng.below(len(actions))
        if type(place) is not int:
            raise TypeError(f"{place!r} is no place in a list")
        action = actions[place]
        data = encode(action)
        chosen = decode(data)
        position.picked = chosen, data, action
        return chosen, rng

    return _Vault(
        keep=_sealed(positions.__setitem__),
        drop=_sealed(positions.__delitem__),
        public=_sealed(lambda decision: positions[id(decision._handle)].public()),
        private=_sealed(lambda decision: positions[id(decision._handle)].private()),
        legal=_sealed(lambda decision: positions[id(decision._handle)].legal()),
        notes=_sealed(lambda decision: positions[id(decision._handle)].notes()),
        pick=_sealed(pick),
    )


def _sealed(function: Callable[..., T]) -> Callable[..., T]:
    """Return a function that can be called, but whose attributes lead nowhere.

    A function has its closure as an attribute, and a method its object. The cache of the standard library, here one
    that keeps nothing, is written in C and has neither.
    """
    sealed = lru_cache(maxsize=0)(function)
    del sealed.__wrapped__
    return sealed


_VAULT: Final = _vault()
_keep, _drop = _VAULT.keep, _VAULT.drop


class _Handle:
    """Stands for a position in its decision and in copies of it, for as long as one of them exists."""

    __slots__ = ()

    def __del__(self) -> None:
        _drop(id(self))


class LazyDecision(Decision, frozen=True, kw_only=True):
    """A decision that makes its views and lists when they are read, and travels as an ordinary one.

    To its readers it is an ordinary `Decision`.
    """

    _handle: _Handle

    if not TYPE_CHECKING:  # where these are fields and a method
        public = property(_VAULT.public)
        private = property(_VAULT.private)
        legal = property(_VAULT.legal)
        notes = property(_VAULT.notes)
        pick = _VAULT.pick

    def __repr__(self) -> str:
        kind, fields = self.__reduce__()
        return repr(kind(*fields))

    def __reduce__(self) -> tuple[type[Decision], tuple[Any, ...]]:
        return Decision, (
            self.seat,
            self.public,
            self.private,
            self.legal,
            self.complete,
            self.notes,
            self.left_ms,
            self.lag_ms,
            self.limit,
        )


def decision_at(position: Position, limit: Limit) -> Decision:
    """Return what the bot of a position gets."""
    handle = _Handle()
    _keep(id(handle), position)
    return LazyDecision(position.seat, None, None, (), position.game.info.complete, limit=limit, _handle=handle)


def encoded(game: AnyGame, action: Action) -> bytes:
    """Return a bot's choice as the wire has it; raise `MalformedActionError` if no message can carry it."""
    try:
        return encode(action)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise MalformedActionError(f"not an action of {game.info.id}: {error}") from error


@cache
def _plain_list(action_type: Any) -> Callable[[Sequence[Any]], tuple[Action, ...]]:
    """Return what gives a list of actions its plain form, by the shortest way that their type allows."""
    if b'"array"' in msgspec.json.encode(msgspec.json.schema(action_type)):
        return lambda actions: tuple(plain(actions))
    # Less than half the cost, but an array inside an action would become a tuple, not a list.
    return lambda actions: msgspec.to_builtins(actions, builtin_types=(bytes,))
