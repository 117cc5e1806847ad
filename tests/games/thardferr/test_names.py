"""Names: docs/rules/thardferr.md, section 1."""

import pytest
from thardferr_positions import force, fought

from warroom_games.thardferr.forces import Force, known_race
from warroom_games.thardferr.names import UnknownNameError, known_name


class TestOtherNames:
    """§1.2"""

    @pytest.mark.parametrize(
        ("race", "text", "data"),
        [
            pytest.param("human", "MountedArchers", "MountedArcher", id="§1.2 mounted archers"),
            pytest.param("undead", "SkeletonWarrior", "SkeletalLegion", id="§1.2 skeletons"),
            pytest.param("undead", "Abomination", "AbominationCaragous", id="§1.2 abominations"),
        ],
    )
    def test_a_name_of_the_text_is_shown_as_the_data_has_it(self, race: str, text: str, data: str) -> None:
        report = fought(Force(race=race, army={text: 3}), force("orc"))
        assert report.attacker_final == {data: 3}

    def test_both_names_of_a_unit_are_one_stack(self) -> None:
        report = fought(Force(race="undead", army={"Abomination": 2, "AbominationCaragous": 3}), force("orc"))
        assert report.attacker_final == {"AbominationCaragous": 5}

    def test_a_race_may_be_written_in_capitals(self) -> None:
        assert known_race("Dwarf") == "dwarf"

    def test_strategies_and_technologies_have_shorter_names_too(self) -> None:
        report = fought(force("orc", "Berserker", Rusher=1, techs={"Cloaking": True}), force("elf", Archer=1))
        assert report.ks.attacker == 1003


class TestUnknownNames:
    """§1.3"""

    @pytest.mark.parametrize(
        ("given", "kind", "nearest"),
        [
            pytest.param(Force(race="Humn", army={}), "race", "human", id="§1.3 race"),
            pytest.param(Force(race="human", army={"Knigth": 1}), "human unit", "Knight", id="§1.3 unit"),
            pytest.param(Force(race="orc", army={"Rushers": 1}), "orc unit", "Rusher", id="§1.3 unit in the plural"),
            pytest.param(force(strategy="Shield Line"), "strategy", "Dwarf Shield Line", id="§1.3 strategy"),
            pytest.param(force(techs={"fortifications": 1}), "technology", "Fortification", id="§1.3 technology"),
            pytest.param(force(buildings={"Guard Tower": 1}), "building", "Guard Towers", id="§1.3 building"),
        ],
    )
    def test_an_unknown_name_is_refused_with_the_nearest(self, given: Force, kind: str, nearest: str) -> None:
        for sides in ((given, force()), (force(), given)):
            with pytest.raises(UnknownNameError) as error:
                fought(*sides)
            assert (error.value.kind, error.value.nearest) == (kind, nearest)
            assert repr(error.value.name) in str(error.value)

    def test_the_message_lists_what_there_is(self) -> None:
        with pytest.raises(
            UnknownNameError, match=r"unknown fruit 'aple'; did you mean 'apple'\? \(known: pear, apple\)"
        ):
            known_name("fruit", "aple", ("pear", "apple"))

    def test_another_spelling_counts_only_where_its_meaning_is_known(self) -> None:
        with pytest.raises(UnknownNameError):
            known_name("fruit", "Apfel", ("pear",), {"Apfel": "apple"})
        assert known_name("fruit", "Birne", ("pear",), {"Birne": "pear"}) == "pear"
