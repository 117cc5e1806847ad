"""The sentences for events; only the owner gets those about the own kingdom."""

from warroom_games.sentences import sentence

SENTENCES = (
    sentence("pick", "{@seat has} picked a race", race=None),
    sentence("pick", "your race is {race}"),
    sentence("founding", "the kingdoms are: {races}"),
    sentence("turn", "it is {@seat's} turn"),
    sentence("turn_end", ""),
    sentence("arrival", "trained and ready: {units}"),
    sentence("learning", "{technology} is researched, level {level}"),
    sentence("production", "income: {made}; upkeep: {paid}"),
    sentence("desertion", "upkeep not paid, {missing} missing[; lost: {units}]"),
    sentence("building", "{@seat builds} {count} x {building}"),
    sentence("razing", "{@seat razes} {count} x {building}"),
    sentence("training", "{@seat trains} {count} x {unit}"),
    sentence("assignment", "{@seat sends} peasants to work: {workers}"),
    sentence("research", "{@seat researches} {technology}, for {days day days}"),
    sentence("trade", "{@seat trades}: {+count} {good}, {+gold} gold"),
    sentence("strategy", "{@seat defends} without a strategy", strategy=None),
    sentence("strategy", "{@seat defends} with {strategy}"),
    sentence("scouting", "{@seat scouts} {@target}"),
    sentence("attack", "{@seat attacks} {@target}: victory, {land} land gained", outcome="attacker"),
    sentence("attack", "{@seat attacks} {@target}: beaten back", outcome="defender"),
    sentence("attack", "{@seat attacks} {@target}: nobody wins"),
    sentence(
        "battle",
        "the battle: {clashes size phase phases}, {record.attackers.lost sum} of the attackers and "
        "{record.defenders.lost sum} of the defenders fell",
    ),
    sentence("ruin", "lost with the land: {buildings}"),
    sentence("fall", "{@seat falls}, defeated by {@by}"),
    sentence("resignation", "{@seat leaves}; the kingdom keeps defending itself"),
    sentence("end", ""),
)
