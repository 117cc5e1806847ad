"""What the node tells Prometheus. Whoever does the work bumps plain numbers; they are read only when scraped."""

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from warroom_server.adapters.clock import PlayClock
from warroom_server.adapters.websocket.listener import WebSocketListener
from warroom_server.counters import Counters
from warroom_server.feed.queue import FeedQueue

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class NodeCollector(Collector):
    """Turns the node's numbers into metrics, once per scrape."""

    def __init__(
        self,
        counters: Counters,
        listener: WebSocketListener,
        clock: PlayClock,
        *,
        rooms: Callable[[], int],
        orphans: Callable[[], int],
        workers: Callable[[], int] = lambda: 0,
        bots: Callable[[], int] = lambda: 0,
        feed: FeedQueue | None = None,
    ) -> None:
        self._counters = counters
        self._listener = listener
        self._clock = clock
        self._rooms = rooms
        self._orphans = orphans
        self._workers = workers
        self._bots = bots
        self._feed = feed

    def describe(self) -> list[Metric]:
        """Return nothing, so that registering the collector does not collect."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Read every number."""
        yield GaugeMetricFamily("warroom_connections", "Open websockets.", self._listener.connections)
        yield GaugeMetricFamily(
            "warroom_handshakes", "Lines that sent no whole request yet.", self._listener.handshakes
        )
        yield GaugeMetricFamily("warroom_rooms", "Rooms of this node.", self._rooms())
        yield GaugeMetricFamily("warroom_orphans", "Rooms that wait to be taken in.", self._orphans())
        yield GaugeMetricFamily("warroom_workers", "Bot workers that are connected.", self._workers())
        yield GaugeMetricFamily("warroom_bots", "Connections of bots that workers brought.", self._bots())
        yield from self._of_rooms()
        yield from self._of_connections()
        if self._feed is not None:
            yield from _of_feed(self._feed)
        yield CounterMetricFamily("warroom_stalls", "Times the loop stood still.", self._clock.stalls)
        yield CounterMetricFamily(
            "warroom_stalled_seconds", "How long the loop stood still.", self._clock.stalled_ms / 1000
        )

    def _of_rooms(self) -> Iterator[Metric]:
        counters = self._counters
        actions = CounterMetricFamily("warroom_actions", "Answered actions by verdict.", labels=["verdict"])
        for verdict, count in sorted(counters.actions.items()):
            actions.add_metric([verdict], count)
        yield actions
        summons = CounterMetricFamily("warroom_summons", "Searches for bots by outcome.", labels=["outcome"])
        for outcome, count in sorted(counters.summons.items()):
            summons.add_metric([outcome], count)
        yield summons
        yield CounterMetricFamily("warroom_expired_turns", "Turns that the clock ended.", counters.expired_turns)
        yield CounterMetricFamily("warroom_frames_built", "Frames encoded, each once.", counters.frames_built)
        yield CounterMetricFamily(
            "warroom_skipped_frames", "Frames left out for congested viewers.", counters.skipped_frames
        )
        failures = CounterMetricFamily(
            "warroom_store_failures", "Batches that the store did not take.", labels=["trouble"]
        )
        for trouble, count in sorted(counters.store_failures.items()):
            failures.add_metric([trouble], count)
        yield failures
        yield GaugeMetricFamily(
            "warroom_store_away", "Primaries of the store that do not answer.", counters.primaries_away
        )
        yield CounterMetricFamily(
            "warroom_store_behind", "Times the store lacked entries that it had acknowledged.", counters.store_behind
        )
        yield CounterMetricFamily(
            "warroom_rolled_back", "Rooms that went on from an earlier state.", counters.rolled_back
        )
        yield CounterMetricFamily(
            "warroom_rooms_placed", "New rooms that were handed to a less loaded node.", counters.rooms_placed
        )
        sizes, latency = counters.batch_sizes, counters.append_ms
        yield HistogramMetricFamily(
            "warroom_append_batch_size", "Entries per batch of appends.", sizes.buckets(), sizes.total
        )
        yield HistogramMetricFamily(
            "warroom_append_seconds", "Time until the store answered.", latency.buckets(0.001), latency.total / 1000
        )

    def _of_connections(self) -> Iterator[Metric]:
        traffic = self._listener.traffic
        for name, help_text, value in (
            ("opened", "Websockets opened.", traffic.opened),
            ("refused", "Lines and handshakes refused.", traffic.refused),
            ("evicted_handshakes", "Lines without a websocket dropped for newer ones.", traffic.evicted),
            ("messages_in", "Messages received.", traffic.messages_in),
            ("bytes_in", "Bytes received on websockets.", traffic.bytes_in),
            ("frames_out", "Frames written.", traffic.frames_out),
            ("bytes_out", "Bytes written.", traffic.bytes_out),
            ("writes", "Writes to sockets.", traffic.writes),
            ("held_reads", "Times a connection was not read from because it said too much.", traffic.held),
            ("slow_viewers", "Connections closed because they did not read.", traffic.slow),
            ("idle_peers", "Connections closed because a ping was not answered.", traffic.idle),
            ("failed_connections", "Connections that broke the websocket protocol.", traffic.failed),
        ):
            yield CounterMetricFamily(f"warroom_{name}", help_text, value)


def _of_feed(feed: FeedQueue) -> Iterator[Metric]:
    counters = feed.counters
    yield GaugeMetricFamily("warroom_feed_up", "Whether the broker is connected.", float(counters.is_open))
    yield GaugeMetricFamily("warroom_feed_waiting", "Updates and news that wait for the broker.", feed.waiting)
    for name, help_text, value in (
        ("published", "Messages that the broker was given.", counters.published),
        ("published_bytes", "Bytes of these messages.", counters.published_bytes),
        ("dropped_updates", "Updates left out, for which a snapshot came.", counters.dropped_updates),
        ("dropped_news", "News left out because too many waited.", counters.dropped_news),
        ("connects", "Lines opened to the broker.", counters.connects),
        ("failures", "Lines that broke, failed or were thrown away.", counters.failures),
    ):
        yield CounterMetricFamily(f"warroom_feed_{name}", help_text, value)


def render(collector: Collector) -> bytes:
    """Return everything that *collector* knows in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    return generate_latest(registry)
