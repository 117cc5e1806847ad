"""`warroom serve`: run the server until it is stopped."""

import os
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from warroom_games.invocation import program
from warroom_server.cli import FAILED, USAGE
from warroom_server.config import HIDDEN, MEMORY_URL, SECRET, Settings, SettingsError, flag_of, help_texts, resolve

if TYPE_CHECKING:
    from warroom_server.adapters.process.own_address import Address

SUMMARY = "run the server"
EXAMPLE = "warroom serve --port 8000 --data ./data"

USUAL_URL = "ws://127.0.0.1:8000/ws"
"""The port that clients use by default."""


_SWITCHES = {"bots": ("false", "do not start a bot worker"), "debug": ("true", None)}
"""What the flags without a value set, and their help if it is not that of the setting."""


def configure(parser: ArgumentParser) -> None:
    """Add a flag for every setting; settings without a flag come from the environment."""
    for name, text in help_texts().items():
        shown = SUPPRESS if name in HIDDEN else text
        if name in SECRET:
            continue
        if name in _SWITCHES:
            value, own = _SWITCHES[name]
            parser.add_argument(flag_of(name), dest=name, action="store_const", const=value, help=own or shown)
        elif name == "games":
            parser.add_argument("--game", dest=name, action="append", metavar="MODULE:OBJECT", help=shown)
        else:
            parser.add_argument(flag_of(name), dest=name, metavar=name.upper(), help=shown)
    parser.add_argument(
        "--reload", action="store_true", help="restart when files of a game change; rooms continue, players resume"
    )


def run(args: Namespace) -> int:
    """Serve until SIGTERM or SIGINT."""
    flags = {name: value for name, value in vars(args).items() if name != "reload"}
    try:
        settings = resolve(os.environ, flags).settings
        if args.reload:
            _check_reloadable(settings)
    except SettingsError as error:
        print(f"warroom serve: {error}", file=sys.stderr)
        return USAGE
    # Imported late, so that --help and setting errors answer at once.
    from warroom_games.registry import RegistryError
    from warroom_server.adapters.process.kept_child import LaunchError
    from warroom_server.app import FailedError, serve
    from warroom_server.from_settings import StartError
    from warroom_server.multiprocess import serve_many
    from warroom_server.ports.store import UnavailableError

    def announce(address: "Address") -> None:
        # The process that started this node reads JSON.
        greeting = _greeting(address, is_debug=settings.debug)
        print(msgspec.json.encode(address).decode() if settings.tied else greeting, flush=True)

    def announce_many(shared: "Address", admin_ports: Sequence[int]) -> None:
        print(_greeting(shared, admin_ports, is_debug=settings.debug), flush=True)

    if args.reload:
        from warroom_server.commands.reloading_server import ReloadingServer

        return ReloadingServer(settings, announce).run()
    try:
        if settings.workers > 1:
            serve_many(settings, announce_many)
        else:
            serve(settings, announce)
    except (StartError, RegistryError, UnavailableError, LaunchError, FailedError) as error:
        print(f"warroom serve: {error}", file=sys.stderr)
        return FAILED
    return 0


def _check_reloadable(settings: Settings) -> None:
    """Raise `SettingsError` if a server with these settings cannot be restarted for a change."""
    if settings.workers > 1:
        raise SettingsError("--reload is for a server of one node, not for --workers")
    if settings.redis == MEMORY_URL:
        raise SettingsError("--reload needs a store that keeps the rooms: --data, or --redis with another URL")


def _greeting(address: "Address", admin_ports: Sequence[int] = (), *, is_debug: bool) -> str:
    warroom = program(os.environ)
    metrics = [f"http://127.0.0.1:{port}/metrics" for port in admin_ports] or [address.metrics]
    shown = "\n".join(f"  {'metrics' if number == 0 else '':9} {url}" for number, url in enumerate(metrics))
    url = "" if address.websocket == USUAL_URL else f" --url {address.websocket}"
    if is_debug:
        shown += f"\n  debugging {address.page}debug"
    return f"""\
Warroom is ready. Open this in a browser:
  {address.page}

  clients   {address.websocket}
{shown}

Or play in other terminals:
  {warroom} play tile_blitz --name Ada{url}
  {warroom} bot graph_battle --create --count 5 --think 0.2-0.8{url}
  {warroom} watch{url}

Stop with Ctrl-C. Matches are saved."""
