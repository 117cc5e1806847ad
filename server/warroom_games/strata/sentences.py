"""The sentences for events."""

from warroom_games.sentences import sentence

SENTENCES = (
    sentence("place", "{@seat places} a piece on {vertex}: {pieces piece pieces} there"),
    sentence("infuse", "{@seat infuses} {vertex}: energy {energy} there"),
    sentence("move", "{@seat moves} {pieces piece pieces} with energy {energy} from {source} to {target}"),
    sentence(
        "attack",
        "{@seat attacks} {target} from {source}, force {attacker.force} against {defender.force}: "
        "{@winner wins}, with {pieces piece pieces} and energy {energy} left",
    ),
    sentence("elimination", "{@seat resigns}", by=None),
    sentence("elimination", "{@by takes} the last piece of {@seat}"),
    sentence("turn_end", "[{@seat gains} {gain} dominion ({dominion} in total)]"),
    sentence("turn", "it is {@seat's} turn"),
    sentence("end", ""),
)
