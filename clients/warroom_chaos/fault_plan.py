"""Plans the faults of a run: a timed list that depends only on a seed."""

from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from warroom_games.rng import KEY_BYTES, Rng

Kind: TypeAlias = Literal[
    "kill", "pause", "drain", "cut_store", "restart_store", "rewind_store", "cut_links",
    "cut_clients", "delay_clients", "slow_readers", "duplicate", "delay_store", "delay_links", "lose_message",
    "jump_clock",
]  # fmt: skip

FIRST_MS: Final = 1_000
"""Earliest start of a fault, after all players are seated."""
REST_MS: Final = 500
"""Time without faults at the end."""
RECOVERY_MS: Final = 3_000
"""Time between two grave faults, in which other nodes take rooms over."""
DAY_MS: Final = 86_400_000


class Fault(Struct, frozen=True):
    """One fault."""

    at_ms: int
    kind: Kind
    node: int | None
    """The affected node; None: all."""
    lasts_ms: int = 0
    amount: int = 0
    """Strength: milliseconds of a delay or jump, a share of connections in percent, or the number of a message."""

    @property
    def until_ms(self) -> int:
        """The end of the fault."""
        return self.at_ms + self.lasts_ms

    def __str__(self) -> str:
        where = "" if self.node is None else f" node {self.node}"
        lasts = f" for {self.lasts_ms / 1000:.1f} s" if self.lasts_ms else ""
        return f"{_WORDS[self.kind].format(amount=self.amount, days=self.amount / DAY_MS)}{where}{lasts}"


class _Sort(Struct, frozen=True):
    """The range of duration and strength of one kind of fault."""

    kind: Kind
    lasts_ms: tuple[int, int] = (0, 0)
    amount: tuple[int, int] = (0, 0)
    hits_all: bool = False
    needs_nodes: int = 1


GRAVE: Final = (
    _Sort("kill", lasts_ms=(500, 4_000)),
    # Longer and shorter than a lease: the owner returns too late, or before anybody noticed.
    _Sort("pause", lasts_ms=(300, 5_000)),
    _Sort("drain"),
    _Sort("cut_store", lasts_ms=(200, 4_000), amount=(0, 1)),
    _Sort("restart_store", lasts_ms=(100, 2_000), hits_all=True),
    # Shorter and longer than a lease: the store may forget the leases too.
    _Sort("rewind_store", lasts_ms=(100, 3_000), hits_all=True),
    _Sort("cut_links", lasts_ms=(200, 4_000), amount=(0, 1), needs_nodes=2),
)
"""Faults that occur one at a time, because each disables something that matches need."""

LIGHT: Final = (
    _Sort("cut_clients", amount=(20, 100)),
    _Sort("delay_clients", lasts_ms=(1_000, 4_000), amount=(20, 250)),
    _Sort("slow_readers", lasts_ms=(1_000, 5_000), amount=(20, 60)),
    _Sort("duplicate", lasts_ms=(1_000, 5_000), hits_all=True),
    _Sort("delay_store", lasts_ms=(1_000, 4_000), amount=(2, 120)),
    _Sort("delay_links", lasts_ms=(1_000, 4_000), amount=(5, 120), needs_nodes=2),
    # The connection breaks too, because TCP never loses one message alone. The number selects the step of a hand-over.
    _Sort("lose_message", amount=(1, 20), needs_nodes=2),
    _Sort("jump_clock", amount=(-2 * DAY_MS, 2 * DAY_MS)),
)
"""Faults that overlap with all others."""

_WORDS: Final[dict[Kind, str]] = {
    "kill": "kill",
    "pause": "pause",
    "drain": "drain",
    "cut_store": "cut the store from",
    "restart_store": "kill the store",
    "rewind_store": "make the store forget its writes",
    "cut_links": "cut the links of",
    "cut_clients": "cut {amount} % of the clients of",
    "delay_clients": "delay by {amount} ms the clients of",
    "slow_readers": "stop reading on {amount} % of the clients of",
    "duplicate": "send every action twice",
    "delay_store": "delay the store by {amount} ms for",
    "delay_links": "delay by {amount} ms the links of",
    "lose_message": "drop message {amount} from now, with its connection, on the links of",
    "jump_clock": "shift by {days:+.1f} days the wall clock of",
}


KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""All kinds of faults."""


def make_plan(seed: int, *, nodes: int, seconds: float, kinds: Collection[str] = KINDS) -> tuple[Fault, ...]:
    """Return the faults of a run, sorted by start time; the same arguments give the same plan."""
    grave_sorts, light_sorts = (
        [sort for sort in sorts if sort.needs_nodes <= nodes and sort.kind in kinds] for sorts in (GRAVE, LIGHT)
    )
    end_ms = int(seconds * 1000) - REST_MS
    rng = Rng(blake2b(str(seed).encode(), digest_size=KEY_BYTES, person=b"chaos").digest())
    first, rng = rng.spawn()
    second, rng = rng.spawn()
    grave = _track(grave_sorts, _Dice(first), nodes=nodes, end_ms=end_ms, pause_ms=(RECOVERY_MS, RECOVERY_MS + 1_000))
    light = _track(light_sorts, _Dice(second), nodes=nodes, end_ms=end_ms, pause_ms=(200, 1_200))
    return tuple(sorted((*grave, *light), key=lambda fault: (fault.at_ms, fault.kind)))


class _Dice:
    """A stateful wrapper around the pure generator."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def between(self, bounds: tuple[int, int]) -> int:
        least, most = bounds
        extra, self._rng = self._rng.below(most - least + 1)
        return least + extra

    def shuffled(self, items: Iterable[_Sort]) -> tuple[_Sort, ...]:
        order, self._rng = self._rng.shuffle(tuple(items))
        return order


def _track(
    sorts: Sequence[_Sort], dice: _Dice, *, nodes: int, end_ms: int, pause_ms: tuple[int, int]
) -> Iterable[Fault]:
    """Yield faults one after the other; every kind occurs once before any repeats."""
    at_ms = FIRST_MS + dice.between((0, 500))
    while sorts:
        for sort in dice.shuffled(sorts):
            node = None if sort.hits_all else dice.between((0, nodes - 1))
            fault = Fault(at_ms, sort.kind, node, dice.between(sort.lasts_ms), dice.between(sort.amount))
            if fault.until_ms > end_ms:
                return
            yield fault
            at_ms = fault.until_ms + dice.between(pause_ms)
