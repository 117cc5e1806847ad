"""Views as text: one viewer's view, and all views of a match together."""

from collections.abc import Sequence

from warroom_games.api import AnyGame, Naming, Panoramic, View


def draw_view(game: AnyGame, public: View, private: View | None, names: Sequence[str]) -> list[str]:
    """Return the lines of a picture; games that can do so call the players by *names*."""
    drawer: object = game
    picture = drawer.draw_for(public, private, names) if isinstance(drawer, Naming) else game.draw(public, private)
    return picture.splitlines()


def draw_besides(game: AnyGame, public: View, secret: View, names: Sequence[str]) -> list[str]:
    """Return the lines of a seat's picture that differ from the public one."""
    known = set(draw_view(game, public, None, names))
    return [line for line in draw_view(game, public, secret, names) if line not in known]


def draw_everything(game: AnyGame, public: View, secrets: Sequence[View], names: Sequence[str]) -> list[str]:
    """Return one picture of everything the seats know, or else the public view followed by each seat's additions."""
    drawer: object = game
    if isinstance(drawer, Panoramic) and secrets:
        return drawer.draw_all(public, secrets, names).splitlines()
    lines = draw_view(game, public, None, names)
    for name, secret in zip(names, secrets, strict=False):
        if secret is not None:
            lines += ["", f"{name} also sees:", *draw_besides(game, public, secret, names)]
    return lines
