"""`warroom check-game`: test a game against the laws that every game must keep."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from warroom_games.api import AnyGame
from warroom_games.conformance import LAWS, Law
from warroom_games.registry import RegistryError, import_part, load_game, load_games
from warroom_server.commands.law_report import LawReport, outcome

if TYPE_CHECKING:
    from warroom_games.trials import Verdict

SUMMARY = "test a game against the laws that every game must keep"
EXAMPLE = "warroom check-game graph_battle --examples 10"

OBJECT = "GAME"
"""Default name of the game object in its module."""

_NAMES = {law.__name__: law for law in LAWS}
_WIDTH = max(map(len, _NAMES))


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "game", metavar="MODULE[:OBJECT]", help="module of the game (object: GAME, also in MODULE.rules), or its id"
    )
    parser.add_argument("--examples", type=_count, default=25, metavar="N", help="matches per law (default: 25)")
    parser.add_argument(
        "--law", choices=sorted(_NAMES), action="append", metavar="NAME", help="only this law (may be repeated)"
    )
    parser.add_argument("--seed", type=_count, default=1, metavar="N", help="seed of the random matches (default: 1)")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def run(args: Namespace) -> int:
    """Test the laws one by one, and print a line for each."""
    try:
        from warroom_games.trials import try_law
    except ModuleNotFoundError as error:
        print(f"warroom check-game: {error.name} is missing: pip install 'warroom[laws]'", file=sys.stderr)
        return 1
    try:
        game = find_game(args.game)
    except RegistryError as error:
        print(f"warroom check-game: {error}", file=sys.stderr)
        return 2
    verdicts: list[Verdict] = []
    for law in LAWS if args.law is None else map(_NAMES.__getitem__, args.law):
        verdict = try_law(law, game, matches=args.examples, number=args.seed, told=_progress(law))
        verdicts.append(verdict)
        _clear()
        if not args.json:
            print(f"{law.__name__:<{_WIDTH}}  {outcome(verdict)}", flush=True)
    report = LawReport(game, verdicts, rerun=lambda law: _again(law, args))
    print(report.as_json(args.seed) if args.json else report.as_text())
    return 1 if any(verdict.breach for verdict in verdicts) else 0


def find_game(name: str) -> AnyGame:
    """Return the game of a module, or the installed game of that id; raise `RegistryError` if there is none."""
    if not all(part.isidentifier() for part in name.replace(":", ".").split(".")):
        raise RegistryError(f"{name!r} is not a module; write it as in an import: my_game, or my_game.rules:GAME")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a game in development need not be installed
    if ":" in name:
        return load_game(name)
    games = load_games()
    if name in games.left_out or name in {game.info.id for game in games}:
        return games.get(name)
    return load_game(f"{name}.rules:{OBJECT}" if _has_rules(name) else f"{name}:{OBJECT}")


def _has_rules(package: str) -> bool:
    """Whether a package keeps its game in a module `rules`, like the packages of `warroom new-game`."""
    import_part(package)  # find_spec would raise what a broken package raises; this reports it in one line
    try:
        return find_spec(f"{package}.rules") is not None
    except ModuleNotFoundError:
        return False


def _again(law: Law, args: Namespace) -> str:
    return f"warroom check-game {args.game} --law {law.__name__} --examples {args.examples} --seed {args.seed}"


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _progress(law: Law) -> Callable[[int], None]:
    """Return a progress callback: it prints on a terminal and does nothing elsewhere."""

    def tell(tried: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{law.__name__:<{_WIDTH}}  match {tried + 1}\x1b[K")
            sys.stderr.flush()

    return tell


def _clear() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
