"""A game as a Gymnasium environment for one seat; bots play the others."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import Env
from numpy.typing import NDArray

from warroom_bots.api import Bot, BotKind, Decision
from warroom_bots.registry import UnknownBotError, find_bot
from warroom_games.api import AnyGame, Seat
from warroom_games.codec import decode_action, encode
from warroom_games.noting import notes_on
from warroom_games.rng import Rng, derived_key
from warroom_protocol.canonical import plain
from warroom_rl.batch import Order
from warroom_rl.errors import SetupError, StepError
from warroom_rl.seeds import Seeds

RENDER_MODES = ("ansi", "human")

Observation = dict[str, Any]


class SeatEnv(Env[Observation, Any]):
    """One seat of a match: a step plays its action, then bots play until it is to act again or the match is over."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        order: Order,
        bots: Sequence[str | BotKind],
        *,
        seat: Seat | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise SetupError(f"render_mode is None or one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.setting = order.setting()
        if seat is not None and not 0 <= seat < self.setting.seats:
            raise SetupError(f"seat is from 0 to {self.setting.seats - 1}, not {seat}")
        self.render_mode = render_mode
        self.observation_space = self.setting.observation_space()
        self.action_space = self.setting.action_space()
        self._fixed_seat = seat
        self._kinds = bot_kinds(self.setting.game, bots)
        self._episode = order.episode(self.setting)
        self._seeds = Seeds()
        self._players: dict[Seat, tuple[BotKind, Bot]] = {}
        self.seat: Seat = seat or 0
        """The seat of the current match."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the match of a seed, or the next one, and let the bots play until the seat is to act."""
        super().reset(seed=seed)
        self._begin(self._seeds.next_seed(seed))
        observed = self._shown()
        while self._episode.is_over:  # before the seat was ever asked
            self._begin(self._seeds.next_seed())
            observed = self._shown()
        return observed, {"seat": self.seat}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action of the seat, and those of the bots."""
        episode = self._episode
        if self.seat not in episode.asked:
            raise StepError("no match is running: call reset() first")
        episode.act(self.seat, action)
        observed = self._shown()
        is_truncated = episode.is_truncated
        terminated = episode.is_over and not is_truncated
        reward = episode.rewards()[self.seat]
        return observed, reward, terminated, is_truncated, {"seat": self.seat, **episode.outcome(self.seat)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of the legal actions as one array, factor after factor, as some programs ask for it."""
        return self._episode.mask(self.seat).astype(bool)

    def legal_actions(self) -> NDArray[np.int64]:
        """Return the listed legal actions, one a row: indices, or vectors of factors."""
        return self._episode.legal(self.seat)

    def render(self) -> Any:
        """Return what the seat knows as text; the mode `human` prints it by itself."""
        return self._episode.picture(self.seat) if self.render_mode == "ansi" else None

    def _begin(self, seed: str) -> None:
        self.seat = derived_key(seed, "seat")[0] % self.setting.seats if self._fixed_seat is None else self._fixed_seat
        rivals = [seat for seat in range(self.setting.seats) if seat != self.seat]
        self._players = {}
        for number, rival in enumerate(rivals):
            kind = self._kinds[number % len(self._kinds)]
            self._players[rival] = kind, kind.make(Rng(derived_key(seed, f"bot {rival}")))
        self._episode.begin(seed)

    def _shown(self) -> Observation:
        """Let the bots play until the seat is to act or the match is over; return what the seat knows then."""
        while self._episode.asked and self.seat not in self._episode.asked:
            self._let_play(self._episode.asked[0])
        if self.render_mode == "human":
            sys.stdout.write(f"{self._episode.picture(self.seat)}\n")
        return self._episode.observe(self.seat)

    def _let_play(self, seat: Seat) -> None:
        game, state = self.setting.game, self._episode.state
        kind, bot = self._players[seat]
        actions = tuple(game.legal_actions(state, seat))
        notes = notes_on(game, state, seat, actions) if kind.wants_notes else ()
        public, private, legal = plain(game.public(state)), plain(game.private(state, seat)), tuple(map(plain, actions))
        choice = bot.choose(
            Decision(seat, public, private, legal, game.info.complete, notes=notes if any(notes) else ())
        )
        self._episode.play(seat, decode_action(game, encode(choice)))


def bot_kinds(game: AnyGame, bots: Sequence[str | BotKind]) -> tuple[BotKind, ...]:
    """Return the bots of some names; raise `SetupError` for an unknown one."""
    if isinstance(bots, str) or not bots:
        raise SetupError(f"bots is a list of at least one bot, not {bots!r}")
    try:
        return tuple(bot if isinstance(bot, BotKind) else find_bot(game.info.id, bot, rules=game) for bot in bots)
    except UnknownBotError as error:
        raise SetupError(str(error)) from error
