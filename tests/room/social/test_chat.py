"""Chat: lines reach the right viewers, at a limited rate."""

import pytest
from room_table import ALICE, BOB, CAROL, SPECTATOR, Outcome, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS

from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.room import commands
from warroom_server.room.delayed_view import TAIL_MS
from warroom_server.room.handoff_state import MUTED
from warroom_server.room.social.chat import KEPT, LINES, WITHIN_MS

EVE = SPECTATOR + 1


def talking(**room_options: object) -> Table:
    """Return a match of two with two spectators."""
    table = Table.playing(SEALED_BIDS, room_options=room_options)
    table.watch(SPECTATOR)
    table.watch(EVE)
    return table


def say(table: Table, connection: int, text: str = "hello", player: str = "") -> Outcome:
    who = player or f"player {connection}"
    return table.request(commands.Say, connection, player=who, name=who.title(), text=text)


def heard(outcome: Outcome, connection: int) -> list[str]:
    return [message.text for message in outcome.sent(connection) if isinstance(message, wire.Said)]


def mute(table: Table, connection: int, player: str, *, on: bool = True, everybody: bool = False) -> Outcome:
    return table.request(commands.Mute, connection, player=player, on=on, everybody=everybody)


def refusal(outcome: Outcome, connection: int) -> str:
    return only(outcome.sent(connection), wire.Error).code


def test_everybody_hears_a_player() -> None:
    table = talking()
    table.now = 700
    outcome = say(table, ALICE)
    assert [heard(outcome, viewer) for viewer in (ALICE, BOB, SPECTATOR, EVE)] == [["hello"]] * 4
    said = only(outcome.sent(BOB), wire.Said)
    assert (said.player, said.name, said.seat, said.at) == ("alice", "Alice", 0, 700)
    assert kinds(outcome.sent(ALICE))[:2] == ["Said", "Done"]


def test_only_spectators_hear_a_spectator() -> None:
    outcome = say(talking(), SPECTATOR, player="sam")
    assert [heard(outcome, viewer) for viewer in (ALICE, BOB, SPECTATOR, EVE)] == [[], [], ["hello"], ["hello"]]
    said = only(outcome.sent(EVE), wire.Said)
    assert (said.player, said.name, said.seat, said.at) == ("sam", "Sam", None, None)


@pytest.mark.parametrize(
    ("room_options", "connection", "text", "code"),
    [
        pytest.param({"chat": False}, ALICE, "hello", codes.CHAT_OFF, id="in a silent room"),
        pytest.param({}, CAROL, "hello", codes.ROOM_NOT_HERE, id="from outside"),
        pytest.param({}, ALICE, "", codes.CHAT_EMPTY, id="nothing"),
    ],
)
def test_a_line_that_cannot_be_said_is_refused(
    room_options: dict[str, object], connection: int, text: str, code: str
) -> None:
    outcome = say(talking(**room_options), connection, text)
    assert refusal(outcome, connection) == code
    assert len(outcome.messages) == 1


def test_nobody_says_too_much_at_a_time() -> None:
    table = talking()
    for _ in range(LINES):
        assert heard(say(table, ALICE), BOB)
    outcome = say(table, ALICE)
    assert (refusal(outcome, ALICE), heard(outcome, BOB)) == (codes.CHAT_LIMIT, [])
    assert heard(say(table, BOB), ALICE)
    table.now += WITHIN_MS
    assert heard(say(table, ALICE), BOB)


def test_whoever_comes_in_is_told_what_was_said_last() -> None:
    table = talking()
    for line in range(KEPT + 2):
        table.now += WITHIN_MS
        say(table, ALICE, f"line {line}")
    say(table, SPECTATOR, "psst")
    table.detach(BOB)
    assert heard(table.join(BOB), BOB) == [f"line {line}" for line in range(2, KEPT + 2)]
    assert heard(table.watch(EVE + 1), EVE + 1) == [*(f"line {line}" for line in range(3, KEPT + 2)), "psst"]


