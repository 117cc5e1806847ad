"""The contract between a game and its host.

A game is an object of pure functions over frozen state. It has no clock, no sockets and no entropy except the generator
inside its state. docs/WRITING_A_GAME.md is a tutorial; the laws in `warroom_games.conformance` test every promise made
here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

from msgspec import Struct

from warroom_games.rng import Rng

Seat: TypeAlias = int
"""A place at the table, counted from 0 in the order of play."""

View: TypeAlias = object
"""What a viewer may know: None, bool, int (53 bits), str, tuples or lists, maps with text keys, frozen Structs.

A Struct inside a view stands for the map of its fields. A key keeps one type for life.
"""

S = TypeVar("S")
A = TypeVar("A")
O = TypeVar("O")  # noqa: E741 - the contract names state, action and options S, A and O
S_contra = TypeVar("S_contra", contravariant=True)


class RulesError(ValueError):
    """Base of all refusals of a game."""


class OptionsError(RulesError):
    """The options or the number of seats are invalid."""


class MalformedActionError(RulesError):
    """The bytes are not an action of this game."""


class IllegalActionError(RulesError):
    """The action is well formed, but the seat may not play it now."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class GameInfo(Struct, frozen=True, kw_only=True):
    """What a lobby needs to know about a game."""

    id: str
    name: str
    summary: str
    rules_version: int
    """Increases whenever an old replay would play differently."""
    min_seats: int
    max_seats: int
    usual_seats: int
    turn_ms: int
    """The default time per turn; a room may choose another."""
    complete: bool
    """Whether `legal_actions` lists every legal action, or a documented selection of at most 512."""
    clock_action: str | None = None
    """The type of the action that only the clock may play, for games whose time-out is not a player's action.

    `default_action` returns it and it passes `check`, but it is not listed, and a player who sends it is refused.
    """
    has_draws: bool = False
    """Whether the players may agree on a draw."""
    fill_after_ms: int = 10_000
    """How long a quick match waits for people before bots fill the open seats."""
    watch: Literal["public", "all"] = "public"
    """What spectators see by default: the public view, or all hands."""
    delay: int = 0
    """The default spectator delay in turns; with all hands, long enough for any number of seats."""
    simultaneous: bool = False
    """Whether all seats in play move together in every turn."""
    spared_turns: int = 0
    """How many of a seat's first turns never count as missed, for games with short turns."""


class Event(Struct, frozen=True, gc=False):
    """Something that happened, in a public form and in private forms for single seats.

    Both are made together at the source. *public* None: nothing is public. A seat sees the public form and its own
    private one.
    """

    public: View = None
    private: tuple[tuple[Seat, View], ...] = ()


class Step(Struct, frozen=True, gc=False):
    """The state after an action, and its events."""

    state: Any
    events: tuple[Event, ...] = ()


class Result(Struct, frozen=True, omit_defaults=True):
    """How the match ended: the rank of each seat (1 is best, ties share a rank) and the rule that ended it."""

    ranks: tuple[int, ...]
    reason: str
    """`victory` if the victory rule ended it, `cap` if the length limit did."""
    detail: str = ""
    """Why a match has no result, as a reason that everybody may see."""
    left: tuple[Seat, ...] = ()
    """The seats that bots held at the end for owners who left. The match fills it in; games leave it empty."""


class Game(Protocol[S, A, O]):
    """The rules of one game. Every method is a pure function of its arguments."""

    info: GameInfo
    state_type: type[S]
    """A frozen Struct of int, str, bool, bytes, tuples and frozen Structs: one codec stores every game."""
    action_type: Any
    """A frozen Struct or a tagged union of them (tag field `type`, unknown fields forbidden)."""
    options_type: type[O]
    """A frozen Struct whose fields all have a default and a `Meta` with description and range."""

    def setup(self, seats: int, options: O, rng: Rng) -> S:
        """Return the opening position; raise `OptionsError` if *seats* and *options* do not fit."""
        ...

    def to_act(self, state: S) -> frozenset[Seat]:
        """Return the seats to act: one, several at once, or none when the match is over."""
        ...

    def turn(self, state: S) -> int:
        """Return the turn number; when it increases, a new time budget starts. It must be public knowledge."""
        ...

    def legal_actions(self, state: S, seat: Seat) -> Iterable[A]:
        """Return the legal actions of *seat* in a fixed order; none if it is not to act."""
        ...

    def check(self, state: S, seat: Seat, action: A) -> None:
        """Raise `IllegalActionError` if *seat*, by what it can know, may not play *action* now."""
        ...

    def apply(self, state: S, seat: Seat, action: A) -> Step:
        """Play a checked action."""
        ...

    def default_action(self, state: S, seat: Seat) -> A:
        """Return what the clock plays for a seat that ran out of time."""
        ...

    def remove(self, state: S, seat: Seat) -> Step:
        """Remove a seat that resigned or was kicked; it is not to act again.

        Does nothing if the seat is already out or the match is over.
        """
        ...

    def result(self, state: S) -> Result | None:
        """Return the result exactly when nobody is to act."""
        ...

    def public(self, state: S) -> View:
        """Return the public view: what everybody knows, independent of what single players found out."""
        ...

    def private(self, state: S, seat: Seat) -> View | None:
        """Return the private view of *seat*; always None in games that hide nothing."""
        ...

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> S:
        """Return a state whose views for *seat* (None: a spectator) equal the given ones.

        The views are plain trees as a client holds them. What the viewer cannot know is drawn from *rng*.
        """
        ...

    def draw(self, public: View, private: View | None) -> str:
        """Return the views as text for a terminal. The views are plain trees as a client holds them."""
        ...


