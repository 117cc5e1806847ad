"""The laws that every game keeps, as plain functions over a random match.

A law returns nothing, or raises `LawBrokenError` with what it found. `LAWS` holds all of them, including the laws about
secrets (`warroom_games.secrecy`, `warroom_games.event_secrecy`) and about conservation. More keys test more matches.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, TypeAlias

import msgspec

from warroom_games import conservation, estimates, event_secrecy, hinting, immutability, noting, refusals, secrecy
from warroom_games.api import AnyGame, Event, MalformedActionError, OptionsError, Panoramic, Result, Seat, Step
from warroom_games.codec import (
    decode_action,
    decode_options,
    decode_state,
    encode,
    tag_of,
)
from warroom_games.law import LawBrokenError, hold, refusal, viewers
from warroom_games.playthrough import Playthrough, finish, play
from warroom_games.refusals import candidates
from warroom_games.rng import Rng
from warroom_games.schemas import action_schema, options_schema
from warroom_games.spectating import least_delay
from warroom_protocol.canonical import canonical, plain
from warroom_protocol.patches import apply, diff

Law: TypeAlias = Callable[[Playthrough], None]

MAX_LISTED = 512
"""The longest list of a game that cannot list all actions."""

_SAMPLE = 12
_KINDS = {bool: "a bool", int: "an integer", str: "text", list: "a list", dict: "a map"}
_CONTAINERS = frozenset({"a list", "a map"})
_Kinds: TypeAlias = "dict[str | int, tuple[str, _Kinds]]"
"""By key or index, the type that was seen there so far, and the same for what it contains."""


def the_game_describes_itself(match: Playthrough) -> None:
    """Id, seats and turn make sense; every option has a default, a range and a help text."""
    game, info = match.game, match.game.info
    hold(re.fullmatch(r"[a-z][a-z0-9_]*", info.id), f"id {info.id!r} is not a lower-case name")
    hold(1 <= info.min_seats <= info.usual_seats <= info.max_seats, f"seats of {info} are out of order")
    hold(info.turn_ms > 0, f"turn of {info} has no time")
    hold(bool(info.name and info.summary), f"{info} has no name or summary")
    hold(
        info.watch != "all" or info.delay >= least_delay(info, info.max_seats),
        f"spectators of {info.id} see all hands only {info.delay} turns later",
    )
    hold(info.spared_turns >= 0, f"spared turns of {info} are negative")
    decode_options(game, {})
    for field in msgspec.structs.fields(game.options_type):
        described = msgspec.json.schema(field.type)
        hold("description" in described, f"option {field.name} has no help text")
    hold(options_schema(game) and action_schema(game), "no schema")


def impossible_tables_are_refused(match: Playthrough) -> None:
    """A seat too few and a seat too many raise `OptionsError`."""
    game = match.game
    for seats in (game.info.min_seats - 1, game.info.max_seats + 1):
        try:
            game.setup(seats, match.options, Rng(match.key))
        except OptionsError:
            continue
        raise LawBrokenError(f"{game.info.id} can be set up for {seats} seats")


def equal_inputs_make_equal_matches(match: Playthrough) -> None:
    """The same seed and actions give the same bytes, and applying an action does not change the previous state."""
    before = [encode(state) for state in match.states]
    again = play(match.game, match.seats, match.options, match.key)
    hold([encode(state) for state in match.states] == before, "playing a match again changed its states")
    hold([encode(state) for state in again.states] == before, "the same seed and actions gave other states")
    for one, other in zip(match.moves, again.moves, strict=True):
        hold(encode(one.step.events) == encode(other.step.events), f"events of {one.action} differ the second time")


def states_survive_the_codec(match: Playthrough) -> None:
    """A stored state is equal when it is loaded again, and plays on in the same way."""
    game = match.game
    for state in match.sample(_SAMPLE):
        loaded = decode_state(game, encode(state))
        if loaded != state or encode(loaded) != encode(state):
            raise LawBrokenError(f"{state} does not survive its encoding")
    for move in match.moves[:: max(len(match.moves) // _SAMPLE, 1)]:
        step = game.apply(decode_state(game, encode(move.state)), move.seat, move.action)
        hold(encode(step) == encode(move.step), f"{move.action} plays differently after the state was stored")


def actions_survive_the_codec(match: Playthrough) -> None:
    """A stored action is equal when it is loaded again; on the wire it is a map that names its type."""
    for move in match.moves:
        data = encode(move.action)
        hold(decode_action(match.game, data) == move.action, f"{move.action} does not survive its encoding")
        hold(isinstance(plain(move.action).get("type"), str), f"{move.action} has no type on the wire")


def malformed_actions_are_refused(match: Playthrough) -> None:
    """Unknown, missing and ill-typed fields, unknown types and random bytes raise `MalformedActionError`."""
    for move in match.moves[:_SAMPLE]:
        for bad in _malformed(plain(move.action)):
            try:
                decode_action(match.game, bad)
            except MalformedActionError:
                continue
            raise LawBrokenError(f"{bad!r} is accepted as an action")


def offered_actions_are_legal(match: Playthrough) -> None:
    """Listed actions and the default action pass `check`; no action is listed twice, and the order is fixed."""
    game = match.game
    for state in match.sample(_SAMPLE):
        for seat in sorted(game.to_act(state)):
            listed = list(game.legal_actions(state, seat))
            hold(listed, f"seat {seat} must act but has no action")
            hold(listed == list(game.legal_actions(state, seat)), "listing the actions twice gives two lists")
            if len({encode(action) for action in listed}) != len(listed):
                raise LawBrokenError(f"{listed} lists an action twice")
            hold(game.info.complete or len(listed) <= MAX_LISTED, f"{len(listed)} actions are listed")
            default = game.default_action(state, seat)
            _hold_default(game, default, listed)
            for action in (*listed, default):
                refused = refusal(game, state, seat, action)
                if refused is not None:
                    raise LawBrokenError(f"{action} is offered to seat {seat} and refused: {refused}")


def unlisted_actions_are_refused(match: Playthrough) -> None:
    """If the list is complete, `check` refuses all other actions; an idle seat has no legal action."""
    game = match.game
    tried = list(candidates(match))
    for state in match.sample(_SAMPLE):
        asked = game.to_act(state)
        for seat in range(match.seats):
            listed = list(game.legal_actions(state, seat))
            if listed and seat not in asked:
                raise LawBrokenError(f"seat {seat} is not to act and is offered {listed}")
            if seat in asked and not game.info.complete:
                continue
            for action in tried:
                refused = refusal(game, state, seat, action)
                if (action in listed) != (refused is None):
                    raise LawBrokenError(f"{action} of seat {seat}: {refused}, listed {listed}")


def somebody_acts_until_the_result(match: Playthrough) -> None:
    """There is a result exactly when nobody is to act; turn numbers never decrease."""
    game, turn = match.game, 0
    for state in match.states:
        asked = game.to_act(state)
        hold(asked <= set(range(match.seats)), f"{asked} are asked, but there are only {match.seats} seats")
        hold((game.result(state) is None) == bool(asked), f"{asked} are asked, the result is {game.result(state)}")
        hold(game.turn(state) >= turn, f"turn {game.turn(state)} follows turn {turn}")
        turn = game.turn(state)
    _hold_ranks(match.seats, game.result(match.states[-1]))


def turns_belong_to_their_seats(match: Playthrough) -> None:
    """A turn asks only seats that it asked at its beginning, and no seat waits too long for its turn.

    If seats move together, no seat sits out a turn. Otherwise each seat in play has one turn in each round: with n
    seats, at most 2 n - 2 turns lie between two turns of a seat.
    """
    game = match.game
    turn, asked = game.turn(match.opening), game.to_act(match.opening)
    for state in match.states:
        now, seats = game.turn(state), game.to_act(state)
        if game.info.simultaneous or now == turn:
            hold(seats <= asked, f"turn {now} asks {sorted(seats)}, turn {turn} asked {sorted(asked)} at its beginning")
        turn, asked = now, seats if now != turn else asked
    if not game.info.simultaneous:
        _hold_rounds(match)


def views_are_plain(match: Playthrough) -> None:
    """Views and events hold null, bool, 53-bit integers, text, lists and maps, and a key keeps its type for life."""
    game = match.game
    for viewer in viewers(match.seats):
        known: _Kinds = {}
        views = [game.public(state) if viewer is None else game.private(state, viewer) for state in match.states]
        for view in {canonical(view): view for view in views}.values():  # most steps leave most views as they are
            _hold_kinds({"view": plain(view)}, known, ())
    for move in match.moves:
        for event in move.step.events:
            _hold_event(event, match.seats)


def patches_rebuild_views(match: Playthrough) -> None:
    """A viewer that starts with the opening and applies every patch has the right view, byte for byte."""
    game = match.game
    for viewer in viewers(match.seats):
        views = [game.public(state) if viewer is None else game.private(state, viewer) for state in match.states]
        held = plain(views[0])
        for old, new in pairwise(views):
            held = apply(held, plain(diff(old, new)))
            if canonical(held) != canonical(new):
                raise LawBrokenError(f"patches lead viewer {viewer} to {held} instead of {new}")


def removed_seats_never_act(match: Playthrough) -> None:
    """A removed seat has no further action, and the match continues to its end without it."""
    game = match.game
    # One seat per state: playing on with every seat would take many matches, and other matches start with another seat.
    for number, state in enumerate(match.sample(3)[:-1]):
        a_removed_seat_never_acts(match, state, (match.key[0] + number) % match.seats)
    end, state = match.states[-1], match.opening
    for seat in range(match.seats):
        hold(encode(game.remove(end, seat)) == encode(Step(end)), f"seat {seat} can leave a match that is over")
        state = game.remove(state, seat).state
    _hold_ranks(match.seats, game.result(state))


def a_removed_seat_never_acts(match: Playthrough, state: Any, seat: Seat) -> None:
    """Remove one seat in one state: it has no further action, and the match ends without it."""
    game = match.game
    left = game.remove(state, seat).state
    hold(encode(game.remove(left, seat)) == encode(Step(left)), f"seat {seat} can be removed twice")
    if game.turn(left) == game.turn(state):
        hold(
            game.to_act(left) <= game.to_act(state),
            f"the turn of seat {seat}, which is out, continues with other seats",
        )
    moves = finish(game, left, Rng(match.key))
    for after in (left, *(move.step.state for move in moves)):
        hold(seat not in game.to_act(after), f"seat {seat} is out and asked to act")
    _hold_ranks(match.seats, game.result(moves[-1].step.state if moves else left))


def views_can_be_drawn(match: Playthrough) -> None:
    """Every view can be drawn as printable text."""
    game = match.game
    for state in match.sample(_SAMPLE):
        public = plain(game.public(state))
        secrets = [plain(game.private(state, seat)) for seat in range(match.seats)]
        drawings = [game.draw(public, private) for private in (None, *secrets)]
        if isinstance(game, Panoramic):
            drawings.append(game.draw_all(public, secrets, ()))
        for text in drawings:
            if not (text.strip() and all(line.isprintable() for line in text.split("\n"))):
                raise LawBrokenError(f"{text!r} is not a drawing")


def _hold_rounds(match: Playthrough) -> None:
    """Check that no seat waits longer than two rounds allow.

    A missing turn number is a skipped turn. It may belong to any seat that had not waited too long by then.
    """
    game, longest = match.game, 2 * match.seats - 2
    asked = {game.turn(state): game.to_act(state) for state in reversed(match.states)}  # when each turn begins
    before = min(asked) - 1
    last = [before] * match.seats
    for turn in sorted(asked):
        if turn > before + 1:
            last = [turn - 1 if before - own <= longest else own for own in last]
        for seat in sorted(asked[turn]):
            waited = turn - 1 - last[seat]
            hold(waited <= longest, f"seat {seat} waits {waited} turns for turn {turn}, the longest wait is {longest}")
            last[seat] = turn
        before = turn


def _hold_default(game: AnyGame, default: Any, listed: list[Any]) -> None:
    """The default is an action that a player may play, unless the game reserves one for the clock."""
    own = game.info.clock_action
    if own is not None:
        kept = [action for action in listed if tag_of(action) == own]
        hold(tag_of(default) == own and not kept, f"{own} is for the clock: the default is {default}, listed is {kept}")
    elif game.info.complete:
        hold(default in listed, f"the default {default} is not listed")


def _malformed(action: dict[str, object]) -> Iterator[bytes]:
    """Yield bytes that are not an action, most of them almost valid."""
    bad: list[object] = [[], None, 7, "", {}, {**action, "no_such_field": 1}, {**action, "type": "no such type"}]
    bad += [{**action, name: [{"no": 1.5}]} for name in action]
    yield from map(msgspec.msgpack.encode, bad)
    data = encode(action)
    yield from (b"", b"\xc1", data[:-1], data + data, data.replace(b"type", b"typ\xff"))


def _hold_kinds(held: dict[Any, Any] | list[Any], known: _Kinds, path: tuple[str | int, ...]) -> None:
    """Compare the types inside a map or list with the *known* ones at the same places, and record new ones.

    None stands for any type. A law walks over whole views after every step, so this is written for speed.
    """
    for key, value in held.items() if isinstance(held, dict) else enumerate(held):
        if value is None:
            continue
        kind = _KINDS.get(type(value))
        if kind is None:
            raise LawBrokenError(f"{(*path, key)} holds {value!r}")
        place = known.get(key)
        if place is None:
            place = known[key] = (kind, {})
        if place[0] != kind:
            raise LawBrokenError(f"{(*path, key)} was {place[0]} and is {kind}")
        if kind == "an integer" and not -(2**53) < value < 2**53:
            raise LawBrokenError(f"{(*path, key)} holds {value}, which is not a 53-bit integer")
        if kind in _CONTAINERS:
            _hold_kinds(value, place[1], (*path, key))


def _hold_event(event: Event, seats: int) -> None:
    told = [seat for seat, _ in event.private]
    hold(set(told) <= set(range(seats)), f"{event} addresses seats that do not exist")
    hold(len(set(told)) == len(told), f"{event} addresses a seat twice")
    hold(event.public is not None or told, f"{event} addresses nobody")
    for form in (event.public, *(form for _, form in event.private)):
        shown = plain(form)
        hold(shown is None or isinstance(shown, dict), f"{form} is not a map")
        _hold_kinds({"event": shown}, {}, ())


def _hold_ranks(seats: int, result: Result | None) -> None:
    """Ranks start at 1, and tied seats share the better rank."""
    if result is None:
        raise LawBrokenError("nobody is to act, and there is no result")
    ranks = result.ranks
    hold(len(ranks) == seats, f"{result} does not rank {seats} seats")
    hold(all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks), f"{result} is not a ranking")
    hold(result.reason in ("victory", "cap"), f"{result} has an unknown reason")
    hold(not result.left, f"{result} says who left: only the match knows")


LAWS: tuple[Law, ...] = (
    the_game_describes_itself,
    impossible_tables_are_refused,
    immutability.states_are_frozen,
    equal_inputs_make_equal_matches,
    states_survive_the_codec,
    actions_survive_the_codec,
    malformed_actions_are_refused,
    offered_actions_are_legal,
    unlisted_actions_are_refused,
    refusals.refusals_have_codes_of_the_game,
    refusals.refusal_codes_are_on_the_rules_page,
    somebody_acts_until_the_result,
    turns_belong_to_their_seats,
    views_are_plain,
    patches_rebuild_views,
    removed_seats_never_act,
    views_can_be_drawn,
    hinting.hints_name_what_exists,
    noting.notes_are_short_lines,
    estimates.estimates_are_in_thousandths,
    conservation.conserved_quantities_are_conserved,
    secrecy.imagined_worlds_look_the_same,
    secrecy.answers_depend_on_views_alone,
    secrecy.hidden_steps_stay_hidden,
    event_secrecy.events_tell_no_more_than_views,
    secrecy.hidden_things_can_be_otherwise,
)
"""All laws, in the best order for the author of a new game."""
