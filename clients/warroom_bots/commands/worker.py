"""`warroom worker`: bring bots to the seats for which a server wants some."""

import asyncio
import logging
import os
import signal
import sys
import threading
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from warroom_bots.commands.options import positive, think_time
from warroom_bots.runner import Think
from warroom_bots.thinking import Thinking
from warroom_bots.worker import Worker
from warroom_client import DEFAULT_URL, ClientError

SUMMARY = "bring bots to the seats for which a server wants some"
EXAMPLE = "WARROOM_BOT_KEY=… warroom worker --url ws://127.0.0.1:8000/ws --seats 100"

KEY_VARIABLE: Final = "WARROOM_BOT_KEY"
"""Where the key is: there is no flag for it, because everybody on the machine can read the arguments of a process."""
SEATS: Final = 256
PACE: Final = "0.3-0.9"
LAST_WORDS_S: Final = 2.0
"""How long a worker whose server is gone may take to end."""
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "--url",
        action="append",
        dest="urls",
        metavar="URL",
        help=f"the server; once for each node of several (default: {DEFAULT_URL})",
    )
    parser.add_argument(
        "--seats", type=positive, default=SEATS, metavar="N", help="seats to hold at a time (default: %(default)s)"
    )
    parser.add_argument(
        "--processes",
        type=positive,
        default=max(1, (os.cpu_count() or 2) - 1),
        metavar="N",
        help="processes in which slow bots think (default: %(default)s)",
    )
    parser.add_argument(
        "--think",
        type=think_time,
        default=PACE,
        metavar="S[-S]",
        help="seconds to seem to think about each action, so that people can follow (default: %(default)s)",
    )
    parser.add_argument("--until-stdin-ends", action="store_true", help=SUPPRESS)


def run(args: Namespace) -> int:
    """Work until SIGTERM or SIGINT."""
    key = os.environ.get(KEY_VARIABLE)
    if not key:
        print(
            f"warroom worker: a server lets only those bring bots who have its key; set {KEY_VARIABLE}", file=sys.stderr
        )
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
        urls = args.urls or [DEFAULT_URL]
        asyncio.run(_work(urls, key, seats=args.seats, processes=args.processes, think=args.think))
    except ClientError as error:
        print(f"warroom worker: {error}", file=sys.stderr)
        return 1
    return 0


async def _work(urls: Sequence[str], key: str, *, seats: int, processes: int, think: Think) -> None:
    thinking = Thinking(processes)
    workers = [Worker(url, key=key, seats=seats, thinking=thinking, think=think) for url in urls]
    working = asyncio.gather(*(worker.run() for worker in workers))
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, working.cancel)
    try:
        with suppress(asyncio.CancelledError):
            await working
    finally:
        thinking.close()


def _end_with_starter() -> None:
    """End when standard input does: its other end is held by the server that started this worker."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(LAST_WORDS_S)  # the process is gone before, unless something hangs
    os._exit(1)
