"""What `warroom check-game` found, as text for people and as JSON.

A crash of the game shows in many laws, because each plays matches of its own. It is reported once.
"""

from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from warroom_games.api import AnyGame
from warroom_games.conformance import Law
from warroom_games.conservation import conserved_names, conserved_quantities_are_conserved
from warroom_games.event_secrecy import events_tell_no_more_than_views
from warroom_games.law import LawBrokenError
from warroom_games.refusals import codes_in_source, own_modules, refusal_codes_are_on_the_rules_page
from warroom_games.rulebook import rules_page

if TYPE_CHECKING:
    from warroom_games.trials import Breach, Verdict

_LONGEST_MESSAGE: Final = 1000


class Crash(Struct, frozen=True):
    """An exception that is no finding of a law, and the laws in whose matches it was raised at the same place."""

    breach: "Breach"
    """The first one."""
    laws: tuple[Law, ...]


def outcome(verdict: "Verdict") -> str:
    """Return the result of one law in a few words."""
    if verdict.breach is None:
        return f"kept in {'1 match' if verdict.matches == 1 else f'{verdict.matches} matches'}"
    return "CRASHED" if _is_crash(verdict.breach) else "BROKEN"


class LawReport:
    """The results of all tested laws; *rerun* returns the command that tests a law again."""

    def __init__(self, game: AnyGame, verdicts: "Sequence[Verdict]", *, rerun: Callable[[Law], str]) -> None:
        self._game = game
        self._verdicts = verdicts
        self._rerun = rerun
        self._crashes = self._grouped()

    def as_text(self) -> str:
        """Return the summary after the lines of the laws."""
        info = self._game.info
        title = f"\n{info.name} (rules version {info.rules_version})"
        count = len(self._verdicts)
        broken = [(each.law, each.breach) for each in self._verdicts if each.breach and not _is_crash(each.breach)]
        crashed = sum(len(crash.laws) for crash in self._crashes)
        if not (broken or crashed):
            kept = f"{title} keeps {'the law' if count == 1 else f'all {count} laws'}."
            return "\n".join([kept, *self._looked_up(), *self._compared(), *self._conserved()])
        found = [f"crashes in {crashed} of {count} laws"] if crashed else []
        found += [f"breaks {len(broken)} of {count} laws"] if broken else []
        lines = [f"{title} {' and '.join(found)}."]
        for crash in self._crashes:
            lines += ["", *self._crash_lines(crash)]
        for law, breach in broken:
            meaning = " ".join((law.__doc__ or "").split())
            lines += ["", law.__name__, f"  the law:  {meaning}", *self._finding_lines(law, breach)]
        return "\n".join(lines)

    def as_json(self, seed: int) -> str:
        """Return everything as one line of JSON."""
        findings = {
            "game": self._game.info.id,
            "rules_version": self._game.info.rules_version,
            "seed": seed,
            "kept": not any(verdict.breach for verdict in self._verdicts),
            "laws": [self._as_object(verdict) for verdict in self._verdicts],
            "crashes": [
                {"laws": [law.__name__ for law in crash.laws], **self._details(crash.laws[0], crash.breach)}
                for crash in self._crashes
            ],
        }
        return msgspec.json.encode(findings).decode()

    def _grouped(self) -> tuple[Crash, ...]:
        crashes: dict[tuple[type[Exception], str], Crash] = {}
        for verdict in self._verdicts:
            if verdict.breach is None or not _is_crash(verdict.breach):
                continue
            error = verdict.breach.error
            key = type(error), self._place(error)
            known = crashes.get(key, Crash(verdict.breach, ()))
            crashes[key] = Crash(known.breach, (*known.laws, verdict.law))
        return tuple(crashes.values())

    def _crash_lines(self, crash: Crash) -> list[str]:
        first, *others = [law.__name__ for law in crash.laws]
        named = "all other laws" if len(crash.laws) == len(self._verdicts) else ", ".join(others)
        also = [f"  also in:  {named}"] if others else []
        return [f"crash in {first}", *self._finding_lines(crash.laws[0], crash.breach), *also]

    def _finding_lines(self, law: Law, breach: "Breach") -> list[str]:
        table = breach.table
        options = msgspec.json.encode(table.options).decode()
        return [
            f"  found:    {self._seen(breach.error)}",
            f"  smallest: {table.seats} seats, options {options}, key {table.key.hex()}",
            f"  rerun:    {self._rerun(law)}",
        ]

    def _as_object(self, verdict: "Verdict") -> dict[str, object]:
        finding: dict[str, object] = {"law": verdict.law.__name__, "kept": verdict.breach is None}
        if verdict.breach is None:
            is_about_events = verdict.law is events_tell_no_more_than_views
            compared = {"hiding": verdict.hiding, "compared": verdict.compared} if is_about_events else {}
            return {**finding, "matches": verdict.matches, **compared}
        if _is_crash(verdict.breach):
            number = next(number for number, crash in enumerate(self._crashes) if verdict.law in crash.laws)
            return {**finding, "crash": number}
        return {**finding, **self._details(verdict.law, verdict.breach)}

    def _details(self, law: Law, breach: "Breach") -> dict[str, object]:
        table = breach.table
        smallest = {"seats": table.seats, "options": msgspec.to_builtins(table.options), "key": table.key.hex()}
        return {"seen": self._seen(breach.error), "smallest": smallest, "again": self._rerun(law)}

    def _seen(self, error: Exception) -> str:
        """Return the finding in the law's words; an exception of the game itself comes with its name and place."""
        text = str(error)
        if not isinstance(error, LawBrokenError):
            text = f"{type(error).__name__}: {text}{self._place(error)}"
        return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]} …"

    def _place(self, error: Exception) -> str:
        """Return the last line of the game's own source on the way to the error; without one, the last line at all."""
        places = list(_frames(error))
        modules = set(own_modules(self._game))
        packages = tuple(f"{package}." for module in modules if (package := module.rpartition(".")[0]))
        own = [
            (frame, line)
            for frame, line in places
            if (name := frame.f_globals.get("__name__", "")) in modules or name.startswith(packages)
        ]
        if not places:
            return ""
        frame, line = (own or places)[-1]
        return f" (line {line} of {frame.f_code.co_filename})"

    def _looked_up(self) -> list[str]:
        """Return a line with the number of codes that were looked up on the rules page, if that law was tested."""
        if not self._tested(refusal_codes_are_on_the_rules_page):
            return []
        if rules_page(self._game) is None:
            return ["The game has no rules page, so its refusal codes were looked up nowhere."]
        return [f"Refusal codes in the source, all on the rules page: {len(codes_in_source(self._game))}."]

    def _compared(self) -> list[str]:
        """Return a line with the number of compared events per type, if the law about events was tested."""
        for verdict in self._verdicts:
            if verdict.law is events_tell_no_more_than_views:
                if not verdict.hiding:
                    return ["The game hides nothing, so there are no hidden worlds to compare events between."]
                counts = [f"{name} {count}" for name, count in verdict.compared.items()]
                return [f"Events compared between indistinguishable worlds: {', '.join(counts) or 'none'}."]
        return []

    def _conserved(self) -> list[str]:
        """Return a line with the conserved quantities, if that law was tested: without any it proves nothing."""
        if not self._tested(conserved_quantities_are_conserved):
            return []
        names = conserved_names(self._game)
        if names:
            return [f"Conserved quantities checked at each step: {', '.join(names)}."]
        return ["The game names no conserved quantities; if it has some (cards, pieces), add `conserved` to it."]

    def _tested(self, law: Law) -> bool:
        return any(verdict.law is law for verdict in self._verdicts)


def _is_crash(breach: "Breach") -> bool:
    return not isinstance(breach.error, LawBrokenError)


def _frames(error: Exception) -> Iterator[tuple[FrameType, int]]:
    """Yield the frames of an error with their lines, outermost first."""
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
