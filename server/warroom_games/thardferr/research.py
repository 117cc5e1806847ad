"""Research: docs/rules/thardferr.md, section 13."""

from msgspec.structs import replace

from warroom_games.api import IllegalActionError
from warroom_games.thardferr.actions import Research
from warroom_games.thardferr.forces import known_technology
from warroom_games.thardferr.names import UnknownNameError
from warroom_games.thardferr.state import Kingdom, Learned, Project, Stores
from warroom_games.thardferr.technologies import TECHNOLOGIES, Technology
from warroom_games.thardferr.treasury import check_price, pay


def technology_of(name: str) -> Technology:
    """Return the technology with this name; refuse an unknown one."""
    try:
        return TECHNOLOGIES[known_technology(name)]
    except UnknownNameError as error:
        raise IllegalActionError("unknown.technology", str(error)) from error


def price_of(technology: Technology) -> Stores:
    """Return the price of a level of a technology."""  # §13.2
    return Stores(gold=technology.gold)


def check_open(kingdom: Kingdom, technology: Technology) -> None:
    """Refuse a technology that the kingdom cannot learn now, apart from its price."""
    name = technology.name
    if technology.race not in (None, kingdom.race):
        raise IllegalActionError("research.foreign", f"only the {technology.race} race can research {name}")  # §13.4
    if kingdom.level(name) >= technology.max_level:
        raise IllegalActionError("research.mastered", f"you already know all {technology.max_level} levels of {name}")
    if technology.after and not kingdom.level(technology.after):
        raise IllegalActionError("research.order", f"{name} requires {technology.after}")  # §13.3


def check_research(kingdom: Kingdom, action: Research) -> None:
    """Refuse a second research at a time, one out of order, and one that cannot be paid."""
    technology = technology_of(action.technology)
    if kingdom.project:
        raise IllegalActionError("research.busy", f"{kingdom.project.technology} is already being researched")  # §13.1
    check_open(kingdom, technology)
    check_price(kingdom.stores, price_of(technology))


def is_open(kingdom: Kingdom, technology: Technology) -> bool:
    """Whether the kingdom may learn a technology now, apart from its price."""
    return (
        technology.race in (None, kingdom.race)
        and kingdom.level(technology.name) < technology.max_level
        and (technology.after is None or kingdom.level(technology.after) > 0)
    )


def begin(kingdom: Kingdom, technology: Technology) -> Kingdom:
    """Pay for a level of a technology and begin its research."""  # §13.1
    paid = pay(kingdom, price_of(technology))
    return replace(paid, project=Project(technology.name, technology.days))


def progress(kingdom: Kingdom, days: int) -> tuple[Kingdom, Learned | None]:
    """Let days pass, and return what was learned in them."""  # §13.5
    project = kingdom.project
    if project is None:
        return kingdom, None
    if project.days_left > days:
        return replace(kingdom, project=Project(project.technology, project.days_left - days)), None
    learned = Learned(project.technology, kingdom.level(project.technology) + 1)
    return replace(kingdom, project=None, technologies=with_level(kingdom.technologies, learned)), learned


def with_level(technologies: tuple[Learned, ...], learned: Learned) -> tuple[Learned, ...]:
    """Return the known technologies with one at a new level."""
    if learned.level == 1:
        return (*technologies, learned)
    return tuple(learned if known.technology == learned.technology else known for known in technologies)
