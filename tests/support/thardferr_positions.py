"""Kingdoms and matches of Thardferr, the start with some things otherwise, and sides of battles."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError
from warroom_games.thardferr.battle import battle
from warroom_games.thardferr.forces import Force
from warroom_games.thardferr.founding import found
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.reports import BattleReport, Stack
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import Kingdom, Learned, State, Troop
from warroom_games.thardferr.units import Race

WAR = Options(peace_rounds=0)
"""The usual options, but for the peace in which nothing happens."""


def kingdom(
    race: Race = "human",
    *,
    army: Mapping[str, int] | None = None,
    buildings: Mapping[str, int] | None = None,
    stores: Mapping[str, int] | None = None,
    workers: Mapping[str, int] | None = None,
    techs: Mapping[str, int] | None = None,
    **fields: Any,
) -> Kingdom:
    """Return a kingdom as it begins, with other numbers where they are given; an *army* replaces the whole one."""
    start = found(race)
    return replace(
        start,
        army=start.army if army is None else tuple(Troop(each.unit, army.get(each.unit, 0)) for each in start.army),
        buildings=replace(start.buildings, **(buildings or {})),
        stores=replace(start.stores, **(stores or {})),
        workers=replace(start.workers, **(workers or {})),
        technologies=tuple(Learned(name, level) for name, level in (techs or {}).items()),
        **fields,
    )


def match(*kingdoms: Kingdom, options: Options | None = None, **fields: Any) -> State:
    """Return a match in the first turn of seat 0, at war; fewer than two kingdoms are filled up with plain ones."""
    seats = (*kingdoms, *(kingdom() for _ in range(2 - len(kingdoms))))
    known: dict[str, Any] = {"seat": 0, "turn": 1, "round": 1, **fields}
    return State(
        options=options or WAR,
        picks=tuple(each.race for each in seats),
        kingdoms=seats,
        records=((),) * len(seats),
        courses=(None,) * len(seats),
        **known,
    )


def refused(state: State, action: Any, seat: int = 0) -> tuple[str, str]:
    """Return the code and the words with which an action is refused."""
    try:
        GAME.check(state, seat, action)
    except IllegalActionError as error:
        return error.code, error.detail
    raise AssertionError(f"{action} is allowed")


def played(state: State, *actions: Any, seat: int = 0) -> State:
    """Return the state after actions of one seat, each of which must be allowed."""
    for action in actions:
        GAME.check(state, seat, action)
        state = GAME.apply(state, seat, action).state
    return state


def told(state: State, action: Any, seat: int = 0) -> list[Event]:
    """Return the events of an allowed action."""
    GAME.check(state, seat, action)
    return list(GAME.apply(state, seat, action).events)


def force(race: str = "human", strategy: str | None = None, **fields: Any) -> Force:
    """Return one side of a battle; units are given by name."""
    known = {name: fields.pop(name) for name in ("techs", "buildings", "land") if name in fields}
    return Force(race=race, army=fields, strategy=strategy, **known)


def fought(attacker: Force, defender: Force, **options: Any) -> BattleReport:
    """Return the report of a battle."""
    return battle(attacker, defender, **options)


def stack(report: BattleReport, phase: str, side: str, unit: str) -> Stack:
    """Return what happened to one stack in one phase of the first round."""
    stacks = next(each.stacks for each in report.phases if each.phase == phase)
    return next(each for each in stacks if (each.side, each.unit) == (side, unit))
