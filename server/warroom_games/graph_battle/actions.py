"""The actions: docs/rules/graph_battle.md, sections 3 to 5."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

MAX_NODES = 48
"""The largest board: a grid of 8 rows and 6 columns."""  # §1.1

Node: TypeAlias = Annotated[int, Meta(ge=0, lt=1024, description="the id of a node")]


class Attack(Struct, frozen=True, gc=False, tag_field="type", tag="attack", forbid_unknown_fields=True):
    """Attack an enemy node from an adjacent own node of strength 2 or more."""  # §4.1

    source: Node
    target: Node


class EndTurn(
    Struct, frozen=True, gc=False, tag_field="type", tag="end_turn", forbid_unknown_fields=True, omit_defaults=True
):
    """End the turn and take the reinforcements."""  # §3.3

    capital: Node | None = None
    """The node that takes all reinforcements, if the room has a capital."""  # §5.6


Action: TypeAlias = Attack | EndTurn

# Actions are values, so they are created once.
ATTACKS = tuple(tuple(Attack(source, target) for target in range(MAX_NODES)) for source in range(MAX_NODES))
"""The attack from each node on each node, adjacent or not."""
