"""Whole matches as files: a header, one line an action, and the hash of the last state."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from warroom_games.api import AnyGame, RulesError, Seat, Step
from warroom_games.codec import decode_action, decode_options, encode
from warroom_games.playthrough import finish
from warroom_games.rng import Rng
from warroom_protocol.canonical import plain


def record(game: AnyGame, seats: int, seed: bytes, **options: object) -> str:
    """Play a random match and return it as the text of a file."""
    return _played(game, {"seats": seats, "options": options, "seed": seed.hex()}, ())


def record_again(game: AnyGame, text: str) -> str:
    """Play a recorded match by the rules of today: its actions as long as they are allowed, then random ones."""
    header, *moves, _ = map(json.loads, text.splitlines())
    return _played(game, header, moves)


def rerun(game: AnyGame, text: str) -> tuple[dict[str, object], dict[str, object]]:
    """Play the recorded actions again; return how it ended now, and how it ended when it was recorded."""
    header, *moves, ending = map(json.loads, text.splitlines())
    state = _opening(game, header)
    for move in moves:
        state = _after(game, state, move["seat"], move["action"])
    return _ending(game, state), ending


def steps(game: AnyGame, text: str) -> Iterator[Step]:
    """Yield what each recorded action did."""
    header, *moves, _ = map(json.loads, text.splitlines())
    state = _opening(game, header)
    for move in moves:
        step = game.apply(state, move["seat"], decode_action(game, encode(move["action"])))
        state = step.state
        yield step


def shown(game: AnyGame, text: str) -> Iterator[tuple[str, object]]:
    """Yield every distinct option, action, view and event of a recorded match, after the name of its schema."""
    seen: set[tuple[str, bytes]] = set()
    for name, value in _shown(game, text):
        if value is not None and (key := (name, encode(value))) not in seen:
            seen.add(key)
            yield name, plain(value)


def _shown(game: AnyGame, text: str) -> Iterator[tuple[str, object]]:
    header, *moves, _ = map(json.loads, text.splitlines())
    state = _opening(game, header)
    yield "options", header["options"]
    yield from _views(game, state, header["seats"])
    for move, step in zip(moves, steps(game, text), strict=True):
        yield "actions", move["action"]
        for event in step.events:
            yield from (("events", form) for form in (event.public, *(form for _, form in event.private)))
        yield from _views(game, step.state, header["seats"])


def _views(game: AnyGame, state: Any, seats: int) -> Iterator[tuple[str, object]]:
    yield "public", game.public(state)
    yield from (("private", game.private(state, seat)) for seat in range(seats))


def _played(game: AnyGame, header: Mapping[str, Any], moves: Iterable[Mapping[str, Any]]) -> str:
    state = _opening(game, header)
    lines: list[object] = [
        {
            "game": game.info.id,
            "rules_version": game.info.rules_version,
            **{name: header[name] for name in ("seats", "options", "seed")},
        }
    ]
    for move in moves:
        try:
            state = _after(game, state, move["seat"], move["action"])
        except RulesError:
            break
        lines.append({"seat": move["seat"], "action": move["action"]})
    for drawn in finish(game, state, Rng(bytes(reversed(bytes.fromhex(header["seed"]))))):
        state = drawn.step.state
        lines.append({"seat": drawn.seat, "action": plain(drawn.action)})
    return "\n".join(map(json.dumps, [*lines, _ending(game, state)])) + "\n"


def _opening(game: AnyGame, header: Mapping[str, Any]) -> Any:
    coins = Rng(bytes.fromhex(header["seed"]))
    return game.setup(header["seats"], decode_options(game, header["options"]), coins)


def _after(game: AnyGame, state: Any, seat: Seat, written: object) -> Any:
    action = decode_action(game, encode(written))
    game.check(state, seat, action)
    return game.apply(state, seat, action).state


def _ending(game: AnyGame, state: object) -> dict[str, object]:
    result = game.result(state)
    return {"sha256": sha256(encode(state)).hexdigest(), "result": plain(result)}
