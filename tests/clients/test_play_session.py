"""Playing with typed input, against a scripted server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from console_double import Typist
from msgspec.structs import replace
from scripted_server import ABOUT, CLOCK, Peer, Script, scripted, snapshot
from wait_until import until

from warroom_client import Client, ClientError, Ended, Room
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.canonical import checksum
from warroom_terminal.play_session import PlaySession
from warroom_terminal.view_rendering import find_game

ROOM = 7
BID = {"type": "bid", "card": 3}
END = wire.Ended(ROOM, (2, 1), "victory", "00", "11", "", True)
NOTHING = checksum(None)
LATE = wire.Receipt(30_000, 60, 30_140, 30_150)


def seats(phase: str = "playing", room: int = ROOM, **changes: Any) -> wire.Seats:
    own = wire.SeatState(0, "ada", "Ada", True, False)
    other = replace(wire.SeatState(1, "bob", "Bob", True, False), **changes)
    return wire.Seats(room, phase, "ada", (own, other), 0)


async def ask(peer: Peer, turn: int = 1, deadline: int = 30_000) -> None:
    """Prompt the player for a decision, and answer with the legal actions."""
    await peer.send(wire.Prompt(ROOM, 0, turn, 0, deadline))
    legal = await peer.expect(wire.Legal)
    await peer.send(wire.LegalList(legal.ref, ROOM, turn, True, (BID, {"type": "peek"})))


async def grant(peer: Peer, kind: type[wire.ClientMessage]) -> wire.ClientMessage:
    """Expect a request and confirm it."""
    request = await peer.expect(kind)
    assert not isinstance(request, wire.Act)
    await peer.send(wire.Done(request.ref))
    return request


@asynccontextmanager
async def at_the_table(script: Script, typist: Typist, rooms: list[Room] | None = None) -> AsyncIterator[None]:
    """Run a player in the scripted room until the player quits."""

    async def greeted(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await script(peer)
        await peer.until_closed()

    find_game(ABOUT)  # the first look for the games takes a while, in which a countdown would run
    entered: list[Room] = [] if rooms is None else rooms
    async with scripted(greeted) as url, Client(url, name="Ada") as client:
        playing = PlaySession(client, typist, entered=entered.append, after=_after, elsewhere=_elsewhere)
        task = asyncio.create_task(playing.play(await client.join(ROOM)))
        try:
            yield
            playing.quit()
            await task
        finally:
            task.cancel()


def _after(room: Room, ended: Ended) -> list[str]:
    return [f"after {room.code}: {ended.reason}"]


def _elsewhere(room: Room) -> list[str]:
    return [f"elsewhere {room.code}"]


async def test_a_choice_is_shown_typed_and_played() -> None:
    typist = Typist()
    played = []

    async def script(peer: Peer) -> None:
        await peer.send(seats())
        await ask(peer)
        act = await peer.expect(wire.Act)
        played.append(bytes(act.action))
        events = ({"type": "revealed", "seat": 0, "card": 3}, {"type": "revealed", "seat": 1, "card": 5})
        await peer.send(wire.Update(ROOM, 2, [(("n",), 1)], events, CLOCK, None))
        await peer.send(wire.Verdict(ROOM, act.id, None, None, 2, 0, None), END)

    async with at_the_table(script, typist):
        await typist.sees("Your move, 30 s left:")
        await typist.sees("  1 bid card=3")
        await until(lambda: typist.prompt == "your move, 30 s")
        typist.type("1")
        await typist.sees("after 0000007: victory")
    assert played == [b"\x82\xa4card\x03\xa4type\xa3bid"]
    for line in ("revealed: you, card 3", "revealed: Bob, card 5", "you: bid card=3"):
        assert line in typist.lines
    over = typist.lines.index("Match over: Bob won.")
    assert typist.lines[over + 1 : over + 3] == ["  1. Bob", "  2. Ada (you)"]


async def test_refusals_have_code_detail_and_receipt() -> None:
    typist = Typist()

    async def script(peer: Peer) -> None:
        await peer.send(seats())
        await ask(peer)
        act = await peer.expect(wire.Act)
        refusal = wire.Verdict(ROOM, act.id, codes.ACT_LATE, "your move arrived too late", 1, 0, LATE)
        await peer.send(refusal, wire.Expired(ROOM, 0, 1, LATE))
        resign = await peer.expect(wire.Resign)
        await peer.send(wire.Error(resign.ref, codes.SEAT_OUT, "you are out"))

    async with at_the_table(script, typist):
        await typist.sees("Your move")
        typist.type("bid 4")
        await typist.sees("refused: your move arrived too late (act.late); your move arrived 140 ms after")
        await typist.sees("you missed your turn: your move arrived 140 ms after the deadline (lag credit 60 ms)")
        typist.type("/resign", "/resign", "2", "/frown", "/kick x", "/legal")
        await typist.sees("refused: you are out (seat.out)")
        await typist.sees("it is not your turn (/help lists the commands)")
        await typist.sees("unknown command /frown")
        await typist.sees("/kick needs the number of a seat")


async def test_every_order_goes_out() -> None:
    typist = Typist()
    asked: list[wire.ClientMessage] = []

    async def script(peer: Peer) -> None:
        await peer.send(seats("lobby", player=None, name="", connected=False))
        kinds = (wire.Say, wire.Fill, wire.Kick, wire.Start, wire.Offer, wire.Offer, wire.Offer, wire.Reclaim)
        asked.extend([await grant(peer, kind) for kind in kinds])

    async with at_the_table(script, typist):
        await until(lambda: typist.prompt == "1 of 2 seats taken")
        typist.type("'hello", "/fill greedy", "/kick 1", "/start", "/draw", "/pause", "/resume", "/reclaim")
        await until(lambda: len(asked) == 8)
        typist.type("/seats", "/help", "/more", "/board")
        await typist.sees("it is not your turn")
    say, fill, kick, _, *offers, _ = asked
    assert isinstance(say, wire.Say)
    assert isinstance(fill, wire.Fill)
    assert isinstance(kick, wire.Kick)
    assert (say.text, fill.bot, kick.seat) == ("hello", "greedy", 1)
    assert [offer.what for offer in offers if isinstance(offer, wire.Offer)] == ["draw", "pause", "resume"]
    assert "  0 Ada                  you, host" in typist.lines


async def test_what_could_not_be_sent_is_answered_at_the_table() -> None:
    typist = Typist()
    said: list[wire.ClientMessage] = []

    async def script(peer: Peer) -> None:
        await peer.send(seats())
        await ask(peer)
        said.append(await grant(peer, wire.Say))

    async with at_the_table(script, typist):
        await typist.sees("Your move")
        typist.type("bid 99999999999999999999999", "/kick 99999999999999999999999", f"/kick {'9' * 5000}", "/kick 2")
        typist.type(f"/say {'x' * 501}", "/say", f"/fill {'x' * 65}", f"/say {'y' * 500}")
        await until(lambda: len(said) == 1)
    assert "'99999999999999999999999': the number is too large; bid takes [card]; for example: bid 3" in typist.lines
    assert typist.lines.count("/kick needs the number of a seat (/seats shows them)") == 3
    assert "not sent: 501 characters, the maximum is 500" in typist.lines
    assert "/say needs a text" in typist.lines
    assert "a bot name has at most 64 characters" in typist.lines


async def test_input_during_a_break_is_answered_at_once() -> None:
    typist = Typist()

    async def script(peer: Peer) -> None:
        await peer.send(seats())
        await ask(peer)
        await peer.expect(wire.Act)
        await peer.socket.close(1012)

    async with at_the_table(script, typist):
        await typist.sees("Your move")
        typist.type("1")
        await typist.sees("reconnecting…")
        typist.type("2", "/help", "'hello")
        await typist.sees("not sent: the connection is down; try again once you are back in the room")
        await typist.sees("type the number of a choice")
        await typist.sees("not connected to ws://")


async def test_giving_up_is_asked_for_twice() -> None:
    typist = Typist()
    asked: list[wire.ClientMessage] = []

    async def script(peer: Peer) -> None:
        await peer.send(seats())
        asked.append(await grant(peer, wire.Say))
        asked.append(await grant(peer, wire.Resign))

    async with at_the_table(script, typist):
        typist.type("/resign", "'wait", "/resign")
        await until(lambda: typist.lines.count("type /resign again to confirm") == 2)
        typist.type("/resign")
        await until(lambda: len(asked) == 2)


async def test_after_the_end_nothing_can_be_given_up_or_played() -> None:
    typist = Typist()
    resigned: list[wire.ClientMessage] = []

    async def script(peer: Peer) -> None:
        await peer.send(seats(), END)
        resigned.append(await peer.expect(wire.Resign))

    async with at_the_table(script, typist):
        await typist.sees("Match over: Bob won.")
        typist.type("/resign", "/resign", "peek")
        await typist.sees("the match is over (/help lists the commands)")
    assert typist.lines.count("the match is over; you cannot resign") == 2
    assert "type /resign again to confirm" not in typist.lines
    assert resigned == []


async def test_what_each_choice_costs_is_asked_for_and_stands_beside_it() -> None:
    typist = Typist()
    asked: list[wire.Legal] = []

    async def script(peer: Peer) -> None:
        await peer.send(seats(), wire.Prompt(ROOM, 0, 1, 0, 30_000))
        asked.append(await peer.expect(wire.Legal))
        await peer.send(wire.LegalList(asked[0].ref, ROOM, 1, True, (BID, {"type": "peek"}), ("", "2 left → 1")))

    async with at_the_table(script, typist):
        await typist.sees("  2 peek · 2 left → 1")
    assert asked[0].notes
    assert any(line.startswith("  1 bid card=3") and "·" not in line.partition("2 peek")[0] for line in typist.lines)


async def test_choices_are_not_shown_once_they_are_over() -> None:
    typist = Typist()

    async def script(peer: Peer) -> None:
        await peer.send(seats())
        await ask(peer)
        act = await peer.expect(wire.Act)
        await peer.send(wire.Verdict(ROOM, act.id, None, None, 2, 0, None))

    async with at_the_table(script, typist):
        await typist.sees("Your move")
        typist.type("1")
        await typist.sees("you: bid card=3")
        typist.type("/legal", "/more")
        await until(lambda: typist.lines.count("it is not your turn") == 2)
    assert typist.lines.count("  1 bid card=3     2 peek") == 1


async def test_the_board_is_shown_when_a_match_begins_with_the_turn_of_others() -> None:
    typist = Typist()

    async def script(peer: Peer) -> None:
        await peer.send(wire.Snapshot(ROOM, 1, 0, 0, None, None, CLOCK, NOTHING, NOTHING), seats("lobby"))
        await until(lambda: typist.prompt == "2 of 2 seats taken")
        await peer.send(seats(), wire.Update(ROOM, 1, [[[], {"score": 41}]], (), None, None))
        await typist.sees("41")
        await peer.send(wire.Update(ROOM, 2, [[["score"], 42]], ({"type": "scored"},), None, None))

    async with at_the_table(script, typist):
        await typist.sees("scored")
    assert not any("42" in line for line in typist.lines)


async def test_who_is_out_of_the_match_is_no_longer_addressed_as_a_player() -> None:
    typist = Typist()

    async def script(peer: Peer) -> None:
        own = seats()
        await peer.send(own, replace(own, seats=(replace(own.seats[0], out=True), own.seats[1])))

    async with at_the_table(script, typist):
        await typist.sees("you are out of the match; stay and watch, or /quit")
        await until(lambda: typist.prompt.startswith("you are out; "))
        typist.type("peek", "/resign", "/legal")
        await typist.sees("you are out of the match (/help lists the commands)")
        await typist.sees("you are out of the match; you cannot resign")
        await until(lambda: "you are out of the match" in typist.lines)


async def test_colours_are_announced_once() -> None:
    typist = Typist()

    async def script(peer: Peer) -> None:
        colors = [(("colors",), ["red", "blue"])]
        await peer.send(seats(), wire.Update(ROOM, 2, colors, (), CLOCK, None))
        await peer.send(wire.Update(ROOM, 3, [(("n",), 1)], ({"type": "counted"},), CLOCK, None))

    async with at_the_table(script, typist):
        await typist.sees("counted")
    assert typist.lines.count("Ada (you) is red, Bob is blue") == 1


async def test_a_rematch_is_followed_to_its_own_room() -> None:
    typist = Typist()
    rooms: list[Room] = []

    async def script(peer: Peer) -> None:
        await peer.send(seats(), END, wire.Offers(ROOM, (("rematch", (1,)),)))
        await grant(peer, wire.Offer)
        await peer.send(wire.Moved(ROOM, 8, "0000008", None))
        join = await peer.expect(wire.Join)
        await peer.send(wire.Joined(join.ref, 8, "0000008", 1, 0, "seat", ABOUT), snapshot(8, None))
        await grant(peer, wire.Leave)
        await peer.send(seats("lobby", room=8), seats("playing", room=8))

    async with at_the_table(script, typist, rooms):
        await typist.sees("Bob offers a rematch (type /rematch to accept)")
        assert typist.prompt == "match over: /rematch or /quit"
        typist.type("/rematch")
        await typist.sees("the rematch is in room 0000008")
        await typist.sees("the match starts")
    assert [room.number for room in rooms] == [ROOM, 8]


async def test_a_console_without_a_countdown_is_warned_when_time_runs_out() -> None:
    typist = Typist()

    async def script(peer: Peer) -> None:
        await peer.send(seats())
        await ask(peer, deadline=3_400)

    async with at_the_table(script, typist):
        await typist.sees("3 s left")
    assert "5 s left" not in typist.lines


@pytest.mark.parametrize("typed", ["/quit", None])
async def test_quitting_and_the_end_of_the_input_end_it(typed: str | None) -> None:
    typist = Typist(ticks=True)

    async def script(peer: Peer) -> None:
        await peer.send(seats(), wire.Paused(ROOM, 0, codes.PAUSE_AGREED, 60_000))

    async with at_the_table(script, typist):
        await typist.sees("clock paused, for 60 s at most: agreed by the players")
        await until(lambda: typist.prompt == "paused")
        typist.type(typed)


async def test_a_stand_in_bot_is_announced_and_not_overruled() -> None:
    typist = Typist(ticks=True)
    own = wire.SeatState(0, "ada", "Ada", True, False, "greedy", True)

    async def script(peer: Peer) -> None:
        await peer.send(seats())
        await peer.send(wire.Seats(ROOM, "playing", None, (own, seats().seats[1]), 0))
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 30_000), wire.Said(ROOM, 1, "bob", "Bob", 1, "hello?"))
        await grant(peer, wire.Reclaim)
        await peer.send(seats())

    async with at_the_table(script, typist):
        await typist.sees("bot greedy plays for you; type /reclaim to take over again")
        await typist.sees("Bob: hello?")
        await until(lambda: typist.prompt == "a bot plays for you: /reclaim")
        typist.type("/reclaim")
        await typist.sees("you took over from the bot")
    assert not any("Your move" in line for line in typist.lines)


async def test_a_permanently_lost_room_ends_the_session() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.socket.close(codes.CLOSE_ROTATED)

    typist = Typist()
    async with scripted(script) as url, Client(url) as client:
        playing = PlaySession(client, typist, entered=lambda _: None, after=_after, elsewhere=_elsewhere)
        with pytest.raises(ClientError):
            await playing.play(await client.join(ROOM))
    assert not any("reconnecting…" in line for line in typist.lines)


async def test_a_line_of_help_is_there_for_every_order_and_the_rare_ones_go_out() -> None:
    typist = Typist()
    asked: list[wire.ClientMessage] = []

    async def script(peer: Peer) -> None:
        spectator = wire.Said(ROOM, None, "eve", "Eve", None, "psst")
        await peer.send(seats("lobby"), spectator)
        kinds = (wire.Fill, wire.Fill, wire.Mute, wire.Mute, wire.Mute, wire.Mute, wire.Offer)
        asked.extend([await grant(peer, kind) for kind in kinds])

    async with at_the_table(script, typist):
        await typist.sees("Eve (watching): psst")
        typist.type(
            "/fill 1", "/fill 1 greedy", "/mute 1", "/unmute Bob", "/silence Eve", "/unsilence Eve", "/draw off"
        )
        await until(lambda: len(asked) == 7)
        await typist.sees("Bob muted")
        await typist.sees("Eve muted for everybody")
        typist.type("/fill 9", "/mute 0", "/mute Ada", "/mute nobody", "/draw now", "/device")
        await typist.sees("/fill takes the number of a seat (/seats shows them), or nothing for all open seats")
        await until(lambda: sum("who? give a seat" in line for line in typist.lines) == 3)
        await typist.sees("/draw offers or accepts; /draw off withdraws")
        await typist.sees("elsewhere 0000007")
    assert [wire_fields(message) for message in asked] == [
        ("Fill", 1, None), ("Fill", 1, "greedy"),
        ("Mute", "bob", True, False), ("Mute", "bob", False, False), ("Mute", "eve", True, True),
        ("Mute", "eve", False, True), ("Offer", "draw", False),
    ]  # fmt: skip


def wire_fields(message: wire.ClientMessage) -> tuple[object, ...]:
    """Return the name of a message and its fields, its ref and room apart."""
    return type(message).__name__, *msgspec.structs.astuple(message)[2:]


async def test_a_rotation_is_saved_and_keeps_its_own_client_connected() -> None:
    typist = Typist()
    rooms: list[Room] = []
    hellos: list[wire.Hello] = []

    async def before(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(seats())
        await peer.until_closed()

    async def after(peer: Peer) -> None:
        hellos.append(await peer.welcome())
        await peer.resume(seats())
        await peer.until_closed()

    async with scripted(before, after) as url, Client(url, name="Ada") as client:
        playing = PlaySession(client, typist, entered=rooms.append, after=_after, elsewhere=_elsewhere)
        task = asyncio.create_task(playing.play(await client.join(ROOM)))
        typist.type("/rotate")
        await typist.sees("done: your older tokens no longer work")
        playing.quit()
        await task
    assert [hello.rotate for hello in hellos] == [True]
    assert len(rooms) == 2, "told again, so that the new token is kept"


async def test_choices_come_once_a_room_that_moved_is_entered_again() -> None:
    async def script(peer: Peer) -> None:
        await peer.send(seats(), wire.Prompt(ROOM, 0, 1, 0, 30_000))
        await peer.expect(wire.Legal)
        await peer.send(wire.Paused(ROOM, 0, codes.PAUSE_MOVING, None), wire.Notice(ROOM, codes.NOTICE_MOVED, "moved"))
        await peer.resume(seats(), wire.Prompt(ROOM, 0, 1, 0, 30_000), wire.Paused(ROOM, 0, None, None))
        legal = await peer.expect(wire.Legal)
        await peer.send(wire.LegalList(legal.ref, ROOM, 1, True, (BID, {"type": "peek"})))
        act = await peer.expect(wire.Act)
        await peer.send(wire.Verdict(ROOM, act.id, None, None, 1, 0, None), END)

    typist = Typist()
    async with at_the_table(script, typist):
        await typist.sees("clock paused: moving to another server")
        await typist.sees("  1 bid card=3")
        typist.type("1")
        await typist.sees("after 0000007: victory")
