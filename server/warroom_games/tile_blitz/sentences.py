"""The sentences for events."""

from warroom_games.sentences import sentence

_LOST = "[, {troops_lost troop troops} lost][, {tanks_lost tank tanks} lost]"

SENTENCES = (
    sentence("deck", "the deck is empty; a fresh one is shuffled"),
    sentence("turn", "it is {@seat's} turn: +{gold} gold, +{stamina} stamina, +{cards card cards}"),
    sentence("drawn", "drawn: {cards/value of suit (#id)}"),
    sentence("infantry", "{@seat buys} {count} infantry for tile {tile}"),
    sentence("tank", "{@seat builds} a tank on tile {tile}"),
    sentence("discarded", "cards spent: {cards/value of suit (#id)}"),
    sentence("move", "{@seat marches} with {troops troop troops} along {path}", is_march=True, tanks=0),
    sentence("move", "{@seat marches} with {tanks tank tanks} along {path}", is_march=True, troops=0),
    sentence("move", "{@seat marches} with {troops troop troops} and {tanks tank tanks} along {path}", is_march=True),
    sentence("move", "{@seat moves} {troops troop troops} along {path}", tanks=0),
    sentence("move", "{@seat moves} {tanks tank tanks} along {path}", troops=0),
    sentence("move", "{@seat moves} {troops troop troops} and {tanks tank tanks} along {path}"),
    sentence("attack capture", "{@seat takes} tile {target}[ of {former}] from tile {source}" + _LOST),
    sentence(
        "attack",
        "{@seat attacks} tile {target} from tile {source} and {&seat fails}, {power} against {defence}" + _LOST,
    ),
    sentence("capture", "{@seat takes} tile {target}[ of {former}] from tile {source}"),
    sentence("elimination", "{@seat resigns}", by=None),
    sentence("elimination", "{@by eliminates} {@seat}"),
    sentence("turn_end", ""),
    sentence("end", ""),
)
