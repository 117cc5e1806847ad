"""The views as text."""

from thardferr_positions import kingdom, match, played

from warroom_games.rng import Rng
from warroom_games.thardferr.actions import Attack, PickRace, Scout
from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import Project, State
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_protocol.canonical import plain


def drawn(state: State, seat: int | None = None) -> list[str]:
    private = None if seat is None else plain(GAME.private(state, seat))
    return GAME.draw(plain(GAME.public(state)), private).splitlines()


def test_the_kingdoms_stand_in_a_table_with_a_mark_for_the_turn() -> None:
    fallen = kingdom("elf", land=4, army={}, buildings={"castle": 0, "house": 0})
    lines = drawn(match(kingdom("orc", army={"Rusher": 660}), fallen, kingdom(), out=(1, 2), turn=7, round=3))
    assert lines == [
        "Thardferr   round 3 of 40 (day 30)   turn 7   seat 0 to move",
        "  seat  race    land  castles  strength",
        ">    0  orc       20        1      3540  ####################",
        "     1  elf        4        0       270  fallen",
        "     2  human     20        1      1965  left",
    ]


def test_while_races_are_picked_it_says_who_is_ready() -> None:
    state = played(GAME.setup(2, Options(), Rng(bytes(16))), PickRace("orc"), seat=1)
    assert drawn(state)[0].endswith("players pick their races")
    assert drawn(state)[1:] == ["  seat 0: picks", "  seat 1: ready"]
    assert drawn(state, 1)[-1] == "You picked: orc."


def test_a_player_sees_the_own_ledger() -> None:
    own = kingdom(techs={"Transport": 1}, project=Project("Insight", 20), strategy="Quick Retreat", can_train=False)
    lines = drawn(match(own), 0)
    assert lines[4:8] == [
        "Your kingdom: human, 20 land, defends with Quick Retreat",
        "  stores     gold    60000  iron     1500  wood     1500  food     8000",
        "  income     gold    30690  iron      400  wood      500  food    20000",
        "  upkeep     gold     1100  iron        0  wood        0  food     8890",
    ]
    assert lines[8] == "  Upkeep not paid: no training this turn."
    assert lines[9].startswith("  buildings  Castle 1, House 40, Farm 20")
    assert any(line.startswith("  army       Infantry 10 (+0 of 20)") for line in lines)
    assert lines[-2] == "  workers    mine 1000, lumber 850, agriculture 1200, blacksmithing 800"
    assert lines[-1] == "  knows      Transport 1, (Insight in 20 days)"


def test_it_fits_a_terminal_of_eighty_columns() -> None:
    rich = kingdom(
        "gnome",
        army={"Catapult": 100_000, "Balista": 100_000, "RockThrower": 100_000},
        buildings={kind: 100 for kind in BUILDINGS},
        stores={"gold": 99_999_999},
        techs=dict.fromkeys(list(TECHNOLOGIES)[:8], 1),
        strategy="Gnome Far Fighting",
    )
    state = played(match(*[rich] * 6, round=40, turn=240), Attack(1, {"RockThrower": 100_000}))
    lines = drawn(played(state, Scout(0), seat=1), 1)
    assert max(map(len, lines)) <= 80
    assert len(drawn(state)) <= 24
    names = ["Bartholomew the Elder"] * 6
    named = GAME.draw_for(plain(GAME.public(state)), plain(GAME.private(state, 1)), names).splitlines()
    assert max(map(len, named)) <= 80
    assert "Bartholomew t…" in named[2]


def test_what_is_not_built_is_not_listed() -> None:
    assert "Guard Towers" not in "".join(drawn(match(), 0))


def test_a_scouted_ledger_is_shown_below() -> None:
    lines = drawn(played(match(kingdom(), kingdom("elf")), Scout(1)), 0)
    start = lines.index("Scouted: seat 1: elf, 20 land, defends with none")
    assert lines[start + 1] == "  stores     gold    60000  iron     1500  wood     1500  food     8000"
    assert "  army       Swordman 10 (+0)" in "".join(lines[start:])


def test_battles_are_remembered_in_a_line_each() -> None:
    state = played(match(kingdom(army={"Knight": 90}), kingdom("elf")), Attack(1, {"Knight": 90}))
    assert drawn(state, 1)[-2:] == [
        "Battles",
        "  turn 1: seat 0 attacks seat 1, wins 5 land; 2 and 30 fall",
    ]
    even = played(match(), Attack(1, {"Infantry": 10, "Pikeman": 10, "Archer": 10}))
    assert "nobody wins; " in drawn(even, 0)[-1]


def test_a_finished_match_says_why_it_is_over() -> None:
    lines = drawn(match(ended="cap"))
    assert lines[0].endswith("over (length limit reached)")
    assert not any(line.startswith(">") for line in lines)
