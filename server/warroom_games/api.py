"""The contract between a game and everything that hosts it.

A game is an object of pure functions over frozen state. It knows no clock, no sockets and no entropy but the
generator that it keeps inside its state. docs/WRITING_A_GAME.md walks through one; the laws in
`warroom_games.conformance` hold every game to what is said here.
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
    """The base of what a game refuses."""


class OptionsError(RulesError):
    """The options or the number of seats do not make a playable game."""


class MalformedActionError(RulesError):
    """The bytes are no action of this game at all."""


class IllegalActionError(RulesError):
    """The action is well formed, but the seat may not play it now."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class GameInfo(Struct, frozen=True, kw_only=True):
    """What a lobby needs to know about a game before it is set up."""

    id: str
    name: str
    summary: str
    rules_version: int
    """Rises whenever an old replay would play differently."""
    min_seats: int
    max_seats: int
    usual_seats: int
    turn_ms: int
    """The usual time for one turn; a room may choose another."""
    complete: bool
    """Whether `legal_actions` lists every legal action, or a documented selection of at most 512."""
    clock_action: str | None = None
    """The type of the action that the clock alone may play, for games whose time-out is nothing that a player may do.

    `default_action` returns it and it passes `check`, but it is not listed, and a player who sends it is refused.
    """
    has_draws: bool = False
    """Whether the players may agree on a draw."""
    fill_after_ms: int = 10_000
    """How long a quick match waits for people before bots take the open seats."""
    watch: Literal["public", "all"] = "public"
    """What spectators see of a room that was created without a word about them: what is public, or all hands."""
    delay: int = 0
    """How many turns such spectators are behind; where they see all hands, enough of them for any number of seats."""
    simultaneous: bool = False
    """Whether all seats in play move together, in every turn."""
    spared_turns: int = 0
    """How many of a seat's first own turns never count as missed, for games whose turns are short."""


class Event(Struct, frozen=True):
    """Something that happened, in the form everybody may know and in the form single seats may know.

    Both are made together where it happens. *public* None: nothing of it is public. A seat sees the public form and
    its own private one.
    """

    public: View = None
    private: tuple[tuple[Seat, View], ...] = ()


class Step(Struct, frozen=True):
    """The state after an action, and what happened on the way."""

    state: Any
    events: tuple[Event, ...] = ()


class Result(Struct, frozen=True, omit_defaults=True):
    """How the match ended: the rank of each seat (1 is best, ties share a rank) and the rule that ended it."""

    ranks: tuple[int, ...]
    reason: str
    """`victory` when the victory rule ended it, `cap` when the cap on its length did."""
    detail: str = ""
    """For a match without a result: why, as a reason that may be shown to everybody."""
    left: tuple[Seat, ...] = ()
    """The seats that bots held at the end for owners who had left. The match fills it in; games leave it empty."""


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
        """Return who is asked to act now: one seat, several at once, or nobody when the match is over."""
        ...

    def turn(self, state: S) -> int:
        """Return the number of the turn; when it rises, a new time budget begins. It must be public knowledge."""
        ...

    def legal_actions(self, state: S, seat: Seat) -> Iterable[A]:
        """Return, in a fixed order, what *seat* may do; nothing when it is not to act."""
        ...

    def check(self, state: S, seat: Seat, action: A) -> None:
        """Raise `IllegalActionError` if *seat*, as far as it can know, may not play *action* now."""
        ...

    def apply(self, state: S, seat: Seat, action: A) -> Step:
        """Play a checked action."""
        ...

    def default_action(self, state: S, seat: Seat) -> A:
        """Return what the clock plays for a seat that is to act and ran out of time."""
        ...

    def remove(self, state: S, seat: Seat) -> Step:
        """Take a seat that resigned or was removed out of the match; it is not to act again.

        A seat that is out already, and a match that is over, stay as they are.
        """
        ...

    def result(self, state: S) -> Result | None:
        """Return the result exactly when nobody is to act."""
        ...

    def public(self, state: S) -> View:
        """Return what everybody knows at that moment, whatever any one player found out."""
        ...

    def private(self, state: S, seat: Seat) -> View | None:
        """Return what *seat* knows besides; None, always, in games that hide nothing."""
        ...

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> S:
        """Return some state whose views for *seat* (None: a spectator) equal the given ones.

        The views are plain trees as a client holds them. What the viewer cannot know is drawn from *rng*.
        """
        ...

    def draw(self, public: View, private: View | None) -> str:
        """Return the views as text for a terminal. The views are plain trees as a client holds them."""
        ...