def test_a_viewer_may_stop_hearing_somebody() -> None:
    table = talking()
    assert kinds(mute(table, BOB, "alice").sent(BOB)) == ["Done"]
    outcome = say(table, ALICE)
    assert (heard(outcome, BOB), heard(outcome, EVE)) == ([], ["hello"])
    mute(table, BOB, "alice", on=False)
    assert heard(say(table, ALICE), BOB) == ["hello"]


def test_the_host_may_silence_somebody_for_everybody() -> None:
    table = talking()
    assert refusal(mute(table, BOB, "alice", everybody=True), BOB) == codes.ROOM_NOT_HOST
    mute(table, ALICE, "sam", everybody=True)
    assert refusal(say(table, SPECTATOR, player="sam"), SPECTATOR) == codes.CHAT_MUTED
    assert heard(say(table, EVE), SPECTATOR) == ["hello"]
    mute(table, ALICE, "bob", everybody=True)
    assert refusal(say(table, BOB), BOB) == codes.CHAT_MUTED
    mute(table, ALICE, "bob", everybody=True, on=False)
    assert heard(say(table, BOB), ALICE) == ["hello"]


def test_nobody_mutes_without_end_or_from_outside() -> None:
    table = talking()
    assert refusal(mute(table, CAROL, "alice"), CAROL) == codes.ROOM_NOT_HERE
    for number in range(MUTED):
        mute(table, BOB, f"player {number}")
    assert refusal(mute(table, BOB, "alice"), BOB) == codes.CHAT_LIMIT


def test_whom_a_player_muted_is_not_heard_after_a_lost_line() -> None:
    table = talking()
    mute(table, BOB, "alice")
    table.detach(BOB)
    say(table, ALICE, "meanwhile")
    assert heard(table.join(BOB), BOB) == []
    assert heard(say(table, ALICE), BOB) == []


def test_whom_a_player_muted_is_heard_on_no_connection_until_one_takes_it_back() -> None:
    table = talking()
    second = EVE + 1
    mute(table, BOB, "alice")
    table.join(BOB, connection=second)
    outcome = say(table, ALICE)
    assert (heard(outcome, BOB), heard(outcome, second)) == ([], [])
    mute(table, second, "alice", on=False)
    outcome = say(table, ALICE)
    assert (heard(outcome, BOB), heard(outcome, second)) == (["hello"], ["hello"])


def test_whom_a_player_muted_is_heard_again_by_one_who_left_the_place_and_took_it_again() -> None:
    table = Table(SEALED_BIDS, seats=3)
    for player in (ALICE, BOB):
        table.join(player)
    mute(table, BOB, "alice")
    table.request(commands.Leave, BOB)
    table.join(BOB)
    assert heard(say(table, ALICE), BOB) == ["hello"]


def test_whoever_is_sent_away_and_stays_as_a_spectator_hears_nobody_who_was_muted() -> None:
    table = Table(SEALED_BIDS, seats=3)
    for player in (ALICE, BOB):
        table.join(player)
    mute(table, BOB, "alice")
    table.request(commands.Kick, ALICE, seat=1)
    assert heard(say(table, ALICE), BOB) == []
    table.detach(BOB)
    table.watch(BOB)
    assert heard(say(table, ALICE), BOB) == ["hello"]


def test_whom_a_spectator_muted_is_heard_again_after_a_lost_line() -> None:
    table = talking()
    mute(table, EVE, "alice")
    assert heard(say(table, ALICE), EVE) == []
    table.detach(EVE)
    table.watch(EVE)
    assert heard(say(table, ALICE), EVE) == ["hello"]


def test_several_connections_of_a_player_mute_no_more_than_one() -> None:
    table = talking()
    table.join(BOB, connection=EVE + 1)
    for number in range(MUTED):
        mute(table, (BOB, EVE + 1)[number % 2], f"player {number}")
    assert refusal(mute(table, BOB, "alice"), BOB) == codes.CHAT_LIMIT


def handed_over(table: Table) -> Table:
    """Restore a match on another node, to which everybody returns."""
    table.hand_over()
    for player in (ALICE, BOB):
        table.join(player)
    for viewer in (SPECTATOR, EVE):
        table.watch(viewer)
    return table


