"""Research: docs/rules/thardferr.md, sections 3.3 and 13."""

import pytest
from thardferr_positions import kingdom, match, played, refused, told

from warroom_games.api import Event
from warroom_games.thardferr.actions import EndTurn, Research
from warroom_games.thardferr.events import Learnt, Researching
from warroom_games.thardferr.research import is_open
from warroom_games.thardferr.state import Kingdom, Learned, Project
from warroom_games.thardferr.technologies import TECHNOLOGIES

RICH = {"gold": 10**7}


def turned(researcher: Kingdom) -> Kingdom:
    """The kingdom at the start of its next turn."""
    return played(match(kingdom(), researcher), EndTurn()).kingdoms[1]


class TestOneAtATime:
    """§13.1"""

    def test_a_second_research_is_refused(self) -> None:
        state = played(match(kingdom(stores=RICH)), Research("Field-glass"))
        assert refused(state, Research("Habitation")) == ("research.busy", "Field-glass is already being researched")

    def test_an_unknown_technology_is_refused_with_the_nearest(self) -> None:
        code, says = refused(match(), Research("Fieldglass"))
        assert code == "unknown.technology"
        assert "did you mean 'Field-glass'" in says

    def test_only_the_owner_is_told(self) -> None:
        assert told(match(), Research("Field-glass")) == [Event(None, ((0, Researching(0, "Field-glass", 30)),))]


class TestPrice:
    """§13.2"""

    def test_each_level_is_paid_when_it_is_begun(self) -> None:
        wise = kingdom(stores=RICH, techs={"Sharper Blades": 1})
        after = played(match(wise), Research("Sharper Blades")).kingdoms[0]
        assert (after.stores.gold, after.project) == (10**7 - 200_000, Project("Sharper Blades", 60))

    def test_what_cannot_be_paid_is_refused(self) -> None:
        assert refused(match(), Research("Habitation")) == ("price.short", "that costs 200000 gold; you have 60000")

    def test_beyond_the_last_level_there_is_nothing(self) -> None:
        wise = kingdom(stores=RICH, techs={"Sharper Blades": 3})
        assert refused(match(wise), Research("Sharper Blades")) == (
            "research.mastered",
            "you already know all 3 levels of Sharper Blades",
        )


class TestTrees:
    """§13.3"""

    def test_an_entry_needs_a_level_of_the_one_before(self) -> None:
        assert refused(match(kingdom(stores=RICH)), Research("Commerce")) == (
            "research.order",
            "Commerce requires Habitation",
        )
        wise = kingdom(stores=RICH, techs={"New Spells": 1})
        assert played(match(wise), Research("Insight")).kingdoms[0].project == Project("Insight", 150)


class TestOwn:
    """§13.4"""

    def test_only_its_race_learns_it(self) -> None:
        orc, human = kingdom("orc", stores=RICH), kingdom(stores=RICH)
        assert played(match(orc), Research("Cloacking")).kingdoms[0].project == Project("Cloacking", 50)
        assert refused(match(human), Research("Cloacking")) == (
            "research.foreign",
            "only the orc race can research Cloacking",
        )

    def test_all_others_are_open_to_everybody(self) -> None:
        undead = kingdom("undead")
        assert [name for name, each in TECHNOLOGIES.items() if is_open(undead, each)] == [
            name for name, each in TECHNOLOGIES.items() if each.after is None and each.race is None
        ]


class TestDays:
    """§13.5"""

    @pytest.mark.parametrize(
        ("days_left", "project", "level"),
        [
            pytest.param(11, Project("Sharper Blades", 1), 1, id="§13.5 a day is missing"),
            pytest.param(10, None, 2, id="§13.5 just in time"),
            pytest.param(3, None, 2, id="§13.5 days to spare"),
        ],
    )
    def test_a_level_is_known_when_all_its_days_are_over(
        self, days_left: int, project: Project | None, level: int
    ) -> None:
        wise = kingdom(techs={"Transport": 1, "Sharper Blades": 1}, project=Project("Sharper Blades", days_left))
        after = turned(wise)
        assert (after.project, after.level("Sharper Blades")) == (project, level)
        assert after.level("Transport") == 1

    def test_a_first_level_is_new(self) -> None:
        events = told(match(kingdom(), kingdom(project=Project("Transport", 5))), EndTurn())
        assert Event(None, ((1, Learnt(1, "Transport", 1)),)) in events
        after = turned(kingdom(project=Project("Transport", 5)))
        assert after.technologies == (Learned("Transport", 1),)

    def test_what_is_known_is_strength(self) -> None:
        """§3.3"""
        assert turned(kingdom(project=Project("Transport", 5))).strength == kingdom().strength + 1_000
