"""A battle report as text."""

from thardferr_positions import force

from warroom_games.thardferr.account import tell
from warroom_games.thardferr.battle import fight
from warroom_games.thardferr.forces import Force, muster
from warroom_games.thardferr.rulesets import RULESETS


def account(attacker: Force, defender: Force, max_rounds: int = 1) -> list[str]:
    rules = RULESETS["document"]
    sides = (muster(attacker, rules), muster(defender, rules))
    return tell(fight(*sides, rules, max_rounds=max_rounds), *sides).splitlines()


def test_the_opening_names_both_sides_and_what_they_bring() -> None:
    lines = account(
        force("human", "Human Charging!", Knight=30, techs={"Sharper Blades": 2, "Transport": 0}),
        force("orc", Slother=100, buildings={"Castle": 2}, land=30),
    )
    assert lines[0] == "human (Human Charging!) attacks orc (no strategy)   (ruleset document)"
    assert lines[2:10] == [
        "                        attacker  defender",
        "  units                       30       100",
        "  in the field                30        80",
        "  castles                      0         2",
        "  land                        20        30",
        "  KS                        2075      3250",
        "  TEGC                     51900     35300",
        "  technologies  Sharper Blades 2      none",
    ]


def test_the_stats_are_told_with_technologies_and_strategy() -> None:
    lines = account(
        force("human", "Human Charging!", Knight=30, techs={"Sharper Blades": 2}),
        force("human", Knight=5, Archer=1),
    )
    assert lines[11:15] == [
        "  Stats     unit    range  short  melee  defence",
        "  attacker  Knight   0.00   1.00  15.00    11.00",
        "  defender  Knight   0.00   1.00   8.00    11.00",
        "  defender  Archer   2.00   0.00   0.00     3.00",
    ]


def test_every_phase_is_a_table_of_stacks() -> None:
    lines = account(force("human", Pikeman=10), force("orc", ShadowWarrior=8, Rusher=20))
    start = lines.index("Round 1, melee")
    assert lines[start + 1 : start + 5] == [
        "            unit           count    raw  mitigated  reduced  defence  lost  left  effects",
        "  attacker  Pikeman           10  144.0        0.0       0%     3.00    10     0",
        "  defender  ShadowWarrior      8    4.7        0.0      75%     3.00     0     8  hiding: damage x0.25",
        "  defender  Rusher            20   70.6        0.0       0%     3.00    20     0  pikemen x2 against mounted",
    ]


def test_the_armies_are_added_up_at_the_end() -> None:
    lines = account(force("gnome", Militia=100), force("gnome", Militia=50, RockThrower=0))
    assert "The attacker wins by the share of casualties." in lines
    start = lines.index("  Defender     army  in the field  lost  healed  left")
    assert lines[start + 1 : start + 4] == [
        "  Militia        50            50    50       0     0",
        "  RockThrower     0             0     0       0     0",
        "  all            50            50    50       0     0",
    ]


def test_retreats_and_draws_are_said() -> None:
    weak, strong = force("human", Knight=30), force("human", Knight=100)
    assert "The attacker wins because the other side retreats." in account(strong, weak, 2)
    assert "The defender wins because the other side retreats." in account(weak, strong, 2)
    quick = force("human", "Quick Retreat", Knight=100)
    assert "The attacker wins by a Quick Retreat in time." in account(quick, force("orc", Slother=9), 2)
    assert "Nobody wins." in account(weak, weak)


def test_prices_are_told_by_race_and_unit() -> None:
    lines = account(force("human", Archer=1), force("elf", Archer=1, Mage=1))
    assert lines[-4:] == [
        "  Gold per point of  melee  defence  range",
        "  human Archer           -    202.3  303.5",
        "  elf Archer             -    261.0  174.0",
        "  elf Mage           733.3   1100.0  314.3",
    ]


def test_where_nobody_is_there_it_says_so() -> None:
    lines = account(force("human"), force("orc"))
    assert lines.count("  nobody is there") == 3
    assert lines[-3:] == ["  Attacker: no army", "", "  Defender: no army"]
