"""`warroom worker`: run bots for the open seats of a server."""

import asyncio
import logging
import os
import signal
import sys
import threading
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from contextlib import suppress
from typing import Final

from warroom_bots.api import BotKind
from warroom_bots.bot_executor import BotExecutor
from warroom_bots.commands.options import BOT_REFERENCE, add_processes, positive, server, think_time
from warroom_bots.registry import UnknownBotError, bots_for, find_bot
from warroom_bots.worker import Offers, Worker
from warroom_client import ClientError
from warroom_protocol.addresses import usual_url
from warroom_protocol.errors import TopicError
from warroom_protocol.topics import DEFAULT_PREFIX, Topics

SUMMARY = "run bots for the open seats of a server"
EXAMPLE = "WARROOM_BOT_KEY=… warroom worker --url ws://127.0.0.1:8000/ws --seats 100"

KEY_VARIABLE: Final = "WARROOM_BOT_KEY"
"""Variable with the key. There is no flag, because all users of a machine can read process arguments."""
SEATS: Final = 256
PACE: Final = "0.3-0.9"
LAST_WORDS_S: Final = 2.0
"""Time limit for the exit of a worker whose server is gone."""
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "--url",
        action="append",
        dest="urls",
        type=server,
        metavar="URL",
        help=f"the server (repeat it for each node; default: {usual_url(os.environ)})",
    )
    parser.add_argument(
        "--seats", type=positive, default=SEATS, metavar="N", help="maximum number of seats (default: %(default)s)"
    )
    parser.add_argument(
        "--bot",
        action="append",
        dest="bots",
        type=_game_and_bot,
        default=[],
        metavar="GAME=BOT",
        help=f"offer only these bots (may be repeated); each is {BOT_REFERENCE}",
    )
    add_processes(parser)
    parser.add_argument(
        "--think",
        type=think_time,
        default=PACE,
        metavar="S[-S]",
        help="executor time per action in seconds, so that people can follow (default: %(default)s)",
    )
    parser.add_argument(
        "--mqtt", metavar="URL", help="take requests from this broker instead: mqtt://user:password@host"
    )
    parser.add_argument("--mqtt-ca", metavar="FILE", help="certificates to trust for mqtts:// (default: the system's)")
    parser.add_argument("--mqtt-prefix", default=DEFAULT_PREFIX, help="topic prefix (default: %(default)s)")
    parser.add_argument("--until-stdin-ends", action="store_true", help=SUPPRESS)


def run(args: Namespace) -> int:
    """Run until SIGTERM or SIGINT."""
    key = os.environ.get(KEY_VARIABLE)
    if not key:
        print(f"warroom worker: the server requires its bot key; set {KEY_VARIABLE}", file=sys.stderr)
        return 2
    logging.basicConfig(
        level="WARNING",
        stream=sys.stderr,
        format="time=%(asctime)s level=%(levelname)s logger=%(name)s %(message)s",
        datefmt="%Y-%m-%dT%H:%M:%S%z",
    )
    if args.until_stdin_ends:
        threading.Thread(target=_end_with_starter, daemon=True).start()
    try:
        asyncio.run(_work(args, key, _offers(args.bots)))
    except (TopicError, UnknownBotError) as error:
        print(f"warroom worker: {error}", file=sys.stderr)
        return 2
    except ClientError as error:
        print(f"warroom worker: {error}", file=sys.stderr)
        return 1
    return 0


def _game_and_bot(text: str) -> tuple[str, str]:
    """Parse GAME=BOT."""
    game, equals, bot = text.partition("=")
    if not (game and equals and bot):
        raise ArgumentTypeError(f"write a bot as GAME=BOT, got {text!r}")
    return game, bot


def _offers(bots: list[tuple[str, str]]) -> Offers:
    """Return the bots to offer: the named ones, or else all that are installed."""
    if not bots:
        return bots_for
    named: dict[str, dict[str, BotKind]] = {}
    for game, bot in bots:
        kind = find_bot(game, bot)
        known = named.setdefault(game, {}).setdefault(kind.name, kind)
        if known.source != kind.source:
            raise UnknownBotError(f"two bots of {game} are named {kind.name}, {known.source} and {kind.source}")
    return lambda game: named.get(game, {})


def _workers(args: Namespace, key: str, executor: BotExecutor, offers: Offers) -> list[Worker]:
    urls = args.urls or [usual_url(os.environ)]
    if args.mqtt is None:
        return [
            Worker(url, key=key, seats=args.seats, executor=executor, think=args.think, offers=offers) for url in urls
        ]
    # Imported late: workers without a broker need not load its client.
    from warroom_bots.mqtt_worker import MqttWorker
    from warroom_client.mqtt_subscription import MqttSubscription

    line = MqttSubscription(args.mqtt, [Topics(args.mqtt_prefix).wanted("+")], ca=args.mqtt_ca)
    return [MqttWorker(urls[0], line, key=key, seats=args.seats, executor=executor, think=args.think, offers=offers)]


async def _work(args: Namespace, key: str, offers: Offers) -> None:
    executor = BotExecutor(args.processes)
    working = asyncio.gather(*(worker.run() for worker in _workers(args, key, executor, offers)))
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, working.cancel)
    try:
        with suppress(asyncio.CancelledError):
            await working
    finally:
        executor.close()


def _end_with_starter() -> None:
    """Exit when standard input closes: the server that started this worker holds its other end."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(LAST_WORDS_S)  # fires only if the normal exit hangs
    os._exit(1)
