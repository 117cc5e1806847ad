"""Legal attacks and their effects: docs/rules/graph_battle.md, section 4."""

from fractions import Fraction

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError
from warroom_games.graph_battle.actions import ATTACKS, Action, Attack
from warroom_games.graph_battle.combat import attack_rule
from warroom_games.graph_battle.events import Attacked, Conquered, Eliminated
from warroom_games.graph_battle.state import Color, Node, State, Table


def list_attacks(table: Table) -> list[Action]:
    """Return all legal attacks of the current seat, by source, then target."""  # §4.1
    nodes, color, neighbours = table.nodes, table.colors[table.seat], table.board.neighbours
    attacks: list[Action] = []
    for source, node in enumerate(nodes):
        if node.color == color and node.strength >= 2:
            from_here = ATTACKS[source]
            for target in neighbours[source]:
                if nodes[target].color != color:
                    attacks.append(from_here[target])  # noqa: PERF401 - few targets: the loop is faster
    return attacks


def check_attack(table: Table, attack: Attack) -> None:
    """Refuse an illegal attack of the current seat."""  # §4.1
    for node in (attack.source, attack.target):
        if node >= len(table.nodes):
            raise IllegalActionError("attack.no_node", f"no node {node}; the nodes are 0 to {len(table.nodes) - 1}")
    color = table.colors[table.seat]
    source, target = table.nodes[attack.source], table.nodes[attack.target]
    if source.color != color:
        raise IllegalActionError("attack.not_yours", f"node {attack.source} is {source.color}; you are {color}")
    if target.color == color:
        raise IllegalActionError("attack.own_node", f"node {attack.target} is yours")
    if attack.target not in table.board.neighbours[attack.source]:
        raise IllegalActionError("attack.not_adjacent", f"node {attack.target} is not adjacent to node {attack.source}")
    if source.strength < 2:
        raise IllegalActionError(
            "attack.too_weak", f"node {attack.source} has strength {source.strength}; an attack needs 2 or more"
        )


def attack_odds(table: Table, attack: Attack) -> Fraction:
    """Return the probability that the attack succeeds: exact, or rounded for very long battles."""  # §4.6
    source, target = table.nodes[attack.source], table.nodes[attack.target]
    return attack_rule(table.options).odds(source.strength, target.strength)


def make_attack(state: State, attack: Attack, events: list[Event]) -> State:
    """Fight the battle, move in after a success, and append to *events*."""
    table, here, there = state.table, attack.source, attack.target
    nodes, seat = list(table.nodes), table.seat
    source, target = nodes[here], nodes[there]
    battle, rng = attack_rule(table.options).fight(source.strength, target.strength, state.rng)
    left, color = battle.attacker, source.color
    events.append(Event(Attacked(seat, here, there, battle.flips, left, battle.defender)))
    if not battle.is_won:
        nodes[here], nodes[there] = Node(color, left), Node(target.color, battle.defender)  # §4.5
        return State(replace(table, nodes=tuple(nodes), last_attack_round=table.round), rng)
    nodes[here], nodes[there] = Node(color, 1), Node(color, left - 1)  # §4.4
    events.append(Event(Conquered(seat, here, there, color, target.color, left - 1)))
    table = replace(table, nodes=tuple(nodes), last_attack_round=table.round)
    return State(_without_beaten(table, target.color, events), rng)


def _without_beaten(table: Table, color: Color, events: list[Event]) -> Table:
    """Remove the seat of a colour if it has just lost its last node."""  # §2.4
    seat = table.colors.index(color)
    if seat in table.out or any(node.color == color for node in table.nodes):
        return table
    events.append(Event(Eliminated(seat, table.seat)))
    return replace(table, out=(*table.out, seat))
