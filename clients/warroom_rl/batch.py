"""Many matches that go on together, and the arrays through which their steps are told."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from warroom_games.api import AnyGame
from warroom_rl.episode import Episode, Illegal
from warroom_rl.seeds import Seeds
from warroom_rl.setting import Setting, setting_of

Allocate = Callable[[tuple[int, ...], Any], NDArray[Any]]


class Order(Struct, frozen=True, kw_only=True):
    """How to make the matches of a batch; a process gets this and makes them itself."""

    game: str | AnyGame
    seats: int | None = None
    options: Mapping[str, object] | None = None
    max_steps: int | None = None
    illegal: Illegal | None = None

    def setting(self) -> Setting:
        """Return the setting; raise `SetupError` if there is none."""
        return setting_of(self.game, self.seats, self.options)

    def episode(self, setting: Setting) -> Episode:
        """Return a table for one match after another."""
        return Episode(setting, max_steps=self.max_steps, illegal=self.illegal)


class Arrays(NamedTuple):
    """What goes in and out of a step, one row for each match."""

    actions: NDArray[np.int64]
    """In: the index or the vector that the seat to act chose."""
    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    seats: NDArray[np.int64]
    """The seat that is to act, whose observation and mask this is."""
    rewards: NDArray[np.float32]
    """By match and seat."""
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    finals: NDArray[np.float32]
    """The last observation of the seat that ended the match, where one ended."""

    def rows(self, start: int, stop: int) -> "Arrays":
        """Return views of some rows."""
        return Arrays._make(array[start:stop] for array in self)


def arrays_for(setting: Setting, matches: int, allocate: Allocate) -> Arrays:
    """Return arrays for a number of matches."""
    single = setting.action_space().shape or ()
    size = setting.views.size
    return Arrays(
        actions=allocate((matches, *single), np.int64),
        observations=allocate((matches, size), np.float32),
        masks=allocate((matches, setting.actions.mask_size), np.int8),
        seats=allocate((matches,), np.int64),
        rewards=allocate((matches, setting.seats), np.float32),
        terminations=allocate((matches,), np.bool_),
        truncations=allocate((matches,), np.bool_),
        finals=allocate((matches, size), np.float32),
    )


class Batch:
    """Some matches; when one is over, the next one begins in the same step."""

    def __init__(self, order: Order, setting: Setting, arrays: Arrays) -> None:
        self._arrays = arrays
        self._episodes = [order.episode(setting) for _ in arrays.seats]
        self._seeds = [Seeds() for _ in arrays.seats]

    def reset(self, seeds: Sequence[int | None]) -> None:
        """Begin the match of a seed in each row, or the next one of its sequence."""
        arrays = self._arrays
        for row, (episode, sequence, seed) in enumerate(zip(self._episodes, self._seeds, seeds, strict=True)):
            begin(episode, sequence, seed)
            self._show(row, episode)
        for array in (arrays.rewards, arrays.terminations, arrays.truncations):
            array[:] = 0

    def check(self) -> None:
        """Raise `StepError` for an action that may not be played; nothing happens."""
        for episode, chosen in zip(self._episodes, self._chosen(), strict=True):
            episode.check(episode.asked[0], chosen)

    def step(self) -> None:
        """Play the action of each row."""
        arrays, chosen = self._arrays, self._chosen()
        for row, episode in enumerate(self._episodes):
            seat = episode.asked[0]
            episode.act(seat, chosen[row])
            is_over = episode.is_over
            is_truncated = is_over and episode.is_truncated
            arrays.rewards[row] = episode.rewards() if is_over else 0
            arrays.terminations[row], arrays.truncations[row] = is_over and not is_truncated, is_truncated
            if is_over:
                episode.view(seat, arrays.finals[row])
                begin(episode, self._seeds[row])
            self._show(row, episode)

    def _chosen(self) -> Sequence[Any]:
        actions = self._arrays.actions
        return list(actions) if actions.ndim > 1 else actions.tolist()

    def _show(self, row: int, episode: Episode) -> None:
        seat = episode.asked[0]
        episode.view(seat, self._arrays.observations[row])
        self._arrays.masks[row] = episode.mask(seat)
        self._arrays.seats[row] = seat


def begin(episode: Episode, seeds: Seeds, seed: int | None = None) -> None:
    """Begin the match of a seed, or the next one; pass over matches that the opening decides."""
    episode.begin(seeds.next_seed(seed))
    while episode.is_over:
        episode.begin(seeds.next_seed())