AnyGame: TypeAlias = Game[Any, Any, Any]


@runtime_checkable
class Sketched(Protocol):
    """Optional: the type of the public view, so that a page without a board for the game can draw more than a tree.

    Hints are in the schema of the type: `Meta(extra_json_schema={"x-grid": ...})` or `"x-graph"` on the list of cells
    or nodes; see docs/WRITING_A_GAME.md.
    """

    view_type: type[Any]
    """The Struct that `public` returns."""


@runtime_checkable
class Typed(Sketched, Protocol):
    """Optional: also the type of the private views, to document them for programs."""

    private_view_type: Any
    """The Struct that `private` returns; None if it returns nothing, `Struct | None` if it sometimes does."""


@runtime_checkable
class Eventful(Protocol):
    """Optional: the type of the events, to document them for programs."""

    event_type: Any
    """A frozen Struct or a tagged union of them (tag field `type`): every form that anybody may get."""


@runtime_checkable
class Conserving(Protocol[S_contra]):
    """Optional: conserved quantities, so that a law notices a lost card. Only the law uses it."""

    def conserved(self, state: S_contra) -> Mapping[str, int]:
        """Return the amount of everything that no step creates or destroys, always under the same names.

        Count all places: the cards of all hands, of the deck and the spent ones.
        """
        ...


@runtime_checkable
class Sourced(Conserving[S_contra], Protocol[S_contra]):
    """Optional: for conserved quantities that change after all, but only as events say."""

    def sources(self, state: S_contra, events: tuple[Event, ...]) -> Mapping[str, int]:
        """Return the changes that the events of one step, taken in *state*, report, by the same names.

        A quantity that is not named did not change.
        """
        ...


@runtime_checkable
class Naming(Protocol):
    """Optional: pictures with player names."""

    def draw_for(self, public: View, private: View | None, names: Sequence[str]) -> str:
        """Return the views as `draw` does; *names* has a name for each seat, of any length, or is empty."""
        ...


@runtime_checkable
class Panoramic(Protocol):
    """Optional: one picture of everything the seats know, for spectators who see all hands."""

    def draw_all(self, public: View, secrets: Sequence[View], names: Sequence[str]) -> str:
        """Return the public view and all private views as one text; all are plain trees, as for `draw`.

        *names* has a name for each seat, of any length, or is empty.
        """
        ...


@runtime_checkable
class Noting(Protocol):
    """Optional: short notes on the cost or gain of actions."""

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        """Return a note for each offered action, or an empty text.

        All arguments are plain trees, as for `draw`, so a note reveals nothing the seat does not know. Notes are true:
        chance is given as odds or as a range. A long list must take at most a few milliseconds.
        """
        ...


@runtime_checkable
class Evaluating(Protocol):
    """Optional: an estimate of how a seat stands, so that search bots need not play every match to its end."""

    def evaluate(self, public: View, private: View | None, seat: Seat) -> int:
        """Return how well *seat* stands by what it knows, in thousandths: -1000 (lost) to 1000 (won).

        The views are those that `public` and `private` return, or plain trees as a client holds them; both give the
        same number. A search asks this many times for each decision, so it must be quick.
        """
        ...


@runtime_checkable
class Cropping(Protocol):
    """Optional, for large boards: the most important part of a picture that is too large for a window."""

    def crop(self, picture: Sequence[str], rows: int, columns: int) -> list[str]:
        """Return a picture of at most so many rows and columns; its last line says what part of the board it shows.

        *picture* has the lines of any drawing of the game; it is returned unchanged if there is nothing to cut.
        """
        ...


Calculation: TypeAlias = Callable[[Mapping[str, str]], bytes]
"""Answers named texts with JSON; raises `RulesError` with a readable line if it has no answer."""


@runtime_checkable
class Calculating(Protocol):
    """Optional: named pure calculations that pages and programs can request from a server.

    Anybody may ask, so each must be bounded: a few milliseconds for any input.
    """

    calculations: Mapping[str, Calculation]