AnyGame: TypeAlias = Game[Any, Any, Any]


@runtime_checkable
class Sketched(Protocol):
    """What a game may offer besides, so that a page without a board for it can draw more than a tree.

    Hints stand in the schema of the type: `Meta(extra_json_schema={"x-grid": ...})` or `"x-graph"` on the list of cells
    or nodes; docs/WRITING_A_GAME.md says what they may hold.
    """

    view_type: type[Any]
    """The Struct that `public` returns."""


@runtime_checkable
class Typed(Sketched, Protocol):
    """A game that names the type of its private views as well, so that programs can be told what they hold."""

    private_view_type: Any
    """The Struct that `private` returns, or None where it returns nothing; `Struct | None` where it does at times."""


@runtime_checkable
class Conserving(Protocol[S_contra]):
    """What a game may offer besides, so that a law notices when a card gets lost. Nothing else asks for it."""

    def conserved(self, state: S_contra) -> Mapping[str, int]:
        """Return how much there is of each thing that no step makes or destroys; always under the same names.

        What moves from one place to another is counted in both: the cards of all hands, of the deck and those spent.
        """
        ...


@runtime_checkable
class Sourced(Conserving[S_contra], Protocol[S_contra]):
    """A game some of whose conserved things come and go after all, but only as its events tell."""

    def sources(self, state: S_contra, events: tuple[Event, ...]) -> Mapping[str, int]:
        """Return how much the events of one step, taken in *state*, say has come or (below 0) gone, by the same names.

        What is not named has stayed as it was.
        """
        ...


@runtime_checkable
class Naming(Protocol):
    """What a game may offer besides: pictures that call the seats by the names of their players."""

    def draw_for(self, public: View, private: View | None, names: Sequence[str]) -> str:
        """Return the views as `draw` does; *names* has a name for each seat, of any length, or is empty."""
        ...


@runtime_checkable
class Panoramic(Protocol):
    """What a game may offer besides, for spectators who see all hands: one picture of all that the seats know."""

    def draw_all(self, public: View, secrets: Sequence[View], names: Sequence[str]) -> str:
        """Return the public view and the private one of each seat as one text; all are plain trees, as for `draw`.

        *names* has a name for each seat, of any length, or is empty.
        """
        ...


@runtime_checkable
class Noting(Protocol):
    """What a game may offer besides: a few words on what a choice costs or brings, where the action does not say it."""

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        """Return a note on each of the actions that were offered, or an empty text.

        All are plain trees, as for `draw`, so a note tells nothing that the seat does not know. It is true: what the
        rules leave to chance is told as odds or as a range. A long list must take no more than a few milliseconds.
        """
        ...


@runtime_checkable
class Cropping(Protocol):
    """What a game with large boards may offer besides: of a picture too large for a window, what matters most."""

    def crop(self, picture: Sequence[str], rows: int, columns: int) -> list[str]:
        """Return a picture in at most so many rows and columns, its last line telling what is shown of the board.

        *picture* has the lines of any drawing of the game's; it is returned as it is where there is nothing to cut.
        """
        ...


Calculation: TypeAlias = Callable[[Mapping[str, str]], bytes]
"""Answers named texts with JSON; raises `RulesError`, with one line for people, where it has no answer."""


@runtime_checkable
class Calculating(Protocol):
    """What a game may offer besides: pure calculations that pages and programs can ask a server for, by name.

    Anybody may ask, so each must be bounded: a few milliseconds for whatever it is given.
    """

    calculations: Mapping[str, Calculation]
