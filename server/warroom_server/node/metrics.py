"""The metrics of a node for Prometheus: plain numbers that are read only when scraped."""

from collections.abc import Iterator, Mapping, Sized
from dataclasses import dataclass
from typing import get_type_hints

from msgspec import Struct
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from warroom_server.adapters.play_clock import PlayClock
from warroom_server.adapters.websocket.listener import WebSocketListener
from warroom_server.counters import ACCEPTED, Counters
from warroom_server.feed.queue import FeedQueue
from warroom_server.lobby.bot_workers import BotWorkers

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, eq=False)
class NodeCollector(Collector):
    """Reads the numbers of a node's parts, once per scrape."""

    _counters: Counters
    _listener: WebSocketListener
    _clock: PlayClock
    _rooms: Sized
    _orphans: Sized
    _bot_workers: BotWorkers
    _feed: FeedQueue | None = None

    def collect(self) -> Iterator[Metric]:
        """Read every number."""
        clock, counters = self._clock, self._counters
        yield _gauge("connections", "Open websockets.", self._listener.connections)
        yield _gauge("handshakes", "Lines that sent no whole request yet.", self._listener.handshakes)
        yield _gauge("rooms", "Rooms of this node.", len(self._rooms))
        yield _gauge("orphans", "Rooms that wait to be taken in.", len(self._orphans))
        yield _gauge("workers", "Bot workers that are connected.", len(self._bot_workers))
        yield _gauge("bots", "Connections of bots that workers brought.", self._bot_workers.held_seats)
        yield _gauge("store_away", "Primaries of the store that do not answer.", counters.primaries_away)
        yield _labelled(
            "actions", "Answered actions by verdict.", "verdict", {ACCEPTED: counters.accepted, **counters.refused}
        )
        yield _labelled("summons", "Searches for bots by outcome.", "outcome", counters.summons)
        yield _labelled("store_failures", "Batches that the store did not take.", "trouble", counters.store_failures)
        yield from _counters(counters)
        yield from self._histograms()
        yield from _counters(self._listener.traffic)
        if self._feed is not None:
            yield _gauge("feed_up", "Whether the broker is connected.", self._feed.counters.is_open)
            yield _gauge("feed_waiting", "Updates and news that wait for the broker.", self._feed.waiting)
            yield from _counters(self._feed.counters, "feed_")
        yield _counter("stalls", "Times the loop stood still.", clock.stalls)
        yield _counter("stalled_seconds", "How long the loop stood still.", clock.stalled_ms / 1000)

    def _histograms(self) -> Iterator[Metric]:
        sizes, latency = self._counters.batch_sizes, self._counters.append_ms
        yield HistogramMetricFamily(
            "warroom_append_batch_size", "Entries per batch of appends.", sizes.buckets(), sizes.total
        )
        yield HistogramMetricFamily(
            "warroom_append_seconds", "Time until the store answered.", latency.buckets(0.001), latency.total / 1000
        )


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"warroom_{name}", help_text, value)


def _counter(name: str, help_text: str, value: float) -> Metric:
    return CounterMetricFamily(f"warroom_{name}", help_text, value)


def _counters(counters: Struct, prefix: str = "") -> Iterator[Metric]:
    """Yield a counter for each field that has a help text."""
    for name, hint in get_type_hints(type(counters), include_extras=True).items():
        for help_text in getattr(hint, "__metadata__", ()):
            yield _counter(prefix + name, help_text, getattr(counters, name))


def _labelled(name: str, help_text: str, label: str, counts: Mapping[str, int]) -> Metric:
    """Return a counter with one value for each label."""
    family = CounterMetricFamily(f"warroom_{name}", help_text, labels=[label])
    for value, count in sorted(counts.items()):
        family.add_metric([value], count)
    return family


def render(collector: Collector) -> bytes:
    """Return all metrics of *collector* in the text format of Prometheus."""
    registry = CollectorRegistry(auto_describe=False)  # so that registering the collector does not collect
    registry.register(collector)
    return generate_latest(registry)
