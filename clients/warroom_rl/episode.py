"""One match after another at the table of an environment, by the rules alone."""

from contextlib import suppress
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warroom_games.api import IllegalActionError, Result, Seat
from warroom_games.rng import Rng, derived_key
from warroom_protocol.canonical import plain
from warroom_rl.action_spaces import FactoredActions
from warroom_rl.errors import BoundError, SetupError, StepError
from warroom_rl.features import Numbers
from warroom_rl.rewards import penalties, rewards
from warroom_rl.setting import Setting
from warroom_rl.view_layout import ViewWriter

Illegal: TypeAlias = Literal["lose", "nearest", "raise"]
"""What an illegal action does: end the match with -1, play the nearest legal action, or raise `StepError`."""

ILLEGAL: tuple[Illegal, ...] = ("lose", "nearest", "raise")

CAP = "cap"
"""The reason of a result that only the length limit of the game brought."""


class Episode:
    """A match in progress: what each seat sees and may do, and its next step."""

    def __init__(self, setting: Setting, *, max_steps: int | None = None, illegal: Illegal | None = None) -> None:
        self.setting = setting
        self._illegal = illegal or ("lose" if setting.actions.is_exact else "nearest")
        if self._illegal not in ILLEGAL:
            raise SetupError(f"illegal is one of {', '.join(ILLEGAL)}, not {illegal!r}")
        if self._illegal == "nearest" and setting.actions.is_exact:
            raise SetupError(
                "the nearest action is only known to environments with factors; an index has no neighbours"
            )
        if max_steps is not None and max_steps < 1:
            raise SetupError(f"max_steps is at least 1, not {max_steps}")
        self._max_steps = max_steps
        self._writer = ViewWriter(setting.views)
        self.state: Any = None
        self.asked: list[Seat] = []
        """The seats to act, in order; empty when the episode is over."""
        self.steps = 0
        self.offender: Seat | None = None
        """The seat whose illegal action ended the episode."""
        self._listed: dict[Seat, NDArray[np.int64]] = {}
        self._is_written = False

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""
        return not self.asked

    @property
    def is_truncated(self) -> bool:
        """Whether a length limit ended it: the game's own or `max_steps`."""
        result = self.result
        return self.is_over and self.offender is None and (result is None or result.reason == CAP)

    @property
    def result(self) -> Result | None:
        """The result of the match, if it was played to its end."""
        result: Result | None = self.setting.game.result(self.state)
        return result

    def begin(self, seed: str) -> None:
        """Begin the match that `warroom simulate` plays with a seed."""
        setting = self.setting
        self.steps, self.offender = 0, None
        self._adopt(setting.game.setup(setting.seats, setting.options, Rng(derived_key(seed, "match"))))

    def rewards(self) -> tuple[float, ...]:
        """Return the reward of each seat for the last step: all 0 before the end, and if `max_steps` ended it."""
        if self.offender is not None:
            return penalties(self.setting.seats, self.offender)
        result = self.result if self.is_over else None
        return (0.0,) * self.setting.seats if result is None else rewards(result.ranks)

    def check(self, seat: Seat, chosen: Any) -> None:
        """Raise `StepError` if `act` would; nothing happens."""
        if self._illegal == "raise":
            self._legal_action(seat, chosen)
        else:
            with suppress(BoundError):
                self.setting.actions.decode(chosen)

    def act(self, seat: Seat, chosen: Any) -> None:
        """Play the action that a seat chose; raise `StepError` if it is not in the action space."""
        action = self._legal_action(seat, chosen)
        if action is None:
            self.offender = seat
            self._ask([])
            return
        self._play(seat, action)

    def play(self, seat: Seat, action: Any) -> None:
        """Play an action as the game has it; raise the rules' refusal if it is illegal."""
        self.setting.game.check(self.state, seat, action)
        self._play(seat, action)

    def outcome(self, seat: Seat) -> dict[str, Any]:
        """Return how the episode ended for a seat; nothing before the end, and if `max_steps` ended it."""
        if self.offender is not None:
            return {"illegal": self.offender == seat}
        result = self.result if self.is_over else None
        return {} if result is None else {"rank": result.ranks[seat], "reason": result.reason}

    def observe(self, seat: Seat) -> dict[str, Any]:
        """Return the observation of a seat, in arrays of its own. A seat that is not to act has an empty mask."""
        actions = self.setting.actions
        return {"observation": self.view(seat), "action_mask": actions.shown(self.mask(seat))}

    def view(self, seat: Seat, out: Numbers | None = None) -> Numbers:
        """Return what a seat knows, as an array of its own or in *out*."""
        self._write()
        return self._writer.observation(seat, self.setting.game.private(self.state, seat), out)

    def everything(self) -> Numbers:
        """Return who is to act, the public view, and the private views of all seats."""
        self._write()
        game, state = self.setting.game, self.state
        private = [self._writer.private(seat, game.private(state, seat)) for seat in range(self.setting.seats)]
        return np.concatenate((self._writer.public(), *private))

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        """Return the mask of the legal actions of a seat as one array."""
        return self.setting.actions.mask(self.legal(seat))

    def legal(self, seat: Seat) -> NDArray[np.int64]:
        """Return the listed legal actions of a seat as indices, or as vectors of factors; none if it is not to act."""
        listed = self._listed.get(seat)
        if listed is None:
            game = self.setting.game
            actions = game.legal_actions(self.state, seat) if seat in self.asked else ()
            listed = self._listed[seat] = self.setting.actions.points(actions)
            if seat in self.asked and not len(listed):
                raise BoundError(f"no legal action of {game.info.id} is in the action space; widen its bounds")
            listed.flags.writeable = False  # masks are made of it later
        return listed

    def picture(self, seat: Seat) -> str:
        """Return what a seat knows as text."""
        game, state = self.setting.game, self.state
        return game.draw(plain(game.public(state)), plain(game.private(state, seat)))

    def _play(self, seat: Seat, action: Any) -> None:
        self.steps += 1
        self._adopt(self.setting.game.apply(self.state, seat, action).state)
        if self.steps == self._max_steps:
            self._ask([])

    def _adopt(self, state: Any) -> None:
        self.state = state
        self._ask(sorted(self.setting.game.to_act(state)))

    def _ask(self, seats: list[Seat]) -> None:
        self.asked = seats
        self._listed.clear()
        self._is_written = False

    def _write(self) -> None:
        if not self._is_written:
            self._writer.write_public(self.setting.game.public(self.state), self.asked)
            self._is_written = True

    def _legal_action(self, seat: Seat, chosen: Any) -> Any:
        """Return the action to play; None if it is illegal and ends the episode."""
        game, actions = self.setting.game, self.setting.actions
        try:
            action = actions.decode(chosen)
            game.check(self.state, seat, action)
        except (BoundError, IllegalActionError) as error:
            if self._illegal == "raise":
                raise StepError(f"seat {seat} cannot play {chosen}: {error}") from error
            if isinstance(actions, FactoredActions) and self._illegal == "nearest":
                return actions.decode(actions.nearest(chosen, self.legal(seat)))
            return None
        return action
