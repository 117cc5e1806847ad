"""What a bot can reach from its decision: the views of its seat, and nothing that others hide."""

import gc
from collections.abc import Iterator
from copy import copy
from types import BuiltinMethodType, FunctionType, MappingProxyType, MethodWrapperType, ModuleType
from typing import Any

import pytest
import sealed_bids
from msgspec.structs import replace

from warroom_bots.api import Action, BotKind, Decision, Limit
from warroom_bots.failures import BotFailedError
from warroom_bots.position import Position
from warroom_bots.simulation import simulate
from warroom_bots.table import Table
from warroom_games.api import IllegalActionError
from warroom_games.rng import Rng
from warroom_protocol.canonical import plain

HIDING = (sealed_bids.State, Table, Position)
OWN = "warroom_bots"


def reached(start: object) -> Iterator[object]:
    """Yield everything that attributes, slots, closures, globals of own functions and items lead to."""
    seen: dict[int, object] = {}
    waiting = [start]
    while waiting:
        found = waiting.pop()
        if id(found) in seen or isinstance(found, str | bytes | int):
            continue
        seen[id(found)] = found
        yield found
        waiting += neighbours(found)


def neighbours(found: object) -> Iterator[object]:
    """Yield what one object leads to without a call."""
    match found:
        case ModuleType():
            yield from vars(found).values() if is_own(found.__name__) else ()
        case FunctionType():
            yield from (*(found.__closure__ or ()), *(found.__defaults__ or ()), vars(found))
            yield from found.__globals__.values() if is_own(found.__module__) else ()
        case type():
            yield from (*vars(found).values(), *found.__mro__) if is_own(found.__module__) else ()
        case dict() | MappingProxyType():
            yield from (*found, *found.values())
        case list() | tuple() | set() | frozenset():
            yield from found
        case BuiltinMethodType() | MethodWrapperType():
            yield found.__self__
        case _:
            yield from (getattr(found, name, None) for name in dir(found))


def is_own(module: str) -> bool:
    return module.partition(".")[0] == OWN


def test_no_attribute_of_a_decision_leads_to_what_others_hide() -> None:
    table = Table(sealed_bids.GAME, 3, seed="1")
    decision = table.decision(0)
    decision.pick(Rng(bytes(16)))
    assert decision.private is not None
    found = list(reached(decision))
    assert any(each is decision.public for each in found), "the walk goes somewhere"
    assert [each for each in found if isinstance(each, HIDING)] == []
    assert not any(each in table.state.secrets for each in found if isinstance(each, sealed_bids.Secret))


def test_a_decision_that_is_kept_shows_what_it_showed() -> None:
    table = Table(sealed_bids.GAME, 2, seed="1")
    first, second = table.decision(0), table.decision(1)
    before = [plain(table.game.private(table.state, seat)) for seat in (0, 1)]
    table.play(0, first.legal[0])
    table.play(1, second.legal[0])
    assert [first.private, second.private] == before
    assert plain(table.game.private(table.state, 0)) != before[0]


def test_a_changed_copy_of_a_decision_shows_the_same() -> None:
    decision = Table(sealed_bids.GAME, 2, seed="1").decision(0)
    changed, same = replace(decision, limit=Limit(simulations=3)), copy(decision)
    private = decision.private
    del decision
    assert (changed.private, changed.limit) == (private, Limit(simulations=3))
    assert same.private == private


def test_the_position_of_a_decision_goes_with_it() -> None:
    table = Table(sealed_bids.GAME, 2, seed="1")
    state = table.state
    decision = table.decision(0)
    table.play(0, decision.legal[0])
    table.decision(1)
    del decision
    holders = [holder for holder in gc.get_referrers(state) if isinstance(holder, Position)]
    assert holders == []


class Forger(Rng, frozen=True):
    """Draws what the rules never offered."""

    def choice(self, items: Any) -> Any:
        """Return a card that the bot has not."""
        return sealed_bids.Bid(card=20), self

    def below(self, bound: int) -> Any:
        """Return no number."""
        return slice(0, 1), self


class Cheat:
    """Lets a generator of its own draw."""

    def choose(self, decision: Decision) -> Action:
        """Play what it drew."""
        return decision.pick(Forger(bytes(16)))[0]


def test_a_generator_of_the_bot_draws_nothing_that_is_not_listed() -> None:
    with pytest.raises(BotFailedError, match="the bot cheat at seat 0 fails"):
        simulate(
            sealed_bids.GAME, [BotKind(name="cheat", game=None, summary="", make=lambda rng: Cheat())] * 2, seed="1"
        )


def test_a_card_that_was_not_listed_is_checked() -> None:
    table = Table(sealed_bids.GAME, 2, seed="1")
    with pytest.raises(IllegalActionError):
        table.play(0, {"type": "bid", "card": 20})
