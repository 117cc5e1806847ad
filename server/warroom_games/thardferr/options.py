"""The options of a room: docs/rules/thardferr.md, section 18."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from warroom_games.thardferr.rulesets import RulesetName

Order: TypeAlias = Literal["rotating", "fixed"]
RaceChoice: TypeAlias = Literal["pick", "dwarf", "elf", "gnome", "human", "orc", "undead"]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The races, the length of a turn and of a match, and the ruleset of battles."""

    race_1: Annotated[RaceChoice, Meta(description="race of the first seat; pick: its player chooses")] = "pick"
    race_2: Annotated[RaceChoice, Meta(description="race of the second seat")] = "pick"
    race_3: Annotated[RaceChoice, Meta(description="race of the third seat")] = "pick"
    race_4: Annotated[RaceChoice, Meta(description="race of the fourth seat")] = "pick"
    race_5: Annotated[RaceChoice, Meta(description="race of the fifth seat")] = "pick"
    race_6: Annotated[RaceChoice, Meta(description="race of the sixth seat")] = "pick"
    days_per_turn: Annotated[int, Meta(ge=1, le=30, description="days per turn")] = 10
    max_turns: Annotated[int, Meta(ge=1, le=60, description="turn limit per player; the strongest kingdom wins")] = 40
    ruleset: Annotated[RulesetName, Meta(description="battle rules")] = "document"
    peace_rounds: Annotated[int, Meta(ge=0, le=5, description="rounds before attacks are allowed")] = 3
    order: Annotated[Order, Meta(description="with three or more players: start each round one seat later")] = "fixed"
    battle_rounds: Annotated[int, Meta(ge=1, le=10, description="rounds per battle")] = 1

    @property
    def races(self) -> tuple[RaceChoice, ...]:
        """The choices in the order of seats."""
        return self.race_1, self.race_2, self.race_3, self.race_4, self.race_5, self.race_6