def test_whom_a_player_muted_is_not_heard_with_the_next_owner() -> None:
    table = talking()
    mute(table, BOB, "alice")
    mute(table, EVE, "alice")
    outcome = say(handed_over(table), ALICE)
    assert [heard(outcome, viewer) for viewer in (BOB, SPECTATOR, EVE)] == [[], ["hello"], ["hello"]]
    mute(table, BOB, "alice", on=False)
    assert heard(say(handed_over(table), ALICE), BOB) == ["hello"]


def test_whom_the_host_silenced_is_silent_with_the_next_owner() -> None:
    table = talking()
    for player in ("bob", "sam"):
        mute(table, ALICE, player, everybody=True)
    handed_over(table)
    assert refusal(say(table, BOB), BOB) == codes.CHAT_MUTED
    assert refusal(say(table, SPECTATOR, player="sam"), SPECTATOR) == codes.CHAT_MUTED
    mute(table, ALICE, "bob", on=False, everybody=True)
    assert heard(say(handed_over(table), BOB), ALICE) == ["hello"]


def test_everybody_is_heard_again_after_a_crash() -> None:
    table = talking()
    mute(table, ALICE, "bob")
    mute(table, ALICE, "bob", everybody=True)
    table.restart()
    for player in (ALICE, BOB):
        table.join(player)
    assert heard(say(table, BOB), ALICE) == ["hello"]


def test_little_goes_along_however_much_was_muted() -> None:
    table = talking()
    mute(table, BOB, "alice")
    for number in range(MUTED):
        mute(table, BOB, f"player {number}")
        mute(table, ALICE, f"player {number}", everybody=True)
    mutes = table.room.handoff_state(table.now).mutes
    assert (len(mutes.silenced), mutes.by_player) == (MUTED, {"bob": ("alice",)})


def test_delayed_spectators_hear_players_with_the_turn() -> None:
    table = talking(delay=1)
    outcome = say(table, ALICE)
    assert [heard(outcome, viewer) for viewer in (BOB, SPECTATOR)] == [["hello"], []]
    assert heard(say(table, EVE, "psst"), SPECTATOR) == ["psst"]


def resigned(table: Table) -> Table:
    """Return a match that has ended for its players, but not yet for delayed spectators."""
    table.request(commands.Resign, BOB)
    assert (table.room.is_over, table.room.is_publicly_over) == (True, False)
    return table


def test_what_players_say_after_the_end_is_heard_with_the_end() -> None:
    table = resigned(talking(delay=2))
    outcome = say(table, ALICE, "well played")
    assert [heard(outcome, viewer) for viewer in (BOB, SPECTATOR)] == [["well played"], []]
    assert heard(table.expire(TAIL_MS - 1), SPECTATOR) == []
    last = table.expire(TAIL_MS)
    assert table.room.is_publicly_over
    assert heard(last, SPECTATOR) == ["well played"]
    assert kinds(last.sent(SPECTATOR)).index("Ended") < kinds(last.sent(SPECTATOR)).index("Said")


def test_nothing_is_held_back_once_spectators_have_seen_the_end() -> None:
    table = resigned(talking(delay=1))
    table.expire(10_000)
    assert table.room.is_publicly_over
    assert heard(say(table, ALICE, "well played"), SPECTATOR) == ["well played"]


def test_of_one_turn_delayed_spectators_hear_only_so_many_lines() -> None:
    table = Table.playing(SEALED_BIDS, turn_ms=3_600_000, room_options={"delay": 1})
    table.watch(SPECTATOR)
    for number in range(2 * KEPT):
        table.now += WITHIN_MS
        say(table, ALICE, f"line {number}")
    resigned(table)
    assert table.room.wake_at is not None
    last = table.expire(table.room.wake_at)
    assert heard(last, SPECTATOR) == [f"line {number}" for number in range(KEPT, 2 * KEPT)]


def test_before_the_match_nothing_is_held_back() -> None:
    table = Table(SEALED_BIDS, room_options={"delay": 1})
    table.watch(SPECTATOR)
    table.join(ALICE)
    assert heard(say(table, ALICE), SPECTATOR) == ["hello"]
