"""Quantities that change only as events report: nodes and strength."""

from collections.abc import Mapping

from warroom_games.api import Event
from warroom_games.graph_battle.events import Attacked, Reinforced
from warroom_games.graph_battle.state import State


def quantities(state: State) -> Mapping[str, int]:
    """Return the number of nodes and their total strength."""
    nodes = state.table.nodes
    return {"nodes": len(nodes), "strength": sum(node.strength for node in nodes)}


def changes(state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
    """Return the strength that attacks destroyed and reinforcements added."""  # §4.2, §5.3
    strength = 0
    for event in events:
        match event.public:
            case Attacked() as attack:
                went_in = sum(state.table.nodes[node].strength for node in (attack.source, attack.target))
                strength += attack.source_strength + attack.target_strength - went_in
            case Reinforced(gains=gains):
                strength += sum(gain.strength for gain in gains)
            case _:
                pass
    return {"strength": strength}
