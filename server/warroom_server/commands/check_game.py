"""`warroom check-game`: hold a game to the laws that every game keeps."""

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

SUMMARY = "hold a game to the laws that every game keeps, and say in plain words which it breaks"
EXAMPLE = "warroom check-game graph_battle --examples 10"

OBJECT = "GAME"
"""What the game is called in its module, unless it is said otherwise."""

_NAMES = {law.__name__: law for law in LAWS}
_WIDTH = max(map(len, _NAMES))
_LONGEST_MESSAGE = 1000


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "game", metavar="MODULE[:OBJECT]", help="where the game is (object: GAME, also in MODULE.rules), or its id"
    )
    parser.add_argument("--examples", type=_count, default=25, metavar="N", help="matches per law (default: 25)")
    parser.add_argument(
        "--law", choices=sorted(_NAMES), action="append", metavar="NAME", help="only this law (may be repeated)"
    )
    parser.add_argument("--seed", type=_count, default=1, metavar="N", help="other matches (default: 1)")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(args: Namespace) -> int:
    """Try the laws one after another, and print a line for each."""
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
    """Return the game that a module holds, or the installed one of that id; raise `RegistryError` if there is none."""
    if not all(part.isidentifier() for part in name.replace(":", ".").split(".")):
        raise RegistryError(f"{name!r} names no module; write it as an import does: my_game, or my_game.rules:GAME")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a game that is being written need not be installed
    if ":" in name:
        return load_game(name)
    games = load_games()
    if name in games.left_out or name in {game.info.id for game in games}:
        return games.get(name)
    return load_game(f"{name}.rules:{OBJECT}" if _has_rules(name) else f"{name}:{OBJECT}")


def _has_rules(package: str) -> bool:
    """Whether a package keeps its game in a module `rules`, as the packages that `warroom new-game` writes do."""
    import_part(package)  # as find_spec would, but telling in a line what a broken package raises
    try:
        return find_spec(f"{package}.rules") is not None
    except ModuleNotFoundError:
        return False


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _progress(law: Law) -> Callable[[int], None]:
    """Return what tells how far a trial is: to people at a terminal, and to nobody else."""

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
        lines.append(f"  again:    {_again(verdict.law, args)}")
    return "\n".join(lines)


def _compared(verdicts: "list[Verdict]") -> list[str]:
    """Return a line that says how often each type of event was compared, if the law about events was tried."""
    for verdict in verdicts:
        if verdict.law is events_tell_no_more_than_views:
            if not verdict.hiding:
                return ["It hides nothing, so there are no worlds in which to compare events."]
            counts = [f"{name} {count}" for name, count in verdict.compared.items()]
            return [f"Events compared between worlds that look the same: {', '.join(counts) or 'none'}."]
    return []


def _counted(game: AnyGame, verdicts: "list[Verdict]") -> list[str]:
    """Return a line that says what was counted, if the law about it was tried: a game that names nothing keeps it."""
    if conserved_quantities_are_conserved not in [verdict.law for verdict in verdicts]:
        return []
    names = conserved_names(game)
    if names:
        return [f"Counted before and after each step: {', '.join(names)}."]
    return ["It names nothing that is conserved; where something is (cards, pieces), add `conserved` to the game."]


def _explained(law: Law, breach: "Breach") -> list[str]:
    table = breach.table
    options = msgspec.json.encode(table.options).decode()
    return [
        law.__name__,
        f"  the law:  {' '.join((law.__doc__ or '').split())}",
        f"  seen:     {_seen(breach.error)}",
        f"  smallest: {table.seats} seats, options {options}, key {table.key.hex()}",
    ]


def _seen(error: Exception) -> str:
    """Return what was seen, in the law's words; what the game itself raised is named and placed."""
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
