"""What a room may choose: docs/rules/thardferr.md, section 18."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from warroom_games.thardferr.rulesets import RulesetName

Order: TypeAlias = Literal["rotating", "fixed"]
RaceChoice: TypeAlias = Literal["pick", "dwarf", "elf", "gnome", "human", "orc", "undead"]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays which race, how long a turn and a match are, and how battles are fought."""

    race_1: Annotated[RaceChoice, Meta(description="the race of the first seat; pick: its player chooses")] = "pick"
    race_2: Annotated[RaceChoice, Meta(description="the race of the second seat")] = "pick"
    race_3: Annotated[RaceChoice, Meta(description="the race of the third seat")] = "pick"
    race_4: Annotated[RaceChoice, Meta(description="the race of the fourth seat")] = "pick"
    race_5: Annotated[RaceChoice, Meta(description="the race of the fifth seat")] = "pick"
    race_6: Annotated[RaceChoice, Meta(description="the race of the sixth seat")] = "pick"
    days_per_turn: Annotated[int, Meta(ge=1, le=30, description="days that pass in a turn")] = 10
    max_turns: Annotated[int, Meta(ge=1, le=60, description="after so many turns each the strongest wins")] = 40
    ruleset: Annotated[RulesetName, Meta(description="how battles are read")] = "document"
    peace_rounds: Annotated[int, Meta(ge=0, le=5, description="rounds before the first attack is allowed")] = 3
    order: Annotated[Order, Meta(description="whether each round of three or more begins one seat later")] = "fixed"
    battle_rounds: Annotated[int, Meta(ge=1, le=10, description="rounds of a battle")] = 1

    @property
    def races(self) -> tuple[RaceChoice, ...]:
        """The choices in the order of seats."""
        return self.race_1, self.race_2, self.race_3, self.race_4, self.race_5, self.race_6
