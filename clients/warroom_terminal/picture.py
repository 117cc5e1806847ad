"""What a viewer sees as text: the game's own drawing, or a plain tree where the game is not installed."""

from collections.abc import Iterator, Sequence
from typing import Final

from warroom_games.api import AnyGame, Cropping, Seat, View
from warroom_games.pictures import draw_everything, draw_view
from warroom_games.registry import RegistryError, load_games
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol.messages import About
from warroom_terminal.folding import cut

_DREAMS: Final = Rng(bytes(KEY_BYTES))
"""The generator for imagining positions that fit a view."""

_WORLDS: Final = 8
"""So many positions that all ask the same seats are taken as proof that the view tells whose turn it is."""

MAX_INLINE = 100


def find_game(about: About | None) -> AnyGame | None:
    """Return the rules that a room is played by, if they are installed here."""
    if about is None:
        return None
    try:
        return load_games().get(about.game, about.rules_version)
    except RegistryError:
        return None


def draw(game: AnyGame | None, public: View, private: View | None, names: Sequence[str] = ()) -> list[str]:
    """Return the lines that show a view, with the players called by *names* where the game can do that."""
    if public is None:
        return []
    return list(tree(public)) if game is None else draw_view(game, public, private, names)


def cropped(game: AnyGame | None, picture: Sequence[str], *, rows: int, columns: int, all_of_it: str) -> list[str]:
    """Return what matters most of a picture that is too large for a window, where its game can tell.

    *all_of_it* says how the whole can be seen.
    """
    drawer: object = game
    is_small = len(picture) <= rows and all(len(line) <= columns for line in picture)
    if is_small or not isinstance(drawer, Cropping):
        return list(picture)
    part = drawer.crop(picture, rows, columns)
    return part if part == list(picture) else [*part[:-1], cut(f"{part[-1]}; {all_of_it}", columns)]


def public_part(about: About | None, view: View) -> View:
    """Return what is public in what a viewer sees; spectators of some rooms see every seat's own part beside it."""
    if about is not None and about.room_options.get("watch") == "all" and isinstance(view, dict) and "seats" in view:
        return view.get("public")
    return view


def secret_parts(about: About | None, view: View) -> list[View]:
    """Return what each seat alone knows, where the viewer may see that."""
    if public_part(about, view) is view or not isinstance(view, dict):
        return []
    secrets = view.get("seats")
    return list(secrets) if isinstance(secrets, list) else []


def draw_all(game: AnyGame | None, public: View, secrets: list[View], names: Sequence[str]) -> list[str]:
    """Return one picture of all that the seats know, or else what is public, and what each sees besides."""
    if public is None:
        return []
    if game is not None:
        return draw_everything(game, public, secrets, names)
    lines = list(tree(public))
    for name, secret in zip(names, secrets, strict=False):
        if secret is not None:
            lines += ["", f"{name} sees besides:", *tree(secret)]
    return lines


def labels(public: View) -> tuple[str, ...]:
    """Return the colours of the seats, where the view tells them: in a list, or with each player."""
    match public:
        case {"colors": [*colors]}:
            return tuple(map(str, colors))
        case {"players": [*players]}:
            colors = [player.get("color") for player in players if isinstance(player, dict)]
            return tuple(map(str, colors)) if all(colors) else ()
        case _:
            return ()


def seats_to_act(game: AnyGame | None, public: View, seats: int) -> frozenset[Seat]:
    """Return whose turn it is, where the game is installed here and the public view tells.

    In a game that hides something, the view tells if every position that fits it asks the same seats.
    """
    if game is None or public is None:
        return frozenset()
    asked = game.to_act(game.imagine(public, None, None, _DREAMS))
    dreams = _DREAMS
    for _ in range(_WORLDS if hides(game, public, seats) else 0):
        dream, dreams = dreams.spawn()
        if game.to_act(game.imagine(public, None, None, dream)) != asked:
            return frozenset()
    return asked


def hides(game: AnyGame | None, public: View, seats: int) -> bool:
    """Whether some seat sees more than the public view, as far as the game is known here."""
    if game is None or public is None:
        return False
    state = game.imagine(public, None, None, _DREAMS)
    return any(game.private(state, seat) is not None for seat in range(seats))


def tree(view: View, depth: int = 0) -> Iterator[str]:
    """Yield any view as an indented tree, with short branches on one line."""
    indent = "  " * depth
    if not isinstance(view, dict | list) or len(_inline(view)) <= MAX_INLINE:
        yield indent + _inline(view)
        return
    items = view.items() if isinstance(view, dict) else enumerate(view)
    for key, value in items:
        text = _inline(value)
        if len(text) <= MAX_INLINE:
            yield f"{indent}{key}: {text}"
        else:
            yield f"{indent}{key}:"
            yield from tree(value, depth + 1)


def _inline(view: View) -> str:
    match view:
        case dict():
            return "{" + ", ".join(f"{key}: {_inline(value)}" for key, value in view.items()) + "}"
        case list():
            return "[" + ", ".join(map(_inline, view)) + "]"
        case None:
            return "-"
        case _:
            return str(view)
