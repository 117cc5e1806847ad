"""Makes a bot of what a reference names: `MODULE:OBJECT`, `PATH.py` or `PATH.py:OBJECT`.

The object is a `BotKind`, a class with a method `choose`, or a function `choose(decision)`.
"""

import inspect
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, cast

from warroom_bots.api import Action, Bot, BotKind, Decision
from warroom_bots.bot_files import BotFileError, import_file
from warroom_games.registry import RegistryError, import_part
from warroom_games.rng import Rng

LONGEST_NAME: Final = 40
WANTED: Final = "a function choose(decision), a class with a method choose(decision), or a BotKind"
SETTINGS: Final = ("summary", "least_think_ms", "is_slow", "is_timed", "wants_notes")
"""The fields of a `BotKind` that a class or a function may set as attributes."""


class BotReferenceError(ValueError):
    """A reference leads to no bot; the message is one line."""


class FunctionBot:
    """A bot that is one function: of the decision, or of the decision and a generator of its own."""

    def __init__(self, function: Callable[..., Action], rng: Rng) -> None:
        self.function = function
        self._takes_rng = len(_required(function)) > 1
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Return the function's choice."""
        if not self._takes_rng:
            return self.function(decision)
        own, self._rng = self._rng.spawn()
        return self.function(decision, own)


def is_reference(text: str) -> bool:
    """Whether a text names a file or an object in a module, unless it is the name of a bot."""
    return ":" in text or "/" in text or text.endswith(".py")


def load_bot(game: str, reference: str) -> BotKind:
    """Return the bot at a reference; raise `BotReferenceError` if it names none that plays the game."""
    place, colon, name = reference.rpartition(":")
    if reference.endswith(".py") or not colon:
        place, name = reference, ""
    if not place.endswith(".py") and not (place and name):
        raise BotReferenceError(f"{reference!r} names no bot; write PATH.py, PATH.py:OBJECT or MODULE:OBJECT")
    module = _module(place)
    found = _attribute(module, place, name) if name else _only_bot(module, place, game)
    home = Path(place).stem if place.endswith(".py") else place.rpartition(".")[2]
    kind = _as_kind(found, game, module, f"{home}.{name}" if name else home, f"{place}:{name}" if name else place)
    if kind.game not in (game, None):
        raise BotReferenceError(f"{reference} plays {kind.game}, not {game}")
    return kind


def _module(place: str) -> ModuleType:
    try:
        if place.endswith(".py"):
            return import_file(Path(place))
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.append(str(Path.cwd()))  # a bot in development need not be installed
        return import_part(place)
    except (BotFileError, RegistryError) as error:
        raise BotReferenceError(str(error)) from error


def _attribute(module: ModuleType, place: str, path: str) -> object:
    found: object = module
    for name in path.split("."):
        if not hasattr(found, name):
            known = ", ".join(_bots_in(module)) or "no bots"
            raise BotReferenceError(f"{place} has no {path!r}; it has {known}")
        found = getattr(found, name)
    return found


def _only_bot(module: ModuleType, place: str, game: str) -> object:
    """Return the bot of a file: its `BotKind` for the game, or else its one class or function."""
    bots = _bots_in(module)
    kinds = {name: bot for name, bot in bots.items() if isinstance(bot, BotKind)}
    fitting = {name: kind for name, kind in kinds.items() if kind.game in (game, None)}
    choices = fitting or kinds or bots
    if not choices:
        raise BotReferenceError(f"{place} has no bot; write {WANTED}")
    if len(choices) > 1:
        first = next(iter(choices))
        raise BotReferenceError(f"{place} has several bots: {', '.join(choices)}; name one, such as {place}:{first}")
    return next(iter(choices.values()))


def _bots_in(module: ModuleType) -> dict[str, object]:
    """Return everything in a module that is a bot, except what it imported."""
    return {name: found for name, found in vars(module).items() if _is_bot(name, found, module.__name__)}


def _is_bot(name: str, found: object, module: str) -> bool:
    if name.startswith("_"):
        return False
    if isinstance(found, BotKind):
        return True
    if getattr(found, "__module__", None) != module:
        return False
    if isinstance(found, FunctionType):
        return name == "choose"
    return _is_bot_class(found) and not inspect.isabstract(found)


def _is_bot_class(found: object) -> bool:
    is_interface = getattr(found, "_is_protocol", False)
    return isinstance(found, type) and callable(getattr(found, "choose", None)) and not is_interface


def _as_kind(found: object, game: str, module: ModuleType, label: str, where: str) -> BotKind:
    if isinstance(found, BotKind):
        return found
    if not (isinstance(found, FunctionType) or _is_bot_class(found)):
        raise BotReferenceError(f"{where} is not a bot; write {WANTED}")
    settings: dict[str, Any] = {name: getattr(found, name) for name in SETTINGS if hasattr(found, name)}
    settings.setdefault("summary", (inspect.getdoc(found) or label).splitlines()[0])
    make = _function_maker(found, where) if isinstance(found, FunctionType) else _class_maker(found, where)
    source = str(Path(module.__file__ or "").resolve())
    return BotKind(name=label[-LONGEST_NAME:], game=game, make=make, source=source, **settings)


def _function_maker(function: FunctionType, where: str) -> Callable[[Rng], Bot]:
    if len(_required(function)) not in (1, 2):
        raise BotReferenceError(f"{where} is not a bot: write {function.__name__}(decision), or (decision, rng)")
    return partial(FunctionBot, function)


def _class_maker(found: object, where: str) -> Callable[[Rng], Bot]:
    bot = cast(Callable[..., Bot], found)
    required = _required(bot)
    if len(required) > 1:
        raise BotReferenceError(f"{where} takes {', '.join(required)}; a bot is made with an Rng or with nothing")
    if required:
        return bot
    return partial(_with_named_rng if "rng" in _parameters(bot) else _without_rng, bot)


def _with_named_rng(bot: Callable[..., Bot], rng: Rng) -> Bot:
    return bot(rng=rng)


def _without_rng(bot: Callable[..., Bot], _: Rng) -> Bot:
    return bot()


def _required(function: Callable[..., object]) -> list[str]:
    """Return the parameters that a call must give by position."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [
        name
        for name, parameter in _parameters(function).items()
        if parameter.kind in positional and parameter.default is inspect.Parameter.empty
    ]


def _parameters(function: Callable[..., object]) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(function).parameters)
