"""All settings in one frozen value, read from `WARROOM_*` variables and the flags of `warroom serve`."""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import msgspec
from msgspec import Meta, Struct

from warroom_protocol.brokers import EXPECTED, parse_broker
from warroom_protocol.errors import BrokerUrlError
from warroom_protocol.topics import DEFAULT_PREFIX, is_prefix

PREFIX = "WARROOM_"
HIDDEN = frozenset({"crash_at", "log_name", "wall_offset_file", "shared_fd", "tied"})
"""Internal settings, for tests or for the nodes of one server; not shown to users."""
SECRET = frozenset({"bot_key"})
"""Secret settings. They have no flag, because all users of a machine can read process arguments, and are never printed.
"""
MEMORY_URL = "memory://"
"""The URL of a store that keeps nothing beyond its process."""
LEAST_KEY, MOST_KEY = 16, 256
"""Minimum length of a key, and the maximum that `hello` can carry."""

_STORES = (
    "redis://", "rediss://", "unix://", "redis+sentinel://", "rediss+sentinel://", "redis+cluster://", "rediss+cluster://",
    MEMORY_URL,
)  # fmt: skip

_FLAGS = {"games": "--game", "bots": "--no-bots", "bot_key": "-"}

Flag: TypeAlias = str | Sequence[str]
Source: TypeAlias = Literal["default", "variable", "flag"]
LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
Port: TypeAlias = Annotated[int, Meta(ge=0, le=65535)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=10_000_000)]


def about(text: str) -> Meta:
    """Return the help text of a setting as an annotation."""
    return Meta(description=text)


class SettingsError(ValueError):
    """A setting is unknown or invalid; the text names it and what was expected."""


class Settings(Struct, frozen=True, kw_only=True):
    """All settings. Only `app` sees this object; other parts get the values they need."""

    host: Annotated[str, about("address to listen on")] = "127.0.0.1"
    port: Annotated[Port, about("port for websockets, the page and /api (0: any free port)")] = 8000
    admin_host: Annotated[str, about("address of the admin port")] = "127.0.0.1"
    admin_port: Annotated[Port, about("port for /metrics (0: any free port)")] = 8001
    workers: Annotated[int, Meta(ge=1, le=64), about("number of nodes behind the port, each in its own process")] = 1
    data: Annotated[str, about("data folder of the embedded store")] = "data"
    redis: Annotated[
        str, about("URL of a Redis or Valkey server to use instead of the embedded store; memory:// keeps nothing")
    ] = ""
    advertise: Annotated[str, about("ws:// URL where other nodes reach this one (empty: host, port and /link)")] = ""
    redis_wait: Annotated[
        str,
        Meta(pattern=r"^(auto|[0-9])$"),
        about("replicas that must confirm an action before it counts; auto: one, if one is available in time"),
    ] = "auto"
    redis_wait_ms: Annotated[int, Meta(ge=1, le=1500), about("how long to wait for replicas, in milliseconds")] = 500
    mqtt: Annotated[
        str, about("URL of an MQTT broker to publish to, mqtt://user:password@host or mqtts://... (empty: none)")
    ] = ""
    mqtt_ca: Annotated[str, about("file with trusted certificates for mqtts:// (empty: those of the system)")] = ""
    mqtt_prefix: Annotated[str, about("prefix of all topics")] = DEFAULT_PREFIX
    games: Annotated[tuple[str, ...], about("additional games to host, module:object")] = ()
    replay_days: Annotated[int, Meta(ge=1, le=3650), about("days to keep replays")] = 30
    max_rooms: Annotated[Count, about("maximum number of rooms on this node")] = 10_000
    rooms_per_player: Annotated[Count, about("maximum number of unfinished rooms per creating player")] = 256
    rooms_per_address: Annotated[
        Count, about("maximum number of unfinished rooms per creating address (raise it behind a proxy)")
    ] = 1024
    connections_per_address: Annotated[
        Count, about("maximum number of websockets per address (raise it behind a proxy)")
    ] = 5_000
    rooms_per_connection: Annotated[Count, about("maximum number of rooms per connection")] = 256
    messages_per_s: Annotated[Count, about("messages per second and connection")] = 100
    messages_burst: Annotated[Count, about("burst of messages allowed after a pause")] = 200
    bytes_per_s: Annotated[Count, about("bytes per second and connection")] = 65_536
    bytes_burst: Annotated[Count, about("burst of bytes allowed after a pause")] = 131_072
    idle_s: Annotated[Count, about("seconds until an empty room is closed")] = 600
    bots: Annotated[bool, about("start a bot worker with the server")] = True
    bot_think: Annotated[
        str,
        Meta(pattern=r"^\d+(\.\d+)?(-\d+(\.\d+)?)?$"),
        about("thinking time of its bots per action, in seconds, so that people can follow"),
    ] = "0.3-0.9"
    bot_key: Annotated[str, about(f"key of the bot workers, at least {LEAST_KEY} characters (empty: generated)")] = ""
    debug: Annotated[bool, about("for development: JSON at /ws?format=json, and the inspector of the page")] = False
    log_level: Annotated[LogLevel, about("lowest level of messages to log")] = "info"
    log_name: Annotated[str, about("for nodes of one server: the label of this node's log lines")] = ""
    shared_fd: Annotated[
        int,
        Meta(ge=0, le=1_048_576),
        about("for nodes of one server: the descriptor of a second listening socket (0: none)"),
    ] = 0
    tied: Annotated[
        bool, about("for nodes of one server: print the addresses as JSON, and stop when standard input ends")
    ] = False
    wall_offset_file: Annotated[str, about("for tests: a file with the error of the wall clock in milliseconds")] = ""
    crash_at: Annotated[
        str, about("for tests: kill the process when its write path passes NAME, or NAME:N for the Nth time")
    ] = ""


