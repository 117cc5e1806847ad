"""Every refusal, notice, reason and close code of the wire, as data.

A code is a lower-case dotted name that is never reused. To add one, add a constant here, generate
docs/PROTOCOL_REFERENCE.md again, and say there or in docs/PROTOCOL.md where it occurs. Games bring refusal codes of
their own (`bid.spent`), listed in their rules; their first part must not be `RESERVED`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_refusals: dict[str, str] = {}
_notices: dict[str, str] = {}
_resyncs: dict[str, str] = {}
_pauses: dict[str, str] = {}
_endings: dict[str, str] = {}
_closes: dict[int, str] = {}


def _refusal(code: str, meaning: str) -> str:
    _refusals[code] = meaning
    return code


def _notice(code: str, meaning: str) -> str:
    _notices[code] = meaning
    return code


def _resync(reason: str, meaning: str) -> str:
    _resyncs[reason] = meaning
    return reason


def _pause(reason: str, meaning: str) -> str:
    _pauses[reason] = meaning
    return reason


def _ending(reason: str, meaning: str) -> str:
    _endings[reason] = meaning
    return reason


def _close(code: int, meaning: str) -> int:
    _closes[code] = meaning
    return code


# --- refusals: `error.code` and `verdict.code` ----------------------------------------------------------------

HELLO_FIRST: Final = _refusal("hello.first", "the first message of a connection must be hello")
HELLO_AGAIN: Final = _refusal("hello.again", "this connection has already said hello")
HELLO_VERSION: Final = _refusal("hello.version", "the server speaks none of the versions offered")
HELLO_TOKEN: Final = _refusal(
    "hello.token", "the identity token is not from this server, was changed, or is no longer valid"
)
HELLO_KEY: Final = _refusal("hello.key", "the key is not the bot workers' key of this server")

MESSAGE_MALFORMED: Final = _refusal(
    "message.malformed", "the bytes are not a message, or they have no ref to answer to"
)
MESSAGE_INVALID: Final = _refusal("message.invalid", "a field of the message is missing, too long or not allowed")
MESSAGE_TOO_LARGE: Final = _refusal(
    "message.too_large", "the message is longer than a client may send, or in too many fragments"
)
MESSAGE_UNKNOWN: Final = _refusal("message.unknown", "the server knows no message of this name")

GAME_UNKNOWN: Final = _refusal("game.unknown", "the server hosts no game of this name")
GAME_SEATS: Final = _refusal("game.seats", "the game cannot be played by that many seats")
GAME_OPTIONS: Final = _refusal("game.options", "the game's options have an unknown name or a value out of range")

ROOM_UNKNOWN: Final = _refusal("room.unknown", "there is no such room, or it is over and no longer kept")
ROOM_NOT_HERE: Final = _refusal("room.not_here", "this connection is not in the room")
ROOM_LIMIT: Final = _refusal("room.limit", "this connection, player or server holds as many rooms as it may")
ROOM_FULL: Final = _refusal("room.full", "every seat is taken")
ROOM_STARTED: Final = _refusal("room.started", "the match has begun, so no new player may sit down")
ROOM_ENDED: Final = _refusal("room.ended", "the match is over")
ROOM_NOT_LOBBY: Final = _refusal("room.not_lobby", "this is possible only before the match starts")
ROOM_NOT_HOST: Final = _refusal("room.not_host", "only the host may do this")
ROOM_TOO_FEW: Final = _refusal("room.too_few", "fewer seats are taken than the game needs")
ROOM_OPTIONS: Final = _refusal("room.options", "the room's options have an unknown name or a value out of range")
ROOM_BUSY: Final = _refusal("room.busy", "too many requests wait in this room; send this one again")
ROOM_PAUSES: Final = _refusal("room.no_pauses", "the room allows no pause by agreement")
ROOM_KICKED: Final = _refusal("room.kicked", "the host has removed you from this room")
ROOM_KEPT: Final = _refusal("room.kept", "the open seats are reserved for players of the last match")
ROOM_MOVING: Final = _refusal("room.moving", "the room is moving to another server; send the request again in a moment")

RULES_UNAVAILABLE: Final = _refusal(
    "rules.unavailable", "no server has this version of the game; the room waits for one and ends if none comes"
)

RULES_CHANGED: Final = _refusal(
    "rules.changed",
    "the rules of the game changed while the match was stored; it ended without a result",
)

SEAT_TAKEN: Final = _refusal("seat.taken", "another player sits there")
SEAT_UNKNOWN: Final = _refusal("seat.unknown", "the room has no seat of that number")
SEAT_NONE: Final = _refusal("seat.none", "this connection holds no seat in the room")
SEAT_TOKEN: Final = _refusal("seat.token", "the seat token is for another room, was changed, or is no longer valid")
SEAT_BOT: Final = _refusal("seat.bot", "a bot stands in for this seat; its owner may reclaim it")
SEAT_NO_BOT: Final = _refusal("seat.no_bot", "no bot stands in for this seat")
SEAT_OUT: Final = _refusal("seat.out", "the seat has resigned or was taken out of the match")

ACT_MALFORMED: Final = _refusal("act.malformed", "this game has no such action")
ACT_STALE: Final = _refusal("act.stale", "the turn token is not that of the seat's open decision")
ACT_CLOCK_ONLY: Final = _refusal("act.clock_only", "only the clock plays this action, when time runs out")
ACT_LATE: Final = _refusal("act.late", "the action arrived after the deadline")
ACT_NOT_STARTED: Final = _refusal("act.not_started", "the match has not begun")
ACT_PAUSED: Final = _refusal("act.paused", "the players agreed on a pause that has not ended")
ACT_BUSY: Final = _refusal("act.busy", "too many requests wait in this room; send the action again with a new id")

WATCH_NOBODY: Final = _refusal("watch.nobody", "nobody may watch this room")
WATCH_SEATED: Final = _refusal("watch.seated", "players may not watch a room whose spectators see all hands")
WATCH_DELAY: Final = _refusal("watch.delay", "spectators who see all hands need a longer delay")
BOT_UNKNOWN: Final = _refusal("bot.unknown", "no connected worker has such a bot for this game")
CLAIM_WORKERS: Final = _refusal("claim.workers", "only bot workers, with their key in hello, may do this")
CLAIM_GONE: Final = _refusal("claim.gone", "this ticket is not valid, or no longer valid")
OFFER_DRAW: Final = _refusal("offer.draw", "this game has no draws by agreement")
OFFER_BOTS: Final = _refusal("offer.bots", "bots of this server do not agree to draws")
OFFER_NOW: Final = _refusal("offer.now", "this cannot be offered now")
CHAT_OFF: Final = _refusal("chat.off", "this room has no chat")
CHAT_EMPTY: Final = _refusal("chat.empty", "nothing visible is left of the text")
CHAT_LIMIT: Final = _refusal("chat.limit", "too many lines in a short time; wait a moment")
CHAT_MUTED: Final = _refusal("chat.muted", "the host has silenced this player")
REPLAY_UNKNOWN: Final = _refusal("replay.unknown", "no finished match of that room is kept")
REPLAY_RUNNING: Final = _refusal("replay.running", "the match is not over for its spectators")
REPLAY_SEALED: Final = _refusal("replay.sealed", "the room does not show the whole match yet; ask for a view of it")

STORE_UNAVAILABLE: Final = _refusal("store.unavailable", "the store does not answer; try again later")
SERVER_DRAINING: Final = _refusal("server.draining", "the server is about to stop; reconnect and ask again")
INTERNAL: Final = _refusal("internal", "the server has a bug; it was logged, and the room is closed")

# --- notices: `notice.code` -----------------------------------------------------------------------------------

NOTICE_DRAINING: Final = _notice("server.draining", "the server stops soon: stay connected, then reconnect and resume")
NOTICE_SLOW: Final = _notice("viewer.slow", "this viewer reads too slowly: updates were skipped, a snapshot follows")
NOTICE_RATE: Final = _notice(
    "rate.limited", "messages come too fast and are read more slowly; sent once per connection"
)
NOTICE_MOVED: Final = _notice("room.moved", "the room has moved to another server: enter it again and resume")
NOTICE_ROLLED_BACK: Final = _notice(
    "room.rolled_back",
    "the store lost the latest actions, some of them accepted: the match goes on from an earlier point, unrated",
)
NOTICE_LOST: Final = _notice("room.lost", "the store lost the room and everything played there")
NOTICE_KICKED: Final = _notice(
    "room.kicked", "the host has removed you from your seat; you may watch if the room allows it"
)
NOTICE_LEFT: Final = _notice(
    "room.left", "the seat was given up and nobody may watch, so this connection left the room"
)
NOTICE_STOOD_IN: Final = _notice("seat.stood_in", "a bot plays for this seat until its owner reclaims it")
NOTICE_RELIEVED: Final = _notice("seat.relieved", "the player took the seat back; the bot is no longer in the room")
NOTICE_DECIDED: Final = _notice("seat.decided", "the open decision was made, perhaps on another connection")
NOTICE_NO_REMATCH: Final = _notice("room.no_rematch", "the rematch room could not be created; offer the rematch again")
NOTICE_INTERNAL: Final = _notice("internal", "a bug in the server or the game closed the room")

# --- why a client wants a snapshot: `resync.reason` -----------------------------------------------------------

VIEW_DRIFT: Final = _resync("view.drift", "the copy failed the checksum, or a patch did not fit it")
VIEW_GAP: Final = _resync("view.gap", "a number of a stream is missing")

# --- why a room is paused: `paused.reason` --------------------------------------------------------------------

PAUSE_STORE: Final = _pause("store", "the store does not answer, so nothing can be accepted")
PAUSE_AGREED: Final = _pause("agreed", "the players agreed on a pause")
PAUSE_MOVING: Final = _pause("moving", "the room is moving to another server; the notice `room.moved` follows")
PAUSE_RESTART: Final = _pause("restart", "the server was restarted and waits a moment for the players")

# --- why a match ended: `ended.reason` ------------------------------------------------------------------------

END_VICTORY: Final = _ending("victory", "the game's victory rule ended it")
END_CAP: Final = _ending("cap", "the match reached its length limit")
END_RESIGNED: Final = _ending("resigned", "all but one side gave up")
END_DRAW: Final = _ending("draw", "everyone still in the match agreed on a draw")
END_VOID: Final = _ending(
    "void",
    "no result: nobody stayed, the lobby changed too often, the rules changed, or a bug; the ranks mean nothing",
)

# --- why a connection was closed: websocket close codes -------------------------------------------------------

CLOSE_NORMAL: Final = _close(1000, "one side is done")
CLOSE_GOING_AWAY: Final = _close(1001, "the server stops; connect again and resume")
CLOSE_PROTOCOL: Final = _close(1002, "the websocket protocol itself was broken")
CLOSE_TEXT: Final = _close(1003, "a text frame was sent; messages are binary")
CLOSE_MALFORMED: Final = _close(1007, "something that is no message was sent; the error before the close says why")
CLOSE_TOO_LARGE: Final = _close(1009, "a message was longer than allowed, or in too many fragments")
CLOSE_INTERNAL: Final = _close(1011, "the server cannot go on; connect again and resume")
CLOSE_HELLO_TIMEOUT: Final = _close(4000, "no hello came in time")
CLOSE_HELLO: Final = _close(4001, "the hello was refused, or was not the first message; the error says why")
CLOSE_VERSION: Final = _close(4002, "no common protocol version")
CLOSE_SLOW: Final = _close(4004, "the client reads too slowly; connect again and resume")
CLOSE_ROTATED: Final = _close(4005, "another connection of the player voided all earlier tokens")
CLOSE_IDLE: Final = _close(4006, "the client did not answer the websocket ping in time")

REFUSALS: Final[Mapping[str, str]] = MappingProxyType(_refusals)
NOTICES: Final[Mapping[str, str]] = MappingProxyType(_notices)
RESYNCS: Final[Mapping[str, str]] = MappingProxyType(_resyncs)
PAUSES: Final[Mapping[str, str]] = MappingProxyType(_pauses)
ENDINGS: Final[Mapping[str, str]] = MappingProxyType(_endings)
CLOSES: Final[Mapping[int, str]] = MappingProxyType(_closes)

RESERVED: Final = frozenset(code.partition(".")[0] for code in _refusals)
"""First parts that the codes of a game must not use."""
