"""Whole matches as files: a header, one line an action, and the hash of the last state."""

import json
from hashlib import sha256

from warroom_games.api import AnyGame
from warroom_games.codec import decode_action, decode_options, encode
from warroom_games.playthrough import finish
from warroom_games.rng import Rng
from warroom_protocol.canonical import plain


def record(game: AnyGame, seats: int, seed: bytes, **options: object) -> str:
    """Play a random match and return it as the text of a file."""
    coins, choices = Rng(seed), Rng(bytes(reversed(seed)))
    moves = finish(game, game.setup(seats, decode_options(game, options), coins), choices)
    header = {
        "game": game.info.id,
        "rules_version": game.info.rules_version,
        "seats": seats,
        "options": options,
        "seed": seed.hex(),
    }
    lines = [header, *({"seat": move.seat, "action": plain(move.action)} for move in moves)]
    return "\n".join(map(json.dumps, [*lines, _ending(game, moves[-1].step.state)])) + "\n"


def rerun(game: AnyGame, text: str) -> tuple[dict[str, object], dict[str, object]]:
    """Play the recorded actions again; return how it ended now, and how it ended when it was recorded."""
    header, *moves, ending = map(json.loads, text.splitlines())
    state = game.setup(header["seats"], decode_options(game, header["options"]), Rng(bytes.fromhex(header["seed"])))
    for move in moves:
        action = decode_action(game, encode(move["action"]))
        game.check(state, move["seat"], action)
        state = game.apply(state, move["seat"], action).state
    return _ending(game, state), ending


def _ending(game: AnyGame, state: object) -> dict[str, object]:
    result = game.result(state)
    return {"sha256": sha256(encode(state)).hexdigest(), "result": plain(result)}
