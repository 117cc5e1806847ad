"""How the events of a match are told."""

from warroom_games.sentences import sentence

_LOST = "[, {troops_lost troop troops} lost][, {tanks_lost tank tanks} lost]"

SENTENCES = (
    sentence("deck", "the deck was empty, and a fresh one is shuffled"),
    sentence("turn", "it is {@seat's} turn: {gold} gold, {stamina} stamina and {cards card cards} more"),
    sentence("drawn", "drawn: {cards/value of suit (#id)}"),
    sentence("infantry", "{@seat buys} {count} infantry for tile {tile}"),
    sentence("tank", "{@seat builds} a tank on tile {tile}"),
    sentence("discarded", "given for it: {cards/value of suit (#id)}"),
    sentence(
        "move", "{@seat marches}[ with {troops troop troops}][ with {tanks tank tanks}] along {path}", is_march=True
    ),
    sentence("move", "{@seat moves}[ {troops troop troops}][ {tanks tank tanks}] along {path}"),
    sentence("attack capture", "{@seat takes} tile {target}[ of {former}] from tile {source}" + _LOST),
    sentence("attack", "{@seat attacks} tile {target} from tile {source} in vain, {power} against {defence}" + _LOST),
    sentence("capture", "{@seat takes} tile {target}[ of {former}] from tile {source}"),
    sentence("elimination", "{@seat gives} up", by=None),
    sentence("elimination", "{@by eliminates} {@seat}"),
    sentence("turn_end", ""),
    sentence("end", ""),
)
