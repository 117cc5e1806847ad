"""The sentences for events."""

from warroom_games.sentences import sentence

SENTENCES = (
    sentence(
        "attack conquest", "{@seat takes} {former} node {target} from node {source} and {&seat moves} {moved} there"
    ),
    sentence(
        "attack", "{@seat attacks} node {target} from node {source}: {source_strength} against {target_strength} left"
    ),
    sentence("conquest", "{@seat takes} {former} node {target} from node {source}"),
    sentence("elimination", "{@seat resigns}", by=None),
    sentence("elimination", "{@by eliminates} {@seat}"),
    sentence("turn_end", "{@seat has} no attack left", reason="exhausted"),
    sentence("turn_end", ""),
    sentence("reinforcement", "[{@seat gets} {gains.strength sum} strength at {gains.node}]"),
    sentence("order", "order of round {round}: {@order}"),
    sentence("turn", "it is {@seat's} turn"),
    sentence("end", ""),
)
