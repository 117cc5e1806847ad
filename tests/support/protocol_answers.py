"""What answers each request, and which refusals of its own it has: for docs/PROTOCOL_REFERENCE.md."""

from typing import Final

ANSWERS: Final = {
    "hello": "`welcome`",
    "games": "`games`",
    "rooms": "`rooms`",
    "older": "`rooms`",
    "create": "`created`",
    "quick": "`created`, whether the room is new or not",
    "join": "`joined` or `resumed`, and what they say follows",
    "watch": "`joined` or `resumed`, with nil for the seat",
    "leave": "`done`",
    "start": "`done`",
    "fill": "`done`",
    "kick": "`done`",
    "act": "one `verdict` with the same `id`",
    "legal": "`legal`",
    "resync": "a `snapshot` and, during the match, `paused` with the time; then `done`",
    "resign": "`done`",
    "reclaim": "`done`: the player has the seat again, or will have it with the next turn, even after a crash",
    "offer": "`done`; for a rematch that already exists, `moved` comes before it",
    "say": "`done`, after the client's own `said`",
    "mute": "`done`",
    "matches": "`matches`",
    "replay": "`replay`",
    "ranking": "`ranking`",
    "work": "`done`; `summon` follows whenever a seat wants a bot",
    "claim": "`joined`, and what it says follows; a lost connection resumes with `join`",
    "ping": "`pong`",
}

ERRORS: Final = {
    "hello": (
        "`hello.version` (then close 4002), `hello.token` and `hello.key` (then close 4001), `hello.again`; with "
        "a token also `store.unavailable` (then close 1011: reconnect). Any other first message gets `hello.first` "
        "(then close 4001)"
    ),
    "games": "none of its own",
    "rooms": (
        "`store.unavailable`, unless `live` is true: then the answer comes once the store is back; an unknown game has "
        "no rooms"
    ),
    "older": (
        "`room.unknown` if room `before` was in no list, or left the lists too long ago: continue after the room "
        "before it, or start again; `store.unavailable`"
    ),
    "create": (
        "`game.unknown`, `game.seats`, `game.options`, `room.options`, `watch.delay`, `room.limit`, `store.unavailable`"
    ),
    "quick": (
        "`game.unknown`, `game.seats`, `game.options`, `room.options` (also for a private room), `watch.delay`, "
        "`room.limit`, `store.unavailable`"
    ),
    "join": (
        "`room.unknown`, `rules.changed`, `rules.unavailable`, `room.full`, `room.kept`, `room.kicked`, "
        "`room.started`, `room.ended`, `room.limit`, `room.busy`, `room.moving`, `seat.taken`, `seat.unknown`, "
        "`seat.token`, `store.unavailable`"
    ),
    "watch": (
        "`room.unknown`, `rules.changed`, `rules.unavailable`, `watch.nobody`, `watch.seated`, `room.limit`, "
        "`room.busy`, `room.moving`, `store.unavailable`"
    ),
    "leave": "`room.unknown`, `room.not_here`, `room.busy`, `store.unavailable`",
    "start": (
        "`room.unknown`, `room.not_here`, `room.not_host`, `room.not_lobby`, `room.too_few`, `room.busy`, "
        "`game.options`, `store.unavailable`"
    ),
    "fill": (
        "`room.unknown`, `room.not_here`, `room.not_host`, `room.not_lobby`, `room.kept`, `room.busy`, `seat.unknown`, "
        "`seat.taken`, `bot.unknown`"
    ),
    "kick": (
        "`room.unknown`, `room.not_here`, `room.not_host`, `room.not_lobby`, `room.busy`, `seat.unknown`, `seat.none` "
        "(the seat is empty, or the host's own), `store.unavailable`"
    ),
    "act": (
        "in the verdict: `act.malformed`, `act.stale`, `act.clock_only`, `act.late`, `act.not_started`, `act.paused`, "
        "`act.busy`, `room.unknown`, `room.not_here`, `room.ended`, `seat.none`, `seat.out`, `seat.bot`, "
        "`store.unavailable`, and the [codes of the game](#codes-of-games)"
    ),
    "legal": "`room.unknown`, `room.not_here`, `room.ended`, `seat.none`, `seat.out`, `act.not_started`",
    "resync": "`room.unknown`, `room.not_here`",
    "resign": (
        "`room.unknown`, `room.not_here`, `room.ended`, `room.busy`, `seat.none`, `seat.out`, `act.not_started`, "
        "`store.unavailable`"
    ),
    "reclaim": (
        "`room.unknown`, `room.not_here`, `room.ended`, `room.busy`, `seat.none`, `seat.no_bot`, `seat.out`, "
        "`act.not_started`, `store.unavailable`"
    ),
    "offer": (
        "`room.unknown`, `room.not_here`, `room.ended`, `room.busy`, `room.no_pauses`, `offer.draw`, `offer.bots`, "
        "`offer.now`, `seat.none`, `seat.out`, `seat.bot`, `act.not_started`, `store.unavailable`"
    ),
    "say": "`room.unknown`, `room.not_here`, `room.busy`, `chat.off`, `chat.empty`, `chat.limit`, `chat.muted`",
    "mute": "`room.unknown`, `room.not_here`, `room.not_host`, `room.busy`, `chat.limit` (too many are muted already)",
    "matches": "`store.unavailable`; an unknown game, player or `before` has no matches",
    "replay": (
        "`replay.unknown`, `replay.running`, `replay.sealed`, `seat.none` (`own` for someone who did not play), "
        "`game.unknown` (a view of a match whose version of the game the server no longer has), `room.busy` (another "
        "part is on its way to this connection, or too many people ask for replays), `store.unavailable`"
    ),
    "ranking": "`store.unavailable`; an unknown game has no players",
    "work": "`claim.workers`",
    "claim": (
        "`claim.workers`, `claim.gone`, `room.unknown`, `room.limit`, `room.busy`, `room.moving`, `store.unavailable`"
    ),
    "ping": "none of its own",
}
