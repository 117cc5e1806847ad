"""Every setting in one frozen value, read from `WARROOM_*` variables and the flags of `warroom serve`."""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import msgspec
from msgspec import Meta, Struct

from warroom_protocol.brokers import EXPECTED, parse_broker
from warroom_protocol.errors import BrokerUrlError
from warroom_protocol.topics import DEFAULT_PREFIX, is_prefix

PREFIX = "WARROOM_"
HIDDEN = frozenset({"crash_at", "log_name", "wall_offset_file", "shared_fd", "tied"})
"""Settings that are for tests, or for the nodes of a server of several, and are shown to nobody."""
SECRET = frozenset({"bot_key"})
"""Settings without a flag, because everybody on the machine can read the arguments of a process; never echoed."""
LEAST_KEY, MOST_KEY = 16, 256
"""How many characters a key that nobody guesses has at least, and what `hello` has room for."""

_STORES = (
    "redis://", "rediss://", "unix://", "redis+sentinel://", "rediss+sentinel://", "redis+cluster://", "rediss+cluster://",
    "memory://",
)  # fmt: skip

_FLAGS = {"games": "--game", "bots": "--no-bots", "bot_key": "-"}

Flag: TypeAlias = str | Sequence[str]
Source: TypeAlias = Literal["default", "variable", "flag"]
Port: TypeAlias = Annotated[int, Meta(ge=0, le=65535)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=10_000_000)]


class SettingsError(ValueError):
    """A setting is unknown or cannot be what it was set to; says which, and what was expected."""


class Settings(Struct, frozen=True, kw_only=True):
    """Everything that can be set; nothing below `app` sees this object, only the values that it needs."""

    host: Annotated[str, Meta(description="address to listen on")] = "127.0.0.1"
    port: Annotated[Port, Meta(description="port for websockets, the status page and /api (0: any free one)")] = 8000
    admin_host: Annotated[str, Meta(description="address of the admin port")] = "127.0.0.1"
    admin_port: Annotated[Port, Meta(description="port for /metrics (0: any free one)")] = 8001
    workers: Annotated[
        Annotated[int, Meta(ge=1, le=64)],
        Meta(description="nodes to run behind the one port, each in a process of its own"),
    ] = 1
    data: Annotated[str, Meta(description="folder of the embedded store")] = "data"
    redis: Annotated[
        str, Meta(description="URL of a Redis or Valkey to use instead of the embedded store; memory:// forgets all")
    ] = ""
    advertise: Annotated[
        str, Meta(description="ws:// URL under which other nodes open links to this one (empty: host, port and /link)")
    ] = ""
    redis_wait: Annotated[
        str,
        Meta(
            pattern=r"^(auto|[0-9])$",
            description="replicas that must have an action before it counts; auto: one, if there is any and in time",
        ),
    ] = "auto"
    redis_wait_ms: Annotated[
        Annotated[int, Meta(ge=1, le=1500)], Meta(description="how long replicas are waited for, in milliseconds")
    ] = 500
    mqtt: Annotated[
        str,
        Meta(description="URL of an MQTT broker to publish to, mqtt://user:password@host or mqtts://... (empty: none)"),
    ] = ""
    mqtt_ca: Annotated[
        str, Meta(description="file with the certificates to trust for mqtts:// (empty: those of the system)")
    ] = ""
    mqtt_prefix: Annotated[str, Meta(description="what all topics begin with")] = DEFAULT_PREFIX
    games: Annotated[tuple[str, ...], Meta(description="games to host besides the installed ones, module:object")] = ()
    replay_days: Annotated[Annotated[int, Meta(ge=1, le=3650)], Meta(description="how long replays are kept")] = 30
    max_rooms: Annotated[Count, Meta(description="rooms that may exist on this node at a time")] = 10_000
    rooms_per_player: Annotated[Count, Meta(description="unfinished rooms that one player may have created")] = 256
    rooms_per_address: Annotated[
        Count,
        Meta(description="unfinished rooms that may have been created from one address (raise it behind a proxy)"),
    ] = 1024
    connections_per_address: Annotated[
        Count, Meta(description="websockets that may be open from one address (raise it behind a proxy)")
    ] = 5_000
    rooms_per_connection: Annotated[Count, Meta(description="rooms that one connection may follow")] = 256
    messages_per_s: Annotated[Count, Meta(description="messages a second that one connection may send")] = 100
    messages_burst: Annotated[Count, Meta(description="messages that it may send at once after a rest")] = 200
    bytes_per_s: Annotated[Count, Meta(description="bytes a second that one connection may send")] = 65_536
    bytes_burst: Annotated[Count, Meta(description="bytes that it may send at once after a rest")] = 131_072
    idle_s: Annotated[Count, Meta(description="seconds after which a room that nobody follows is closed")] = 600
    bots: Annotated[bool, Meta(description="whether a bot worker is started beside the server")] = True
    bot_think: Annotated[
        str,
        Meta(
            pattern=r"^\d+(\.\d+)?(-\d+(\.\d+)?)?$",
            description="seconds that its bots seem to think about each action, so that people can follow",
        ),
    ] = "0.3-0.9"
    bot_key: Annotated[
        str,
        Meta(description=f"what bot workers have to show, at least {LEAST_KEY} characters (empty: a key made here)"),
    ] = ""
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="the least important messages to log")
    ] = "info"
    log_name: Annotated[
        str, Meta(description="for nodes of one server: what tells the lines of one from those of the others in a log")
    ] = ""
    shared_fd: Annotated[
        Annotated[int, Meta(ge=0, le=1_048_576)],
        Meta(description="for nodes of one server: the descriptor of a socket to accept from besides (0: none)"),
    ] = 0
    tied: Annotated[
        bool, Meta(description="for nodes of one server: say where they are as JSON, and stop when standard input ends")
    ] = False
    wall_offset_file: Annotated[
        str, Meta(description="for tests: a file with the milliseconds by which the wall clock is wrong")
    ] = ""
    crash_at: Annotated[
        str, Meta(description="for tests: kill the process where its write path passes NAME or NAME:N for the Nth time")
    ] = ""


