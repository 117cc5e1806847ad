"""Plans a turn of Tile Blitz: which conquests a seat can afford, and how."""

from collections.abc import Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush

from warroom_games.tile_blitz.actions import Action, Attack, BuildInfantry, BuildTank, Move
from warroom_games.tile_blitz.attacking import MIN_TROOPS
from warroom_games.tile_blitz.board import NEIGHBOURS, TILES
from warroom_games.tile_blitz.building import INFANTRY_GOLD
from warroom_games.tile_blitz.combat import LOSSES, defence, fight
from warroom_games.tile_blitz.state import Color, Table, Tile

TANK_POWER = 2


class TurnPlan:
    """The table after the planned actions of one seat.

    *pairs* are card pairs that may become tanks; *taste* breaks ties between tiles.
    """

    def __init__(
        self, table: Table, color: Color, *, gold: int, pairs: Sequence[tuple[int, int]], taste: Sequence[int]
    ) -> None:
        self.actions: list[Action] = []
        self._color = color
        self._tiles = list(table.tiles)
        self._is_exact = table.options.losses == "document"
        self._losses = LOSSES[table.options.losses]
        self._gold = gold
        self._pairs = list(pairs)
        self._taste = taste

    def fork(self) -> "TurnPlan":
        """Return a copy to continue from here."""
        other = object.__new__(TurnPlan)
        other.__dict__.update(self.__dict__)
        other.actions, other._tiles, other._pairs = self.actions.copy(), self._tiles.copy(), self._pairs.copy()
        return other

    def against(self, table: Table, color: Color, *, gold: int, pairs: int) -> "TurnPlan":
        """Return the plan of another seat from here, with that much gold and that many pairs."""
        other = TurnPlan(table, color, gold=gold, pairs=[(0, 0)] * pairs, taste=self._taste)
        other._tiles = self._tiles.copy()
        return other

    def holdings(self, color: Color) -> int:
        """Return how many tiles a colour would hold."""
        return [tile.color for tile in self._tiles].count(color)

    def raid(self, victim: Color) -> bool:
        """Plan to capture all tiles of a colour the cheapest way; return whether units and gold suffice."""
        left = self.holdings(victim)
        while left:
            spare = sum([tile.troops - 1 for tile in self._tiles if tile.color == self._color and tile.troops])
            if left > self._gold // INFANTRY_GOLD + spare:
                return False  # each conquest leaves or loses a troop
            target = self._towards(victim)
            if target is None:
                return False
            left -= self._tiles[target].color == victim
            if not self.conquer(target):
                return False
        return True

    def grow(self, *, most_gold: int | None = None) -> bool:
        """Plan the cheapest conquest, a neutral tile among equals; return whether one is affordable."""
        offers = [(source, target) for target in range(TILES) for source in [self._best_source(target)] if source >= 0]
        if most_gold is not None:
            offers = [offer for offer in offers if self._price(*offer) <= most_gold]
        return bool(offers) and self.conquer(min(offers, key=self._cost)[1])

    def fortify(self) -> None:
        """Plan to build every tank on the tile that faces the strongest rival and from which tanks can move on."""
        own = [index for index in range(TILES) if self._tiles[index].color == self._color]
        refuge = max(
            own, key=lambda index: (self._threat(index) > 0, self._tiles[index].troops > 0, self._threat(index))
        )
        while self._pairs:
            self._build_tank(refuge)

    def conquer(self, target: int) -> bool:
        """Plan the conquest of an adjacent tile; return whether it is affordable."""
        source = self._best_source(target)
        if source < 0:
            return False
        against = defence(self._tiles[target])
        self._gather(source, against)
        if not self._build(source, against):
            return False
        if self._is_exact:
            self._spare(source, against)
        army = self._tiles[source]
        battle = fight(army, self._losses(army.power, against))
        self.actions.append(Attack(source + 1, target + 1))
        self._tiles[source] = Tile(self._color, 1, 0)
        self._tiles[target] = Tile(self._color, battle.troops, battle.tanks)
        return True

    def _cost(self, offer: tuple[int, int]) -> tuple[int, bool, int, int]:
        """Return the sort key of a conquest: price, new enemy, longer border."""
        source, target = offer
        tile = self._tiles[target]
        lost = self._waste(source, target) if self._is_exact else defence(tile)
        near = sum(self._tiles[other].color == self._color for other in NEIGHBOURS[target])
        return self._price(source, target) + lost, tile.color is not None, -near, self._taste[target]

    def _best_source(self, target: int) -> int:
        """Return the own tile from which a conquest costs least, or -1 if none is affordable."""
        if self._tiles[target].color == self._color:
            return -1
        sources = [source for source in NEIGHBOURS[target] if self._tiles[source].color == self._color]
        prices = [(self._price(source, target), source) for source in sources]
        offers = [
            (price, self._waste(source, target), self._taste[source], source)
            for price, source in prices
            if price <= self._gold
        ]
        return min(offers)[-1] if offers else -1

    def _price(self, source: int, target: int) -> int:
        """Return the gold for the infantry still missing after all reinforcements."""
        army, against = self._tiles[source], defence(self._tiles[target])
        if army.troops >= MIN_TROOPS and army.power > against:
            return 0
        helpers = [self._tiles[index] for index in self._onward(source) if index != source]
        troops = army.troops + sum(helper.troops - 1 for helper in helpers)
        power = army.power + sum(helper.power - 1 for helper in helpers) + TANK_POWER * len(self._pairs)
        return INFANTRY_GOLD * max(MIN_TROOPS - troops, against + 1 - power, 0)

    def _waste(self, source: int, target: int) -> int:
        """Return the surplus; if all survivors move in, more is better."""
        surplus = self._tiles[source].power - defence(self._tiles[target]) - 1
        return max(surplus, 0) if self._is_exact else -surplus

    def _onward(self, goal: int) -> dict[int, int]:
        """Return, nearest first, the sources of units that can reach *goal* without loss, each with its next tile."""
        onward = {goal: goal}
        frontier = [goal]
        for index in frontier:
            for other in NEIGHBOURS[index]:
                tile = self._tiles[other]
                if other not in onward and tile.color == self._color and tile.troops:
                    onward[other] = index
                    frontier.append(other)
        return onward

    def _gather(self, source: int, against: int) -> None:
        """Bring up units until they suffice, and no more if a surplus would be lost."""
        army = self._tiles[source]
        if army.troops >= MIN_TROOPS and army.power > against:
            return
        onward = self._onward(source)
        for index in onward:
            army, helper = self._tiles[source], self._tiles[index]
            troops, power = max(MIN_TROOPS - army.troops, 0), max(against + 1 - army.power, 0)
            if index == source or not (troops or power):
                continue
            tanks, spare = helper.tanks, helper.troops - 1
            if self._is_exact:
                tanks = min(tanks, max(power - troops, 0) // TANK_POWER)
                spare = min(spare, max(troops, power - TANK_POWER * tanks))
                tanks = min(helper.tanks, max(tanks, -((spare - power) // TANK_POWER)))
            self._walk(index, onward, spare, tanks)

    def _walk(self, index: int, onward: dict[int, int], troops: int, tanks: int) -> None:
        while (following := onward[index]) != index:
            self._move(index, following, troops, tanks)
            index = following

    def _move(self, source: int, target: int, troops: int, tanks: int) -> None:
        if troops + tanks:
            self.actions.append(Move(source + 1, target + 1, troops, tanks))
            self._put(source, -troops, -tanks)
            self._put(target, troops, tanks)

    def _put(self, index: int, troops: int, tanks: int) -> None:
        tile = self._tiles[index]
        self._tiles[index] = Tile(tile.color, tile.troops + troops, tile.tanks + tanks)

    def _build(self, source: int, against: int) -> bool:
        """Add tanks, then infantry, until an attack would win; return whether it would."""
        while self._pairs and self._wants_tank(source, against):
            self._build_tank(source)
        army = self._tiles[source]
        count = max(MIN_TROOPS - army.troops, against + 1 - army.power, 0)
        if count * INFANTRY_GOLD > self._gold:
            return False
        if count:
            self.actions.append(BuildInfantry(source + 1, count))
            self._gold -= count * INFANTRY_GOLD
            self._put(source, count, 0)
        return True

    def _build_tank(self, index: int) -> None:
        self.actions.append(BuildTank(index + 1, self._pairs.pop()))
        self._put(index, 0, 1)

    def _threat(self, index: int) -> int:
        """Return the power of the strongest adjacent rival."""
        beside = [self._tiles[other] for other in NEIGHBOURS[index]]
        return max((tile.power for tile in beside if tile.color not in (None, self._color)), default=0)

    def _wants_tank(self, source: int, against: int) -> bool:
        """Whether more is missing than the troops an attack costs anyway, so that infantry is the wrong choice."""
        army = self._tiles[source]
        missing = against + 1 - army.power
        drafted = max(MIN_TROOPS - army.troops, 0)
        return missing - drafted >= TANK_POWER or (missing > drafted and missing * INFANTRY_GOLD > self._gold)

    def _spare(self, source: int, against: int) -> None:
        """Move the surplus to the strongest adjacent own tile, if there is one."""
        army = self._tiles[source]
        surplus = army.power - against - 1
        refuges = [index for index in NEIGHBOURS[source] if self._tiles[index].color == self._color]
        if surplus > 0 and refuges:
            refuge = max(refuges, key=lambda index: (self._tiles[index].troops > 0, self._tiles[index].power))
            tanks = min(army.tanks, surplus // TANK_POWER)
            self._move(source, refuge, max(min(army.troops - MIN_TROOPS, surplus - TANK_POWER * tanks), 0), tanks)

    def _towards(self, victim: Color) -> int | None:
        """Return the next tile on the cheapest way to a tile of a colour."""
        tiles, tolls, taste, color = self._tiles, self._tolls, self._taste, self._color
        own = [index for index, tile in enumerate(tiles) if tile.color == color]
        ways = [
            (tolls[target] - (tiles[source].troops > 0), taste[target], target, target)
            for source in own
            for target in NEIGHBOURS[source]
            if tiles[target].color != color
        ]
        heapify(ways)
        seen = set(own)
        while ways:
            toll, _, index, first = heappop(ways)
            if index in seen:
                continue
            if tiles[index].color == victim:
                return first
            seen.add(index)
            for other in NEIGHBOURS[index]:
                if other not in seen:
                    heappush(ways, (toll + tolls[other], taste[other], other, first))
        return None

    @cached_property
    def _tolls(self) -> list[int]:
        """By tile of another colour, which a plan does not change: the power to attack it from a tile without units."""
        return [max(MIN_TROOPS, defence(tile) + 1) for tile in self._tiles]
