"""What a player may do: docs/rules/graph_battle.md, sections 3 to 5."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

MAX_NODES = 48
"""No board has more nodes: a grid of 8 rows and 6 columns."""  # §1.1

Node: TypeAlias = Annotated[int, Meta(ge=0, lt=1024, description="the id of a node")]


class Attack(Struct, frozen=True, gc=False, tag_field="type", tag="attack", forbid_unknown_fields=True):
    """Attack an enemy node from an adjacent own node of strength 2 or more."""  # §4.1

    source: Node
    target: Node


class EndTurn(
    Struct, frozen=True, gc=False, tag_field="type", tag="end_turn", forbid_unknown_fields=True, omit_defaults=True
):
    """Decline to attack any further and take the reinforcements."""  # §3.3

    capital: Node | None = None
    """The node that takes all of them, where the reinforcements have a capital."""  # §5.6


Action: TypeAlias = Attack | EndTurn

# Actions are values: made once, they are only looked up when they are listed.
ATTACKS = tuple(tuple(Attack(source, target) for target in range(MAX_NODES)) for source in range(MAX_NODES))
"""The attack from each node on each node, adjacent or not."""
