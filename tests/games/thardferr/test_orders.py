"""Battles as people write them down."""

import pytest

from warroom_games.thardferr.forces import Force
from warroom_games.thardferr.orders import Order, OrderError, read_order

KNIGHTS = {"race": "human", "army": {"Knight": 3}}
ORCS = {"race": "orc", "army": {}}
BATTLE = {"attacker": KNIGHTS, "defender": ORCS}


def test_what_is_left_out_is_nothing_and_the_usual_land() -> None:
    assert read_order(BATTLE) == Order(Force(race="human", army={"Knight": 3}), Force(race="orc", army={}))
    assert read_order(BATTLE).attacker.land == 20


def test_everything_that_is_written_counts() -> None:
    techs = {"Sharper Blades": 2, "Cloacking": True, "Fortification": False}
    attacker = {**KNIGHTS, "strategy": "Quick Retreat", "techs": techs, "buildings": {"Castle": 1}, "land": 7}
    order = read_order({"attacker": attacker, "defender": ORCS, "max_rounds": 4, "id": "a"})
    assert order.attacker == Force(
        race="human",
        army={"Knight": 3},
        strategy="Quick Retreat",
        techs={"Sharper Blades": 2, "Cloacking": 1, "Fortification": 0},
        buildings={"Castle": 1},
        land=7,
    )
    assert (order.max_rounds, order.id) == (4, "a")


def test_a_wrapped_battle_may_have_company_and_an_id_outside() -> None:
    for name in ("b", 7):
        assert read_order({"id": name, "input": BATTLE, "note": 1}) == Order(
            read_order(BATTLE).attacker, read_order(BATTLE).defender, 1, name
        )


@pytest.mark.parametrize(
    ("written", "says"),
    [
        pytest.param([], r"the battle must be a map, got \[\]", id="no map"),
        pytest.param({"input": 3}, "input must be a map, got 3", id="no map inside"),
        pytest.param({}, "the battle has no 'attacker', only: nothing", id="empty"),
        pytest.param({"attacker": KNIGHTS}, "the battle has no 'defender', only: attacker", id="one side"),
        pytest.param({**BATTLE, "rounds": 2}, "the battle: unknown field 'rounds'; did you mean", id="field"),
        pytest.param({**BATTLE, "id": [5]}, r"id must be text or a whole number, got \[5\]", id="id"),
        pytest.param({**BATTLE, "id": True}, "id must be text or a whole number, got true", id="a truth as id"),
        pytest.param({**BATTLE, "id": "\ud800"}, "id must be printable text, got", id="half a character"),
        pytest.param({**BATTLE, "\n": 1}, r'field\'s name must be printable text, got "\\n"', id="field's name"),
        pytest.param(
            {**BATTLE, "defender": {**ORCS, "army": {"\ud800": 1}}}, "army: a name must be printable", id="unit's name"
        ),
        pytest.param({**BATTLE, "defender": {**ORCS, "techs": None}}, "techs must be a map, got null", id="null"),
        pytest.param({**BATTLE, "max_rounds": 0}, "max_rounds must be at least 1, got 0", id="no round"),
        pytest.param({**BATTLE, "max_rounds": 101}, "max_rounds must be a whole number from 0 to 100", id="rounds"),
        pytest.param({**BATTLE, "attacker": 1}, "attacker must be a map, got 1", id="side"),
        pytest.param({**BATTLE, "attacker": {"race": "elf"}}, "attacker has no 'army'", id="no army"),
        pytest.param({**BATTLE, "defender": {"army": {}}}, "defender has no 'race'", id="no race"),
        pytest.param({**BATTLE, "defender": {**ORCS, "race": 7}}, "defender: race must be text, got 7", id="race"),
        pytest.param({**BATTLE, "defender": {**ORCS, "armee": {}}}, "defender: unknown field 'armee'", id="typo"),
        pytest.param({**BATTLE, "defender": {**ORCS, "army": []}}, "defender: army must be a map", id="army"),
        pytest.param({**BATTLE, "defender": {**ORCS, "strategy": 1}}, "defender: strategy must be text", id="strategy"),
        pytest.param({**BATTLE, "defender": {**ORCS, "land": -1}}, "defender: land must be a whole number", id="land"),
        pytest.param(
            {**BATTLE, "defender": {**ORCS, "army": {"Rusher": 1.5}}}, "army: 'Rusher' must .* got 1.5", id="fraction"
        ),
        pytest.param(
            {**BATTLE, "defender": {**ORCS, "army": {"Rusher": True}}},
            "'Rusher' must .* got true",
            id="a truth is none",
        ),
        pytest.param(
            {**BATTLE, "defender": {**ORCS, "techs": {"Cloacking": "yes"}}}, "techs: 'Cloacking' must", id="level"
        ),
        pytest.param(
            {**BATTLE, "defender": {**ORCS, "buildings": {"Castle": 10**10}}}, "from 0 to 1000000000", id="too many"
        ),
    ],
)
def test_a_mistake_is_named_with_its_place_and_value(written: object, says: str) -> None:
    with pytest.raises(OrderError, match=says):
        read_order(written)
