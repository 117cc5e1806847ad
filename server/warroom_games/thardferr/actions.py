"""The actions: docs/rules/thardferr.md, sections 8 to 16."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.units import Race

MOST = 1_000_000
"""The greatest number in an action (§21.1)."""

Name: TypeAlias = Annotated[str, Meta(max_length=40)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=MOST)]
Hands: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Place: TypeAlias = Annotated[int, Meta(ge=0, lt=6, description="a seat")]
Good: TypeAlias = Literal["iron", "wood", "food"]


def _described(effects: dict[str, str]) -> dict[str, object]:
    """Return the choices of a field and what each does, for its schema.

    They are definitions that nothing refers to: clients can read them, and any validator accepts them.
    """
    return {"$defs": {name: {"const": name, "description": effect} for name, effect in effects.items()}}


BuildingName: TypeAlias = Annotated[
    str,
    Meta(
        max_length=40,
        extra_json_schema=_described({kind: building.effect for kind, building in BUILDINGS.items()}),
    ),
]
TechnologyName: TypeAlias = Annotated[
    str,
    Meta(max_length=40, extra_json_schema=_described({each.name: each.effect for each in TECHNOLOGIES.values()})),
]


class PickRace(Struct, frozen=True, tag_field="type", tag="pick_race", forbid_unknown_fields=True):
    """Choose the race of the own kingdom, before the first turn."""  # §8.2

    race: Race


class Build(Struct, frozen=True, tag_field="type", tag="build", forbid_unknown_fields=True):
    """Build buildings of one kind."""  # §10.1

    building: BuildingName
    count: Count = 1


class Raze(Struct, frozen=True, tag_field="type", tag="raze", forbid_unknown_fields=True):
    """Raze buildings of one kind."""  # §10.4

    building: Name
    count: Count = 1


class Train(Struct, frozen=True, tag_field="type", tag="train", forbid_unknown_fields=True):
    """Train units, which arrive at the start of the next own turn."""  # §12.1

    unit: Name
    count: Count = 1


class Assign(Struct, frozen=True, kw_only=True, tag_field="type", tag="assign", forbid_unknown_fields=True):
    """Assign the peasants to jobs."""  # §11.2

    mine: Hands
    lumber: Hands
    agriculture: Hands
    blacksmithing: Hands = 0


class Research(Struct, frozen=True, tag_field="type", tag="research", forbid_unknown_fields=True):
    """Pay for the next level of a technology."""  # §13.1

    technology: TechnologyName


class Buy(Struct, frozen=True, tag_field="type", tag="buy", forbid_unknown_fields=True):
    """Buy at the market."""  # §14.1

    good: Good
    count: Count


class Sell(Struct, frozen=True, tag_field="type", tag="sell", forbid_unknown_fields=True):
    """Sell at the market."""  # §14.2

    good: Good
    count: Count


class SetStrategy(Struct, frozen=True, tag_field="type", tag="set_strategy", forbid_unknown_fields=True):
    """Choose the strategy for the kingdom's defence, or none."""  # §16.3

    strategy: Name | None


class Scout(Struct, frozen=True, tag_field="type", tag="scout", forbid_unknown_fields=True):
    """Look at the ledger of another kingdom for the rest of the turn."""  # §15.3

    seat: Place


class Attack(Struct, frozen=True, tag_field="type", tag="attack", forbid_unknown_fields=True):
    """Lead an army against another kingdom, which ends the turn."""  # §16.1

    target: Place
    army: Annotated[dict[Name, Hands], Meta(max_length=12)]
    strategy: Name | None = None


class EndTurn(Struct, frozen=True, tag_field="type", tag="end_turn", forbid_unknown_fields=True):
    """End the turn."""  # §9.4


Action: TypeAlias = (
    PickRace | Build | Raze | Train | Assign | Research | Buy | Sell | SetStrategy | Scout | Attack | EndTurn
)
