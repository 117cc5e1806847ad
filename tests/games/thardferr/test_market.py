"""The market: docs/rules/thardferr.md, section 14."""

import pytest
from thardferr_positions import match, played, refused, told

from warroom_games.api import Event
from warroom_games.thardferr.actions import Buy, Good, Sell
from warroom_games.thardferr.events import Traded


class TestBuying:
    """§14.1"""

    @pytest.mark.parametrize(("good", "price"), [("wood", 80), ("iron", 100), ("food", 60)])
    def test_goods_are_bought_at_par(self, good: Good, price: int) -> None:
        before, after = match().kingdoms[0].stores, played(match(), Buy(good, 7)).kingdoms[0].stores
        assert after.gold == before.gold - 7 * price
        assert getattr(after, good) == getattr(before, good) + 7

    def test_what_cannot_be_paid_is_refused(self) -> None:
        assert refused(match(), Buy("iron", 601)) == ("price.short", "that costs 60100 gold; you have 60000")


class TestSelling:
    """§14.2"""

    @pytest.mark.parametrize(("good", "price"), [("wood", 40), ("iron", 50)])
    def test_wood_and_iron_are_sold_at_half(self, good: Good, price: int) -> None:
        after = played(match(), Sell(good, 7)).kingdoms[0].stores
        assert (after.gold, getattr(after, good)) == (60_000 + 7 * price, 1_493)

    def test_no_more_than_there_is_can_be_sold(self) -> None:
        assert refused(match(), Sell("wood", 1_501)) == ("sell.too_much", "you have only 1500 wood, not 1501")


class TestFood:
    """§14.3"""

    def test_food_cannot_be_sold(self) -> None:
        assert refused(match(), Sell("food", 1)) == ("sell.food", "food cannot be sold; only iron and wood can")


def test_only_the_owner_is_told() -> None:
    assert told(match(), Buy("food", 2)) == [Event(None, ((0, Traded(0, "food", 2, -120)),))]
    assert told(match(), Sell("iron", 2)) == [Event(None, ((0, Traded(0, "iron", -2, 100)),))]
