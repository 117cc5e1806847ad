"""Plays whole matches between bots without a server, in simulated room time."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from msgspec import Struct

from warroom_bots.api import BotKind, Decision
from warroom_games.api import AnyGame
from warroom_games.codec import check_seats, decode_action, decode_options, encode
from warroom_games.log import Acted, Entry, Opened, RoomOptions, Sat, Started
from warroom_games.match import Match
from warroom_games.replay import Link, seal
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol.canonical import plain

THINK_MS = 250
"""Room time per action."""


class Simulated(Struct, frozen=True):
    """A finished match and its replay."""

    match: Match
    replay: bytes


def simulate(
    game: AnyGame, bots: Sequence[BotKind], *, seed: str, options: Mapping[str, object] | None = None
) -> Simulated:
    """Play one match, a bot per seat; the same arguments give the same bytes.

    Raise `OptionsError` if the seats or options are invalid, and the rules' refusal if a bot plays an illegal action.
    """
    check_seats(game, len(bots))
    table = _Table(game, seed, len(bots), encode(decode_options(game, options or {})))
    for seat, kind in enumerate(bots):
        table.enter(Sat(seat, f"bot-{seat}", f"{kind.name} {seat + 1}"))
    table.enter(Started(0))
    players = [kind.make(Rng(_key(seed, f"bot {seat}"))) for seat, kind in enumerate(bots)]
    while not table.match.is_over:
        seat = min(table.match.asked)
        action = players[seat].choose(table.decision(seat))
        table.act(seat, encode(decode_action(game, encode(action))))
    return Simulated(table.match, seal(table.log))


class _Table:
    """A match with its log."""

    def __init__(self, game: AnyGame, seed: str, seats: int, options: bytes) -> None:
        opened = Opened(
            room=0,
            game=game.info.id,
            rules_version=game.info.rules_version,
            seats=seats,
            options=options,
            # The caller assigns the seats; nothing is drawn.
            room_options=RoomOptions(seating="as_joined"),
            creator="bot-0",
            ref=0,
            seed=_key(seed, "match"),
            opened_ms=0,
        )
        self.match = Match.open(opened, game)
        self.log = [Link(encode(opened), self.match.chain)]

    def enter(self, entry: Entry) -> None:
        """Add an entry to the log."""
        advanced = self.match.advance(entry)
        self.match = advanced.match
        self.log.append(Link(advanced.entry, advanced.match.chain))

    def act(self, seat: int, action: bytes) -> None:
        """Play an action a moment after the previous one, and in time."""
        deadline = self.match.deadline
        assert deadline is not None
        at = min(self.match.at + THINK_MS, deadline)
        self.enter(Acted(at, seat, len(self.log), action, at))

    def decision(self, seat: int) -> Decision:
        """Return what the seat would see over the wire."""
        game, state = self.match.game, self.match.state
        legal = tuple(map(plain, game.legal_actions(state, seat)))
        public, private = plain(game.public(state)), plain(game.private(state, seat))
        return Decision(seat, public, private, legal, game.info.complete)


def _key(seed: str, purpose: str) -> bytes:
    return blake2b(seed.encode(), key=purpose.encode(), digest_size=KEY_BYTES).digest()
