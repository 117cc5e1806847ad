"""The metrics of a node for Prometheus: plain numbers that are read only when scraped."""

from collections.abc import Iterator, Mapping, Sized

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from warroom_server.adapters.clock import PlayClock
from warroom_server.adapters.websocket.listener import WebSocketListener
from warroom_server.counters import Counters
from warroom_server.feed.queue import FeedQueue
from warroom_server.lobby.bot_workers import BotWorkers

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class NodeCollector(Collector):
    """Reads the numbers of a node's parts, once per scrape."""

    def __init__(
        self,
        counters: Counters,
        listener: WebSocketListener,
        clock: PlayClock,
        rooms: Sized,
        orphans: Sized,
        bot_workers: BotWorkers,
        feed: FeedQueue | None = None,
    ) -> None:
        self._counters = counters
        self._listener = listener
        self._clock = clock
        self._rooms = rooms
        self._orphans = orphans
        self._bot_workers = bot_workers
        self._feed = feed

    def describe(self) -> list[Metric]:
        """Return nothing, so that registering the collector does not collect."""
        return []

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
        yield from self._of_rooms()
        yield from self._of_connections()
        if self._feed is not None:
            yield from _of_feed(self._feed)
        yield _counter("stalls", "Times the loop stood still.", clock.stalls)
        yield _counter("stalled_seconds", "How long the loop stood still.", clock.stalled_ms / 1000)

    def _of_rooms(self) -> Iterator[Metric]:
        counters = self._counters
        yield _labelled("actions", "Answered actions by verdict.", "verdict", counters.actions)
        yield _labelled("summons", "Searches for bots by outcome.", "outcome", counters.summons)
        yield _labelled("store_failures", "Batches that the store did not take.", "trouble", counters.store_failures)
        yield _counter("expired_turns", "Turns that the clock ended.", counters.expired_turns)
        yield _counter("frames_built", "Frames encoded, each once.", counters.frames_built)
        yield _counter("skipped_frames", "Frames left out for congested viewers.", counters.skipped_frames)
        behind = "Times the store lacked entries that it had acknowledged."
        yield _counter("store_behind", behind, counters.store_behind)
        yield _counter("rolled_back", "Rooms that went on from an earlier state.", counters.rolled_back)
        yield _counter("rooms_placed", "New rooms that were handed to a less loaded node.", counters.rooms_placed)
        sizes, latency = counters.batch_sizes, counters.append_ms
        yield HistogramMetricFamily(
            "warroom_append_batch_size", "Entries per batch of appends.", sizes.buckets(), sizes.total
        )
        yield HistogramMetricFamily(
            "warroom_append_seconds", "Time until the store answered.", latency.buckets(0.001), latency.total / 1000
        )

    def _of_connections(self) -> Iterator[Metric]:
        traffic = self._listener.traffic
        yield _counter("opened", "Websockets opened.", traffic.opened)
        yield _counter("refused", "Lines and handshakes refused.", traffic.refused)
        yield _counter("evicted_handshakes", "Lines without a websocket dropped for newer ones.", traffic.evicted)
        yield _counter("messages_in", "Messages received.", traffic.messages_in)
        yield _counter("bytes_in", "Bytes received on websockets.", traffic.bytes_in)
        yield _counter("frames_out", "Frames written.", traffic.frames_out)
        yield _counter("bytes_out", "Bytes written.", traffic.bytes_out)
        yield _counter("writes", "Writes to sockets.", traffic.writes)
        yield _counter("held_reads", "Times a connection was not read from because it said too much.", traffic.held)
        yield _counter("slow_viewers", "Connections closed because they did not read.", traffic.slow)
        yield _counter("idle_peers", "Connections closed because a ping was not answered.", traffic.idle)
        yield _counter("failed_connections", "Connections that broke the websocket protocol.", traffic.failed)


def _of_feed(feed: FeedQueue) -> Iterator[Metric]:
    counters = feed.counters
    yield _gauge("feed_up", "Whether the broker is connected.", counters.is_open)
    yield _gauge("feed_waiting", "Updates and news that wait for the broker.", feed.waiting)
    yield _counter("feed_published", "Messages that the broker was given.", counters.published)
    yield _counter("feed_published_bytes", "Bytes of these messages.", counters.published_bytes)
    yield _counter("feed_dropped_updates", "Updates left out, for which a snapshot came.", counters.dropped_updates)
    yield _counter("feed_dropped_news", "News left out because too many waited.", counters.dropped_news)
    yield _counter("feed_connects", "Lines opened to the broker.", counters.connects)
    yield _counter("feed_failures", "Lines that broke, failed or were thrown away.", counters.failures)


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"warroom_{name}", help_text, value)


def _counter(name: str, help_text: str, value: float) -> Metric:
    return CounterMetricFamily(f"warroom_{name}", help_text, value)


def _labelled(name: str, help_text: str, label: str, counts: Mapping[str, int]) -> Metric:
    """Return a counter with one value for each label."""
    family = CounterMetricFamily(f"warroom_{name}", help_text, labels=[label])
    for value, count in sorted(counts.items()):
        family.add_metric([value], count)
    return family


def render(collector: Collector) -> bytes:
    """Return all metrics of *collector* in the text format of Prometheus."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    return generate_latest(registry)
