"""What comes and goes only as the events tell: nodes and strength."""

from collections.abc import Mapping

from warroom_games.api import Event
from warroom_games.graph_battle.events import Attacked, Reinforced
from warroom_games.graph_battle.state import State


def quantities(state: State) -> Mapping[str, int]:
    """Return how many nodes there are, and how much strength is on them."""
    nodes = state.table.nodes
    return {"nodes": len(nodes), "strength": sum(node.strength for node in nodes)}


def changes(state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
    """Return the strength that attacks have cost and reinforcements brought."""  # §4.2, §5.3
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
