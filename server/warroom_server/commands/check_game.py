"""`warroom check-game`: test a game against the laws that every game must keep."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

import msgspec

from warroom_games.api import AnyGame
from warroom_games.conformance import LAWS, Law
from warroom_games.conservation import conserved_names, conserved_quantities_are_conserved
from warroom_games.event_secrecy import events_tell_no_more_than_views
from warroom_games.registry import RegistryError, import_part, load_game, load_games

if TYPE_CHECKING:
    from warroom_games.trials import Breach, Verdict

SUMMARY = "test a game against the laws that every game must keep"
EXAMPLE = "warroom check-game graph_battle --examples 10"

OBJECT = "GAME"
"""Default name of the game object in its module."""

_NAMES = {law.__name__: law for law in LAWS}
_WIDTH = max(map(len, _NAMES))
_LONGEST_MESSAGE = 1000


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
    verdicts = []
    for law in LAWS if args.law is None else map(_NAMES.__getitem__, args.law):
        verdict = try_law(law, game, matches=args.examples, number=args.seed, told=_progress(law))
        verdicts.append(verdict)
        _clear()
        if not args.json:
            print(_line(verdict), flush=True)
    print(_json(game, verdicts, args) if args.json else _summary(game, verdicts, args))
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


def _line(verdict: "Verdict") -> str:
    name = f"{verdict.law.__name__:<{_WIDTH}}"
    return f"{name}  BROKEN" if verdict.breach else f"{name}  kept in {_matches(verdict.matches)}"


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"


def _summary(game: AnyGame, verdicts: "list[Verdict]", args: Namespace) -> str:
    broken = [verdict for verdict in verdicts if verdict.breach]
    title = f"{game.info.name} (rules version {game.info.rules_version})"
    if not broken:
        kept = f"\n{title} keeps {'the law' if len(verdicts) == 1 else f'all {len(verdicts)} laws'}."
        return "\n".join([kept, *_compared(verdicts), *_counted(game, verdicts)])
    lines = [f"\n{title} breaks {len(broken)} of {len(verdicts)} laws."]
    for verdict in broken:
        assert verdict.breach is not None
        lines += ["", *_explained(verdict.law, verdict.breach)]
        lines.append(f"  rerun:    {_again(verdict.law, args)}")
    return "\n".join(lines)


def _compared(verdicts: "list[Verdict]") -> list[str]:
    """Return a line with the number of compared events per type, if the law about events was tested."""
    for verdict in verdicts:
        if verdict.law is events_tell_no_more_than_views:
            if not verdict.hiding:
                return ["The game hides nothing, so there are no hidden worlds to compare events between."]
            counts = [f"{name} {count}" for name, count in verdict.compared.items()]
            return [f"Events compared between indistinguishable worlds: {', '.join(counts) or 'none'}."]
    return []


def _counted(game: AnyGame, verdicts: "list[Verdict]") -> list[str]:
    """Return a line with the conserved quantities, if that law was tested: without any it proves nothing."""
    if conserved_quantities_are_conserved not in [verdict.law for verdict in verdicts]:
        return []
    names = conserved_names(game)
    if names:
        return [f"Conserved quantities checked at each step: {', '.join(names)}."]
    return ["The game names no conserved quantities; if it has some (cards, pieces), add `conserved` to it."]


def _explained(law: Law, breach: "Breach") -> list[str]:
    table = breach.table
    options = msgspec.json.encode(table.options).decode()
    return [
        law.__name__,
        f"  the law:  {' '.join((law.__doc__ or '').split())}",
        f"  found:    {_seen(breach.error)}",
        f"  smallest: {table.seats} seats, options {options}, key {table.key.hex()}",
    ]


def _seen(error: Exception) -> str:
    """Return the finding in the law's words; an exception of the game itself comes with its name and place."""
    text = str(error)
    if not isinstance(error, AssertionError):
        text = f"{type(error).__name__}: {text}{_place(error)}"
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]} …"


def _place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" (line {trace.tb_lineno} of {trace.tb_frame.f_code.co_filename})" if trace else ""


def _again(law: Law, args: Namespace) -> str:
    return f"warroom check-game {args.game} --law {law.__name__} --examples {args.examples} --seed {args.seed}"


def _json(game: AnyGame, verdicts: "list[Verdict]", args: Namespace) -> str:
    findings = {
        "game": game.info.id,
        "rules_version": game.info.rules_version,
        "seed": args.seed,
        "kept": not any(verdict.breach for verdict in verdicts),
        "laws": [_finding(verdict, args) for verdict in verdicts],
    }
    return msgspec.json.encode(findings).decode()


def _finding(verdict: "Verdict", args: Namespace) -> dict[str, object]:
    finding: dict[str, object] = {"law": verdict.law.__name__, "kept": verdict.breach is None}
    if verdict.breach is None:
        is_about_events = verdict.law is events_tell_no_more_than_views
        compared = {"hiding": verdict.hiding, "compared": verdict.compared} if is_about_events else {}
        return {**finding, "matches": verdict.matches, **compared}
    table = verdict.breach.table
    smallest = {"seats": table.seats, "options": msgspec.to_builtins(table.options), "key": table.key.hex()}
    again = _again(verdict.law, args)
    return {**finding, "seen": _seen(verdict.breach.error), "smallest": smallest, "again": again}