class Setting(Struct, frozen=True):
    """One setting as people see it."""

    name: str
    variable: str
    flag: str
    value: object
    source: Source
    help: str


class Resolved(Struct, frozen=True):
    """The settings, and where each of them came from."""

    settings: Settings
    sources: dict[str, Source]

    def explain(self) -> list[Setting]:
        """Return each setting with value, source and help; passwords are not shown, nor what is for tests alone."""
        return [
            Setting(
                name=name,
                variable=PREFIX + name.upper(),
                flag=flag_of(name),
                value=_shown(name, getattr(self.settings, name)),
                source=self.sources[name],
                help=text,
            )
            for name, text in help_texts().items()
            if name not in HIDDEN
        ]


def flag_of(name: str) -> str:
    """Return the flag that sets the field *name*."""
    return _FLAGS.get(name) or "--" + name.replace("_", "-")


def help_texts() -> dict[str, str]:
    """Return what each setting is for, by field name."""
    return {field.name: _schema(field.type)["description"] for field in msgspec.structs.fields(Settings)}


def resolve(environment: Mapping[str, str], flags: Mapping[str, Flag | None] | None = None) -> Resolved:
    """Return the settings: flags (by field name; None: not given) before variables before defaults.

    Raises `SettingsError` for an unknown `WARROOM_` variable or a value that does not fit.
    """
    given: dict[str, object] = {}
    sources: dict[str, Source] = {name: "default" for name in help_texts()}
    for variable in sorted(environment):
        if variable.startswith(PREFIX):
            name = _known(variable)
            given[name] = _read(name, environment[variable], variable)
            sources[name] = "variable"
    for name, value in (flags or {}).items():
        if value is not None:
            given[name] = _read(name, value, flag_of(name))
            sources[name] = "flag"
    return Resolved(msgspec.convert(given, Settings), sources)


