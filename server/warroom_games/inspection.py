"""Local matches for debugging: every step with the full state, all views and the legal actions.

A local match is nothing but a list of moves, and an answer depends on its question alone. One of the moves may be an
edit, which puts another state in place of the match's own. Questions and answers are JSON: see docs/DEBUGGING.md.
"""

import traceback
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from warroom_games.api import Event, IllegalActionError, Noting, Result, RulesError, Seat
from warroom_games.log import LogError
from warroom_games.match import Match
from warroom_games.move_list import MOST_MOVES, Setup, begin, file_of, play, read_file
from warroom_games.registry import Registry, RegistryError
from warroom_games.replay import ReplayError
from warroom_protocol.canonical import plain
from warroom_protocol.codes import MESSAGE_MALFORMED

MOST_SHOWN: Final = 32
"""Maximum number of steps in one answer."""
RULES_FAILED: Final = "rules.failed"
"""The code of an error inside the rules, after which an edited state is the first suspect."""
WIDTH: Final = 100
"""The width of a state's text, which one may edit."""

_Step: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_MOVES)]


class _Question(Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    ref: Annotated[int, Meta(ge=0, lt=2**53)]


class Show(_Question, frozen=True):
    """Show the steps from *first* to *last* of a match, or to its last; step n is the position after n moves."""

    match: Setup
    first: _Step
    last: _Step


class Read(_Question, frozen=True):
    """Turn the file of a replay into a local match."""

    file: bytes


class Write(_Question, frozen=True):
    """Turn a local match without edits into the file of a replay."""

    match: Setup


class Choice(Struct, frozen=True):
    """What a seat to act may do."""

    seat: Seat
    actions: list[Any]
    notes: list[str]
    default: Any
    """What the clock would play."""


class Shown(Struct, frozen=True, tag="step"):
    """One step of a match."""

    step: int
    turn: int
    at: int
    asked: list[Seat]
    state: str
    """The full state as JSON; binary data is base64."""
    public: Any
    private: list[Any]
    events: list[Event]
    result: Result | None


class Failure(Struct, frozen=True):
    """Why a move could not be played."""

    move: int
    code: str
    text: str
    path: str = ""
    """The place in an edited state that does not fit, such as `$.hands[0]`."""


class Steps(Struct, frozen=True, tag="steps"):
    """The answer to `show`: the steps that exist, the choices in the last of them, and why the next move failed."""

    ref: int
    rules_version: int
    seats: int
    options: Any
    complete: bool
    turns: list[int]
    """The turn of every step."""
    steps: list[Shown]
    choices: list[Choice]
    failure: Failure | None


class Imported(Struct, frozen=True, tag="match"):
    """The answer to `read`; *omitted* entries change nothing in the game, such as pauses."""

    ref: int
    match: Setup
    omitted: int


class Exported(Struct, frozen=True, tag="file"):
    """The answer to `write`."""

    ref: int
    file: bytes


class Refused(Struct, frozen=True, tag="refused"):
    """There is no answer."""

    ref: int | None
    code: str
    text: str


_questions: Final = msgspec.json.Decoder(Show | Read | Write)
_encode: Final = msgspec.json.Encoder().encode


def answer(question: bytes, games: Registry) -> bytes:
    """Return the answer to a question, both as JSON."""
    try:
        asked = _questions.decode(question)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        return _encode(Refused(None, MESSAGE_MALFORMED, f"not a question: {error}"))
    try:
        return _encode(_answered(asked, games))
    except (RulesError, RegistryError, LogError, ReplayError) as error:
        return _encode(Refused(asked.ref, getattr(error, "code", "match.invalid"), str(error)))
    except Exception as error:  # noqa: BLE001 - the rules may fail in any way, and their author wants to know how
        return _encode(Refused(asked.ref, RULES_FAILED, _located(error)))


def _answered(asked: Show | Read | Write, games: Registry) -> Steps | Imported | Exported:
    match asked:
        case Read():
            setup, omitted = read_file(asked.file)
            return Imported(asked.ref, setup, omitted)
        case Write():
            return Exported(asked.ref, file_of(asked.match, games))
        case _:
            return _steps(asked, games)


def _steps(asked: Show, games: Registry) -> Steps:
    match = begin(asked.match, games)
    positions: list[tuple[Match, tuple[Event, ...]]] = [(match, ())]
    failure = None
    for number, move in enumerate(asked.match.moves):
        try:
            advanced = play(match, move, number)
        except Exception as error:  # noqa: BLE001 - as in `answer`
            failure = _failure(number, error)
            break
        match = advanced.match
        positions.append((match, advanced.events))
    last = min(asked.last, len(positions) - 1)
    first = max(min(asked.first, last), last - MOST_SHOWN + 1)
    shown = [_shown(number, *positions[number]) for number in range(first, last + 1)]
    return Steps(
        asked.ref,
        match.opened.rules_version,
        match.opened.seats,
        msgspec.to_builtins(match.options),
        match.game.info.complete,
        [each.turn for each, _ in positions],
        shown,
        list(_choices(positions[last][0])),
        failure,
    )


def _shown(step: int, match: Match, events: Sequence[Event]) -> Shown:
    game, state = match.game, match.state
    return Shown(
        step,
        match.turn,
        match.at,
        sorted(match.asked),
        laid_out(msgspec.json.decode(_encode(state))),
        plain(game.public(state)),
        [plain(game.private(state, seat)) for seat in range(len(match.seats))],
        list(events),
        match.result,
    )


def _choices(match: Match) -> Iterator[Choice]:
    game, state = match.game, match.state
    for seat in sorted(match.asked):
        actions = list(game.legal_actions(state, seat))
        notes: Sequence[str] = ()
        if isinstance(game, Noting):
            notes = game.notes(plain(game.public(state)), plain(game.private(state, seat)), plain(actions))
        yield Choice(seat, actions, list(notes), game.default_action(state, seat))


def laid_out(value: Any, indent: int = 0) -> str:
    """Return JSON over several lines; what fits into one line stays there."""
    text = _encode(value).decode()
    if len(text) + indent <= WIDTH or not isinstance(value, dict | list) or not value:
        return text
    margin, inner = " " * indent, " " * (indent + 2)
    if isinstance(value, dict):
        lines = [f"{inner}{_encode(key).decode()}: {laid_out(item, indent + 2)}" for key, item in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{margin}}}"
    return "[\n" + ",\n".join(inner + laid_out(item, indent + 2) for item in value) + f"\n{margin}]"


def _failure(move: int, error: Exception) -> Failure:
    match error:
        case IllegalActionError():
            return Failure(move, error.code, error.detail)
        case msgspec.ValidationError():
            text, _, path = str(error).partition(" - at `")
            return Failure(move, "state.invalid", text, path.removesuffix("`"))
        case msgspec.DecodeError():
            return Failure(move, "state.invalid", str(error))
        case RulesError() | LogError():
            return Failure(move, "move.invalid", str(error))
        case _:
            return Failure(move, RULES_FAILED, _located(error))


def _located(error: Exception) -> str:
    """Return an error in one line, with the last line of the code that raised it."""
    found = traceback.extract_tb(error.__traceback__)[-1]
    file = found.filename.replace("\\", "/").rpartition("/")[2]
    return f"{type(error).__name__}: {error} ({file}, line {found.lineno}, in {found.name})"
