"""The small games of the tests with what learning needs: the types of their views, and bounds."""

import sealed_bids
import telling_dice
from msgspec import Struct

from warroom_games.bounds import Bounds, Flags


class SealedBids(sealed_bids.SealedBids):
    """Sealed bids: everybody moves at once, and some look before they bid."""

    view_type = sealed_bids.Table
    private_view_type = sealed_bids.Secret

    def bounds(self, seats: int, options: sealed_bids.Options) -> Bounds:
        """Return the lengths of all lists."""
        everyone = tuple(range(seats))
        return {
            "row": options.rounds,
            "row.[]": range(1, options.rounds + 1),
            "scores": seats,
            "past": options.rounds,
            "bids": seats,
            "winner": everyone,
            "out": Flags(everyone),
            "hand": Flags(range(1, options.cards + 1)),
        }


class NarrowBids(SealedBids):
    """Forgets that there is more than one round."""

    def bounds(self, seats: int, options: sealed_bids.Options) -> Bounds:
        """Return a length that the second round exceeds."""
        return {**super().bounds(seats, options), "past": 1}


class Cup(Struct, frozen=True):
    """What is under a cup."""

    hand: telling_dice.Hand


class LiarsDice(telling_dice.LiarsDice):
    """Liar's Dice: open bids on hidden dice."""

    view_type = telling_dice.Table
    private_view_type = Cup

    def bounds(self, seats: int, options: telling_dice.Options) -> Bounds:
        """Return the lengths of all lists."""
        everyone, faces = tuple(range(seats)), tuple(range(1, telling_dice.FACES + 1))
        return {
            "counts": seats,
            "seat": everyone,
            "bidder": everyone,
            "shown": seats,
            "shown.[]": options.dice,
            "shown.[].[]": faces,
            "out": Flags(everyone),
            "hand": options.dice,
            "hand.[]": faces,
        }


SEALED_BIDS = SealedBids()
NARROW_BIDS = NarrowBids()
LIARS_DICE = LiarsDice()
