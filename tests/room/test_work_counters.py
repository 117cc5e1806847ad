"""The work of a room for one action."""

from msgspec.structs import asdict
from room_table import ALICE, BOB, Table
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Bid, Peek

from warroom_games.graph_battle.actions import EndTurn
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_protocol.patches import diff_visits


def work_of(table: Table, seat: int, action: object) -> dict[str, int]:
    """Return the cost of one more action, without zeros."""
    before = asdict(table.room.work)
    table.act(seat, action)
    after = {name: count for name, count in asdict(table.room.work).items() if isinstance(count, int)}
    return {name: count - before[name] for name, count in after.items() if count != before[name]}


def test_an_attack_costs_one_diff_one_frame_a_verdict_and_a_prompt_however_many_watch() -> None:
    table = Table.playing(GRAPH_BATTLE, 5)
    for connection in range(100, 200):
        table.watch(connection)
    attack = next(iter(GRAPH_BATTLE.legal_actions(table.room.match.state, ALICE)))
    assert work_of(table, ALICE, attack) == {"entries": 1, "accepted": 1, "diffs": 1, "updates": 1, "messages": 3}


def test_an_attack_makes_the_diff_look_at_little_more_than_it_changed() -> None:
    table = Table.playing(GRAPH_BATTLE, 5)
    attack = next(iter(GRAPH_BATTLE.legal_actions(table.room.match.state, ALICE)))
    before = GRAPH_BATTLE.public(table.room.match.state)
    table.act(ALICE, attack)
    patch, visits = diff_visits(before, GRAPH_BATTLE.public(table.room.match.state))
    assert 0 < len(patch) <= visits <= 2 * len(patch) + 4


def test_the_first_frame_of_a_turn_costs_a_sum_besides() -> None:
    table = Table.playing(GRAPH_BATTLE, 5)
    assert work_of(table, ALICE, EndTurn()) == {
        "entries": 1,
        "accepted": 1,
        "diffs": 1,
        "sums": 1,
        "updates": 1,
        "messages": 3,
    }


def test_a_hidden_step_costs_one_private_frame_and_no_public_one() -> None:
    table = Table.playing(SEALED_BIDS)
    assert work_of(table, ALICE, Peek()) == {"entries": 1, "accepted": 1, "diffs": 2, "privates": 1, "messages": 3}
    card = table.room.match.state.secrets[BOB].hand[0]
    assert work_of(table, BOB, Bid(card)) == {"entries": 1, "accepted": 1, "diffs": 2, "privates": 1, "messages": 2}


def test_a_refusal_costs_one_message() -> None:
    table = Table.playing(SEALED_BIDS)
    assert work_of(table, ALICE, b"\xc1") == {"messages": 1}
