"""Finds games: those of installed packages (entry points) and those given by reference."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import TypeAlias, cast

from warroom_games.api import AnyGame, Game, GameInfo

ENTRY_POINTS = "warroom.games"
"""The entry point group of games."""

RulesVersion: TypeAlias = tuple[str, int]
"""A game id and a rules version."""


class RegistryError(LookupError):
    """A game cannot be found, or the registered object is not a game."""

    def __str__(self) -> str:
        return str(self.args[0])


class Registry:
    """Games by id and rules version; iterates by id, newest version first.

    *left_out* says, by installed name, why a game could not be loaded.
    """

    def __init__(self, games: Iterable[AnyGame], left_out: Mapping[str, str] | None = None) -> None:
        self.left_out = dict(left_out or {})
        self._games: dict[tuple[str, int], AnyGame] = {}
        for game in games:
            self._add(game)

    def __iter__(self) -> Iterator[AnyGame]:
        return (self._games[key] for key in sorted(self._games, key=lambda key: (key[0], -key[1])))

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, key: tuple[str, int]) -> bool:
        return key in self._games

    def newest(self) -> list[AnyGame]:
        """Return the newest version of each game, by id; new rooms use these."""
        newest: dict[str, AnyGame] = {}
        for game in self:
            newest.setdefault(game.info.id, game)
        return list(newest.values())

    def get(self, game_id: str, rules_version: int | None = None) -> AnyGame:
        """Return a game in one version, or in its newest; raise `RegistryError`, which lists the choices."""
        versions = [game for game in self if game.info.id == game_id]
        if not versions and game_id in self.left_out:
            raise RegistryError(self.left_out[game_id])
        if not versions:
            ids = ", ".join(game.info.id for game in self.newest())
            raise RegistryError(f"unknown game {game_id!r}; installed: {ids or 'none'}")
        for game in versions:
            if rules_version in (None, game.info.rules_version):
                return game
        known = ", ".join(str(game.info.rules_version) for game in versions)
        raise RegistryError(f"{game_id} has no rules version {rules_version}; installed: {known}")

    def _add(self, game: AnyGame) -> None:
        key = (game.info.id, game.info.rules_version)
        if self._games.setdefault(key, game) is not game:
            raise RegistryError(f"two different games are registered as {key[0]} version {key[1]}")


def load_games(extra: Iterable[str] = ()) -> Registry:
    """Return the games of all installed packages and those in *extra*, given as `module:object`.

    An installed game that fails to load, or that another package already offers, is skipped so that it does not block
    the others. A game in *extra* that fails raises `RegistryError`.
    """
    games: list[AnyGame] = []
    packages: dict[tuple[str, int], str] = {}
    left_out: dict[str, str] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=_precedence):
        package = _package(point)
        try:
            games.append(_load_new(point, games, packages))
        except RegistryError as error:
            name = point.name if point.name not in left_out else f"{point.name} of {package}"
            reason = f"game {point.name} of the package {package}: {error}"
            left_out[name] = f"{reason}; `pip uninstall {package}` removes it"
    return Registry([*games, *map(load_game, extra)], left_out)


def _load_new(point: EntryPoint, games: list[AnyGame], packages: dict[tuple[str, int], str]) -> AnyGame:
    """Load a game and record its package; raise `RegistryError` if another package already has it."""
    game = load_game(point.value)
    key = (game.info.id, game.info.rules_version)
    if key in packages and all(game is not other for other in games):
        raise RegistryError(f"the package {packages[key]} already has {key[0]} version {key[1]}")
    packages.setdefault(key, _package(point))
    return game


def _precedence(point: EntryPoint) -> tuple[bool, str, str]:
    """Return the precedence of a game for its id: Warroom's own come first, then all by name, wherever they are."""
    package = _package(point)
    return package != "warroom", package, point.name


def _package(point: EntryPoint) -> str:
    return "unknown" if point.dist is None else point.dist.name


def load_game(reference: str) -> AnyGame:
    """Return the game at `module:object`; raise `RegistryError` if there is none."""
    module_name, colon, path = reference.partition(":")
    if not (module_name and colon and path):
        raise RegistryError(f"{reference!r} does not name a game: write module:object")
    found: object = import_part(module_name)
    for name in path.split("."):
        if not hasattr(found, name):
            raise RegistryError(f"{module_name!r} has no {path!r} (from {reference!r})")
        found = getattr(found, name)
    return _as_game(reference, found)


def import_part(module_name: str) -> ModuleType:
    """Import a module of a game; raise a one-line `RegistryError` whatever goes wrong."""
    try:
        return import_module(module_name)
    except Exception as error:
        # Importing runs third-party code, which may raise anything; the message reports it.
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise RegistryError(f"cannot import {module_name!r}: {what}") from error


def _as_game(reference: str, found: object) -> AnyGame:
    missing = [name for name in _contract() if not hasattr(found, name)]
    if missing:
        raise RegistryError(f"{reference!r} is not a game: it lacks {', '.join(missing)}")
    game = cast(AnyGame, found)
    if isinstance(found, type) or not isinstance(game.info, GameInfo):
        raise RegistryError(f"{reference!r} is not a game: it must be an object whose info is a GameInfo")
    return game


def _contract() -> list[str]:
    fields = list(Game.__annotations__)
    return fields + [name for name in vars(Game) if not name.startswith("_")]