def as_variables(settings: Settings) -> dict[str, str]:
    """Return the variables that make another process have the same settings."""
    texts = {}
    for name in help_texts():
        value = getattr(settings, name)
        if isinstance(value, tuple):
            value = ",".join(value)
        texts[PREFIX + name.upper()] = str(value).lower() if isinstance(value, bool) else str(value)
    return texts


def _known(variable: str) -> str:
    names = help_texts()
    name = variable.removeprefix(PREFIX).lower()
    if variable == PREFIX + name.upper() and name in names:
        return name
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {PREFIX}{near[0].upper()}?" if near else "`warroom config` lists all"
    raise SettingsError(f"{variable} is no setting; {hint}")


def _read(name: str, value: Flag, origin: str) -> object:
    kind = next(field.type for field in msgspec.structs.fields(Settings) if field.name == name)
    plain: object = value
    if name == "games" and isinstance(value, str):
        plain = [part.strip() for part in value.split(",") if part.strip()]
    try:
        setting = msgspec.convert(plain, kind, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(_complaint(name, kind, value, origin)) from error
    if name in _TEXTS and not _TEXTS[name][0](setting):
        raise SettingsError(_complaint(name, kind, value, origin))
    return setting


def _complaint(name: str, kind: object, value: Flag, origin: str) -> str:
    expected = _TEXTS[name][1] if name in _TEXTS else _expected(kind)
    got = repr(value)
    if name in SECRET:
        got = f"{len(value)}"
    elif name in ("redis", "mqtt") and ("@" in value or "password" in value):
        got = "another URL"  # it may hold a password
    return f"{origin}: expected {expected}, got {got}"


def _is_store(url: str) -> bool:
    return not url or url.startswith(_STORES)


def _is_link(url: str) -> bool:
    return not url or url.startswith(("ws://", "wss://"))


def _is_broker(url: str) -> bool:
    try:
        return not url or bool(parse_broker(url))
    except BrokerUrlError:
        return False


def _is_key(key: str) -> bool:
    return not key or LEAST_KEY <= len(key) <= MOST_KEY


def _is_pace(pace: str) -> bool:
    shortest, _, longest = pace.partition("-")
    return float(shortest) <= float(longest or shortest)


_TEXTS: dict[str, tuple[Callable[[str], bool], str]] = {
    "redis": (_is_store, f"a URL that begins with {', '.join(_STORES)}"),
    "advertise": (_is_link, "a URL that begins with ws:// or wss://"),
    "redis_wait": (lambda _: True, "auto or a number from 0 to 9"),
    "mqtt": (_is_broker, EXPECTED),
    "mqtt_prefix": (is_prefix, "levels of letters, digits, `_`, `-` and `.`, with / between them"),
    "bot_key": (_is_key, f"{LEAST_KEY} to {MOST_KEY} characters"),
    "bot_think": (_is_pace, "seconds, such as 0.5 or 0.3-0.9, the shorter time first"),
}
"""What some texts have to be, as a check and in words."""


def _expected(kind: object) -> str:
    schema = _schema(kind)
    if "enum" in schema:
        return "one of " + ", ".join(schema["enum"])
    if schema.get("type") == "integer":
        return f"a whole number from {schema['minimum']} to {schema['maximum']}"
    return "true or false" if schema.get("type") == "boolean" else "text"


def _schema(kind: object) -> dict[str, Any]:
    return msgspec.json.schema(kind)


def _shown(name: str, value: object) -> object:
    return "***" if name in SECRET and value else _without_password(value)


def _without_password(value: object) -> object:
    if not isinstance(value, str) or "://" not in value:
        return value
    parts = urlsplit(value)
    credentials, at, hosts = parts.netloc.rpartition("@")
    if at:
        parts = parts._replace(netloc=f"{credentials.partition(':')[0]}:***@{hosts}")
    return urlunsplit(parts._replace(query=re.sub(r"(password=)[^&]*", r"\1***", parts.query)))
