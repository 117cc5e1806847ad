"""Short notes on the cost and effect of actions: docs/rules/thardferr.md, sections 10 to 14."""

from msgspec.structs import asdict

from warroom_games.api import RulesError
from warroom_games.thardferr import construction, research, training, treasury
from warroom_games.thardferr.actions import Action, Build, Buy, Research, Sell, Train
from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.state import Stores
from warroom_games.thardferr.units import Race


def note_on(action: Action, race: Race) -> str:
    """Return the price of an action and its purpose or gain; an empty text if it is free or impossible."""
    try:
        return _note(action, race)
    except RulesError:
        return ""


def _note(action: Action, race: Race) -> str:
    match action:
        case Build(building=building, count=count):
            kind = construction.kind_of(building)
            return f"{_goods(treasury.times(construction.PRICES[kind], count))}: {BUILDINGS[kind].effect}"
        case Train(unit=unit, count=count):
            return _goods(treasury.times(training.PRICES[race][training.unit_of(race, unit)], count))
        case Research(technology=name):
            technology = research.technology_of(name)
            return f"{_goods(research.price_of(technology))}, {technology.days} days: {technology.effect}"
        case Buy():
            return _goods(treasury.purchase(action)[0])
        case Sell():
            return f"brings {_goods(treasury.proceeds(action)[1])}"
        case _:
            return ""


def _goods(stores: Stores) -> str:
    return ", ".join(f"{count} {name}" for name, count in asdict(stores).items() if count)
