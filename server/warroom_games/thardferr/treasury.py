"""Payments, and trade at market prices: docs/rules/thardferr.md, sections 10.1 and 14."""

from msgspec.structs import replace

from warroom_games.api import IllegalActionError
from warroom_games.thardferr.actions import Buy, Sell
from warroom_games.thardferr.costs import MARKET_PRICES
from warroom_games.thardferr.state import Kingdom, Stores

SALE_DIVISOR = 2
"""Sold goods bring this part of their price (§14.2)."""


def plus(stores: Stores, more: Stores) -> Stores:
    """Return the sum of both."""
    return Stores(
        gold=stores.gold + more.gold,
        iron=stores.iron + more.iron,
        wood=stores.wood + more.wood,
        food=stores.food + more.food,
    )


def times(stores: Stores, factor: int) -> Stores:
    """Return this multiple."""
    return Stores(
        gold=stores.gold * factor, iron=stores.iron * factor, wood=stores.wood * factor, food=stores.food * factor
    )


def affordable(stores: Stores, price: Stores) -> int:
    """Return how many times *stores* can pay *price*, which includes some gold."""
    most = stores.gold // price.gold
    if price.iron and most * price.iron > stores.iron:
        most = stores.iron // price.iron
    if price.wood and most * price.wood > stores.wood:
        most = stores.wood // price.wood
    return most


def check_price(stores: Stores, price: Stores) -> None:
    """Refuse a price that the stores cannot pay."""  # §10.1
    for name in ("gold", "iron", "wood"):
        have, cost = getattr(stores, name), getattr(price, name)
        if have < cost:
            raise IllegalActionError("price.short", f"that costs {cost} {name}; you have {have}")


def pay(kingdom: Kingdom, price: Stores) -> Kingdom:
    """Subtract a checked price from the stores."""
    return replace(kingdom, stores=plus(kingdom.stores, times(price, -1)))


def purchase(action: Buy) -> tuple[Stores, Stores]:
    """Return the price, and the goods that it buys."""  # §14.1
    return Stores(gold=MARKET_PRICES[action.good] * action.count), _goods(action.good, action.count)


def check_sale(stores: Stores, action: Sell) -> None:
    """Refuse to sell food, and goods that are not there."""  # §14.2, §14.3
    if action.good == "food":
        raise IllegalActionError("sell.food", "food cannot be sold; only iron and wood can")
    have: int = getattr(stores, action.good)
    if have < action.count:
        raise IllegalActionError("sell.too_much", f"you have only {have} {action.good}, not {action.count}")


def proceeds(action: Sell) -> tuple[Stores, Stores]:
    """Return the sold goods, and the gold for them."""  # §14.2
    gold = MARKET_PRICES[action.good] // SALE_DIVISOR * action.count
    return _goods(action.good, action.count), Stores(gold=gold)


def _goods(good: str, count: int) -> Stores:
    return replace(Stores(), **{good: count})