class Setting(Struct, frozen=True):
    """One setting as users see it."""

    name: str
    variable: str
    flag: str
    value: object
    source: Source
    help: str


class Resolved(Struct, frozen=True):
    """The settings and their sources."""

    settings: Settings
    sources: dict[str, Source]

    def explain(self) -> list[Setting]:
        """Return each setting with value, source and help; secrets are masked and internal settings left out."""
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
    """Return the help of each setting by field name."""
    return {field.name: msgspec.json.schema(field.type)["description"] for field in msgspec.structs.fields(Settings)}


def resolve(environment: Mapping[str, str], flags: Mapping[str, Flag | None] | None = None) -> Resolved:
    """Return the settings: flags (by field name; None: not given) override variables, which override defaults.

    Raises `SettingsError` for an unknown `WARROOM_` variable or an invalid value.
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
    """Return the variables that give another process the same settings."""
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
    hint = f"did you mean {PREFIX}{near[0].upper()}?" if near else "`warroom config` lists all settings"
    raise SettingsError(f"unknown setting {variable}; {hint}")


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


def _is_broker(url: str) -> bool:
    try:
        return not url or bool(parse_broker(url))
    except BrokerUrlError:
        return False


def _is_pace(pace: str) -> bool:
    shortest, _, longest = pace.partition("-")
    return float(shortest) <= float(longest or shortest)


_TEXTS: dict[str, tuple[Callable[[str], bool], str]] = {
    "redis": (lambda url: not url or url.startswith(_STORES), f"a URL that starts with {', '.join(_STORES)}"),
    "advertise": (lambda url: not url or url.startswith(("ws://", "wss://")), "a URL that starts with ws:// or wss://"),
    "redis_wait": (lambda _: True, "auto or a number from 0 to 9"),
    "mqtt": (_is_broker, EXPECTED),
    "mqtt_prefix": (is_prefix, "levels of letters, digits, `_`, `-` and `.`, separated by /"),
    "bot_key": (lambda key: not key or LEAST_KEY <= len(key) <= MOST_KEY, f"{LEAST_KEY} to {MOST_KEY} characters"),
    "bot_think": (_is_pace, "seconds, such as 0.5 or 0.3-0.9, with the shorter time first"),
}
"""Checks of text settings, each with a description."""


def _expected(kind: object) -> str:
    schema = msgspec.json.schema(kind)
    if "enum" in schema:
        return "one of " + ", ".join(schema["enum"])
    if schema.get("type") == "integer":
        return f"a whole number from {schema['minimum']} to {schema['maximum']}"
    return "true or false" if schema.get("type") == "boolean" else "text"


def _shown(name: str, value: object) -> object:
    """Return a value without secrets and passwords."""
    if name in SECRET and value:
        return "***"
    if not isinstance(value, str) or "://" not in value:
        return value
    parts = urlsplit(value)
    credentials, at, hosts = parts.netloc.rpartition("@")
    if at:
        parts = parts._replace(netloc=f"{credentials.partition(':')[0]}:***@{hosts}")
    return urlunsplit(parts._replace(query=re.sub(r"(password=)[^&]*", r"\1***", parts.query)))
