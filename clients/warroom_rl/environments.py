"""Makes environments."""

from collections.abc import Mapping, Sequence

from warroom_bots.api import BotKind
from warroom_games.api import AnyGame
from warroom_rl.aec_env import MatchEnv
from warroom_rl.batch import Order
from warroom_rl.episode import Illegal
from warroom_rl.parallel_env import ParallelMatchEnv
from warroom_rl.seat_env import SeatEnv
from warroom_rl.setting import setting_of
from warroom_rl.vector_env import MatchVectorEnv


def env(
    game: str | AnyGame,
    *,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    max_steps: int | None = None,
    illegal: Illegal | None = None,
    render_mode: str | None = None,
) -> MatchEnv:
    """Return the environment of a game, in which one seat acts after another.

    *game* is the id of an installed game, `module:object`, or a game; *seats* is the usual number by default, and
    *options* are those of a room. After *max_steps* actions the match is truncated. *illegal* says what an illegal
    action does: `lose` ends the match with -1 for its seat (the default for an action space of indices), `nearest`
    plays the legal action that is most like it (the default for factors), `raise` raises `StepError`.

    Raise `SetupError` if there is no such environment.
    """
    return MatchEnv(setting_of(game, seats, options), max_steps=max_steps, illegal=illegal, render_mode=render_mode)


def parallel_env(
    game: str | AnyGame,
    *,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    max_steps: int | None = None,
    illegal: Illegal | None = None,
    render_mode: str | None = None,
) -> ParallelMatchEnv:
    """Return the parallel environment of a game whose seats move together; the arguments are those of `env`."""
    setting = setting_of(game, seats, options)
    return ParallelMatchEnv(setting, max_steps=max_steps, illegal=illegal, render_mode=render_mode)


def seat_env(
    game: str | AnyGame,
    bots: Sequence[str | BotKind],
    *,
    seat: int | None = None,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    max_steps: int | None = None,
    illegal: Illegal | None = None,
    render_mode: str | None = None,
) -> SeatEnv:
    """Return the Gymnasium environment of one seat, against bots by their names.

    The other seats get the *bots* in their order, again and again if there are fewer. Without *seat*, the seed of each
    match decides which seat it is. The other arguments are those of `env`.
    """
    order = Order(game=game, seats=seats, options=options, max_steps=max_steps, illegal=illegal)
    return SeatEnv(order, bots, seat=seat, render_mode=render_mode)


def vector_env(
    game: str | AnyGame,
    num_envs: int,
    *,
    processes: int | None = None,
    context: str = "spawn",
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    max_steps: int | None = None,
    illegal: Illegal | None = None,
) -> MatchVectorEnv:
    """Return a number of matches that take their steps together, for programs that play all seats themselves.

    *processes* says how many processes share them, by default one for each core; 0 plays them in this one. *context*
    says how they start: `spawn`, `fork` or `forkserver`; a script needs `if __name__ == "__main__":` except for `fork`.
    The other arguments are those of `env`. Close it at the end, or use `contextlib.closing`.
    """
    order = Order(game=game, seats=seats, options=options, max_steps=max_steps, illegal=illegal)
    return MatchVectorEnv(order, num_envs, processes=processes, context=context)
