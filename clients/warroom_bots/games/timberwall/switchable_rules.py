"""The rules of the document's AI that a study can switch off one by one to measure the effect of each."""

from enum import StrEnum


class Rule(StrEnum):
    """A rule of the document, by section; docs/rules/timberwall.md, section 17, lists them all."""

    VICTORY = "5 absolute priority"
    ANCHOR = "3A forest anchor"
    OPENING = "3B opening"
    REACTION = "3B reactive defence"
    RUSH = "3B T4 rush"
    ATTACK = "3C attack"
    RETREAT = "3C retreat"
    BREAKING = "3C walls"
    WOOD_WAR = "4.1 wood war"
    NO_TRASH = "4.2 no trash"
    FORTRESS = "4.3 fortress walls"
    POWER = "4.4 aggressive combat"
    INTERCEPTION = "5 interception"
    HUNTERS = "5 hunters"
    HANDOVER = "5 handover"
    FLESH = "AI defence"
    ENCLOSURE = "1 enclosed forests"
