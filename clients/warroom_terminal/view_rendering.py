"""Renders a view as text: the game's own drawing, or a plain tree if the game is not installed."""

from collections.abc import Iterator, Sequence
from typing import Final

from warroom_games.api import AnyGame, Cropping, Seat, View
from warroom_games.pictures import draw_everything, draw_view
from warroom_games.registry import RegistryError, load_games
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol.messages import About
from warroom_terminal.line_wrapping import cut

_SAMPLES: Final = Rng(bytes(KEY_BYTES))
"""Generator for sampling positions that fit a view."""

_WORLDS: Final = 8
"""If this many sampled positions agree on the seats to act, the view is taken to reveal them."""

MAX_INLINE = 100


def find_game(about: About | None) -> AnyGame | None:
    """Return the rules of a room, if they are installed."""
    if about is None:
        return None
    try:
        return load_games().get(about.game, about.rules_version)
    except RegistryError:
        return None


def draw(game: AnyGame | None, public: View, private: View | None, names: Sequence[str] = ()) -> list[str]:
    """Return the lines that show a view; games that can do so call the players by *names*."""
    if public is None:
        return []
    return list(tree(public)) if game is None else draw_view(game, public, private, names)


def cropped(game: AnyGame | None, picture: Sequence[str], *, rows: int, columns: int, all_of_it: str) -> list[str]:
    """Return the most important part of a picture that is too large, if its game can select one.

    *all_of_it* tells the player how to see the rest.
    """
    drawer: object = game
    is_small = len(picture) <= rows and all(len(line) <= columns for line in picture)
    if is_small or not isinstance(drawer, Cropping):
        return list(picture)
    part = drawer.crop(picture, rows, columns)
    return part if part == list(picture) else [*part[:-1], cut(f"{part[-1]}; {all_of_it}", columns)]


def public_part(about: About | None, view: View) -> View:
    """Return the public part of a view; omniscient spectators get the private parts of all seats beside it."""
    if about is not None and about.room_options.get("watch") == "all" and isinstance(view, dict) and "seats" in view:
        return view.get("public")
    return view


def secret_parts(about: About | None, view: View) -> list[View]:
    """Return the private part of each seat, if the viewer may see it."""
    if public_part(about, view) is view or not isinstance(view, dict):
        return []
    secrets = view.get("seats")
    return list(secrets) if isinstance(secrets, list) else []


def draw_all(game: AnyGame | None, public: View, secrets: list[View], names: Sequence[str]) -> list[str]:
    """Return one picture of everything the seats know, or else the public view followed by each private view."""
    if public is None:
        return []
    if game is not None:
        return draw_everything(game, public, secrets, names)
    lines = list(tree(public))
    for name, secret in zip(names, secrets, strict=False):
        if secret is not None:
            lines += ["", f"{name} also sees:", *tree(secret)]
    return lines


def labels(public: View) -> tuple[str, ...]:
    """Return the colours of the seats, if the view contains them in a list or per player."""
    match public:
        case {"colors": [*colors]}:
            return tuple(map(str, colors))
        case {"players": [*players]}:
            colors = [player.get("color") for player in players if isinstance(player, dict)]
            return tuple(map(str, colors)) if all(colors) else ()
        case _:
            return ()


def seats_to_act(game: AnyGame | None, public: View, seats: int) -> frozenset[Seat]:
    """Return the seats to act, if the game is installed and the public view reveals them.

    In a game with hidden information the view reveals them if all positions that fit it agree.
    """
    if game is None or public is None:
        return frozenset()
    asked = game.to_act(game.imagine(public, None, None, _SAMPLES))
    dreams = _SAMPLES
    for _ in range(_WORLDS if hides(game, public, seats) else 0):
        dream, dreams = dreams.spawn()
        if game.to_act(game.imagine(public, None, None, dream)) != asked:
            return frozenset()
    return asked


def hides(game: AnyGame | None, public: View, seats: int) -> bool:
    """Whether some seat sees more than the public view, as far as the installed game tells."""
    if game is None or public is None:
        return False
    state = game.imagine(public, None, None, _SAMPLES)
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
