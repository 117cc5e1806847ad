"""The sentences for events; a part that a seat did not see is nil."""

from warroom_games.sentences import sentence

_WALL = "wall {side} of {x},{y}"

SENTENCES = (
    sentence("deploy", "{@seat deploys} a unit of {points} at {target}"),
    sentence("convert", "{@seat turns} {wood} wood into {reserves reserve reserves}"),
    sentence("wall_built", "{@seat builds} a " + _WALL),
    sentence("wall_removed", "{@seat removes} the " + _WALL),
    sentence("wall_hit", "{@seat breaks} the " + _WALL + "[ from {source}]", hp=0),
    sentence("wall_hit", "{@seat hits} the " + _WALL + "[ from {source}]: {hp} HP left"),
    sentence("unavailable", "the " + _WALL + " is already gone", action="remove_wall"),
    sentence("unavailable", "no " + _WALL + " can be built before round {ready_round}"),
    sentence("move", "{@seat's} unit of {points} appears at {target}", source=None),
    sentence("move", "{@seat's} unit of {points} disappears from {source}", target=None),
    sentence("move", "{@seat moves} {points point points} from {source} to {target}"),
    sentence("merge", "{@seat's} unit at {target} grows to {points}", source=None),
    sentence("merge", "{@seat's} unit disappears from {source}[, {rest} stay]", target=None),
    sentence("merge", "{@seat merges} {source} into {target}: {points point points}[, {rest} stay]"),
    sentence(
        "attack",
        "{@seat attacks} {target} from {source}, {attacker} against {defender}: "
        "{attacker_left} and {defender_left} are left",
    ),
    sentence("base_hit", "{@seat hits} the enemy base from {source} for {damage}: {hp} HP left"),
    sentence("income", "[{@seat gets} {wood} wood]", reserves=0),
    sentence("income", "{@seat gets} {reserves reserve reserves}", wood=0),
    sentence("income", "{@seat gets} {wood} wood and {reserves reserve reserves}"),
    sentence("turn_end", "[{@seat has} held all forests for {streak turn turns}]"),
    sentence("turn", "it is {@seat's} turn"),
    sentence("end", ""),
)
