"""What a player may do: docs/rules/graph_battle.md, sections 3 and 4."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Node: TypeAlias = Annotated[int, Meta(ge=0, lt=1024, description="the id of a node")]


class Attack(Struct, frozen=True, gc=False, tag_field="type", tag="attack", forbid_unknown_fields=True):
    """Attack an enemy node from an adjacent own node of strength 2 or more."""  # §4.1

    source: Node
    target: Node


class EndTurn(Struct, frozen=True, gc=False, tag_field="type", tag="end_turn", forbid_unknown_fields=True):
    """Decline to attack any further and take the reinforcements."""  # §3.3


Action: TypeAlias = Attack | EndTurn
