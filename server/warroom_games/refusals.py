"""The laws about refusals: their codes are well formed, and the rules page explains each of them.

Codes are found in random matches and in the source of the game, because random actions meet only some refusals.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from warroom_games.api import AnyGame, IllegalActionError, MalformedActionError
from warroom_games.codec import decode_action, encode
from warroom_games.fingerprint import sources_of
from warroom_games.law import LawBrokenError, hold, refusal
from warroom_games.playthrough import Playthrough
from warroom_games.raised_codes import CODE, RaisedCode, raised_codes
from warroom_games.rulebook import rules_page
from warroom_protocol.canonical import plain
from warroom_protocol.codes import RESERVED

_SAMPLE: Final = 12
_SHARED: Final = frozenset({"abc", "builtins", "typing", IllegalActionError.__module__})
"""Modules with bases that are no part of a game."""


def refusals_have_codes_of_the_game(match: Playthrough) -> None:
    """A refusal has a dotted code whose first part is not one of the protocol's own."""
    for refused in _refusals(match):
        hold(CODE.fullmatch(refused.code), f"{refused!r} has no dotted code")
        first = refused.code.partition(".")[0]
        hold(first not in RESERVED, f"{refused.code} begins like a code of the protocol")


def refusal_codes_are_on_the_rules_page(match: Playthrough) -> None:
    """The rules page, if there is one, mentions the code of every refusal.

    This covers the refusals of random matches, and every code that the source of the game raises.
    """
    page = rules_page(match.game)
    if page is None:
        return
    missing = [str(raised) for raised in codes_in_source(match.game) if not _mentions(page, raised.code)]
    if missing:
        raise LawBrokenError(f"the rules page does not mention {', '.join(missing)}")
    for code in {refused.code for refused in _refusals(match)}:
        hold(_mentions(page, code), f"the rules page does not mention {code}")


def codes_in_source(game: AnyGame) -> tuple[RaisedCode, ...]:
    """Return the codes that the source of a game raises, as far as the source shows them."""
    return _codes_of(own_modules(game))


def own_modules(game: AnyGame) -> tuple[str, ...]:
    """Return the modules of the class of a game, and of the classes that it is derived from."""
    modules = dict.fromkeys(kind.__module__ for kind in type(game).__mro__)
    return tuple(module for module in modules if module not in _SHARED)


def candidates(match: Playthrough) -> Iterator[Any]:
    """Yield different actions that are legal somewhere in the match, or one field away from a legal one."""
    seen: set[bytes] = set()
    for move in match.moves[:: max(len(match.moves) // _SAMPLE, 1)]:
        for mutant in _mutants(plain(move.action)):
            try:
                action = decode_action(match.game, encode(mutant))
            except MalformedActionError:
                continue
            if encode(action) not in seen:
                seen.add(encode(action))
                yield action


def _refusals(match: Playthrough) -> Iterator[IllegalActionError]:
    """Yield what the game says to all seats about actions of this match, most of them at a wrong moment."""
    tried = list(candidates(match))
    for state in match.sample(_SAMPLE):
        for seat in range(match.seats):
            for action in tried:
                refused = refusal(match.game, state, seat, action)
                if refused is not None:
                    yield refused


def _mutants(action: dict[str, Any]) -> Iterator[dict[str, object]]:
    yield action
    for name, value in action.items():
        if isinstance(value, int):
            yield from ({**action, name: value + step} for step in (-1, 1, 7, 900))


@cache
def _codes_of(modules: tuple[str, ...]) -> tuple[RaisedCode, ...]:
    # Two modules of one package have the same files.
    files = {name: source for module in modules for name, source in sources_of(module)}
    return raised_codes(files)


def _mentions(page: str, code: str) -> bool:
    """Whether a page names a code, not only a longer one that contains it."""
    return re.search(rf"(?<![\w.]){re.escape(code)}(?!\w|\.\w)", page) is not None
