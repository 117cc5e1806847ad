"""How the events of a match are told; what a kingdom does at home only its owner is told."""

from warroom_games.sentences import sentence

SENTENCES = (
    sentence("pick", "{@seat has} picked a race", race=None),
    sentence("pick", "your race is {race}"),
    sentence("founding", "the kingdoms stand: {races}"),
    sentence("turn", "it is {@seat's} turn"),
    sentence("turn_end", ""),
    sentence("arrival", "trained and ready: {units}"),
    sentence("learning", "{technology} is known, level {level}"),
    sentence("production", "brought in: {made}; upkeep: {paid}"),
    sentence("desertion", "the upkeep cannot be paid, {missing} missing[; gone: {units}]"),
    sentence("building", "{@seat builds} {count} x {building}"),
    sentence("razing", "{@seat pulls} down {count} x {building}"),
    sentence("training", "{@seat trains} {count} x {unit}"),
    sentence("assignment", "{@seat sends} peasants to work: {workers}"),
    sentence("research", "{@seat researches} {technology}, for {days day days}"),
    sentence("trade", "{@seat trades}: {+count} {good}, {+gold} gold"),
    sentence("strategy", "{@seat defends} without a strategy", strategy=None),
    sentence("strategy", "{@seat defends} with {strategy}"),
    sentence("scouting", "{@seat looks} into the ledger of {@target}"),
    sentence("attack", "{@seat attacks} {@target}: victory, and {land} land", outcome="attacker"),
    sentence("attack", "{@seat attacks} {@target}: beaten back", outcome="defender"),
    sentence("attack", "{@seat attacks} {@target}: nobody wins"),
    sentence(
        "battle",
        "the battle: {clashes size phase phases}, {record.attackers.lost sum} of the attackers and "
        "{record.defenders.lost sum} of the defenders fell",
    ),
    sentence("ruin", "lost with the land: {buildings}"),
    sentence("fall", "{@seat falls}, beaten by {@by}"),
    sentence("resignation", "{@seat leaves}; the kingdom stands and defends itself"),
    sentence("end", ""),
)
