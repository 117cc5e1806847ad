"""One connection's conversation, told as messages in and effects out."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, msgpack

from warroom_protocol import codes
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import (
    Act,
    ClientMessage,
    Create,
    Error,
    Games,
    Hello,
    Join,
    Leave,
    Legal,
    Notice,
    Older,
    Ping,
    Pong,
    Position,
    Resign,
    Resync,
    Rooms,
    ServerMessage,
    Start,
    Watch,
    Welcome,
)
from warroom_server.hosting.connections import HELLO_MS
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Local
from warroom_server.session.effects import (
    Close,
    Confirm,
    Errand,
    Reply,
    SessionEffect,
    ToRoom,
    Wait,
)
from warroom_server.session.limits import Limits
from warroom_server.session.session import CONFIRMING_MS, LOOKUPS, Session
from warroom_server.session.signer import Identity, Signer

SIGNER = Signer(b"s" * 32)
CONNECTION = 3
ROOM = 77
FIRST_PLAYER = "aaaaaaaaaaaaaaab"
ADA = Identity("ada", 2)
PASS = b"\x81\xa4type\xa4pass"


class Counting:
    """Entropy that tests can foresee: 1, 2, 3, ..."""

    def __init__(self) -> None:
        self._count = 0

    def bytes(self, count: int) -> bytes:
        self._count += 1
        return self._count.to_bytes(count, "big")


def new_session(limits: Limits | None = None) -> Session:
    return Session(CONNECTION, signer=SIGNER, entropy=Counting(), limits=limits or Limits(), server="warroom/test")


def say(session: Session, message: ClientMessage, now: int = 0) -> list[SessionEffect]:
    return session.receive(encode(message), now=now, arrived=now)


def replies(effects: Sequence[SessionEffect]) -> list[ServerMessage]:
    return [decode_server(effect.payload) for effect in effects if isinstance(effect, Reply)]


def greeted(limits: Limits | None = None) -> Session:
    session = new_session(limits)
    say(session, Hello(1, (1,), "Ada"))
    return session


def error_of(effects: Sequence[SessionEffect]) -> Error:
    (reply,) = replies(effects)
    assert isinstance(reply, Error)
    return reply


class TestHello:
    def test_a_newcomer_gets_an_identity_and_a_token_for_it(self) -> None:
        session = new_session()
        effects = say(session, Hello(9, (1,), "  Ada\u202e "))
        (welcome,) = replies(effects)
        assert isinstance(welcome, Welcome)
        assert (welcome.ref, welcome.version, welcome.name, welcome.server) == (9, 1, "Ada", "warroom/test")
        assert SIGNER.identity_of(welcome.token) == session.identity
        assert welcome.player == session.player

    def test_the_token_brings_the_same_player_back(self) -> None:
        hello = Hello(1, (1,), "Ada", SIGNER.identity_token(ADA))
        session = new_session()
        assert say(session, hello) == [Confirm(ADA, hello)]
        assert session.player is None
        session.confirmed(Confirm(ADA, hello), is_valid=True)
        assert session.identity == ADA

    def test_a_token_that_was_rotated_away_is_refused(self) -> None:
        hello = Hello(1, (1,), "Ada", SIGNER.identity_token(ADA))
        session = new_session()
        say(session, hello)
        effects = session.confirmed(Confirm(ADA, hello), is_valid=False)
        assert error_of(effects).code == codes.HELLO_TOKEN
        assert effects[-1] == Close(codes.CLOSE_HELLO, codes.CLOSES[codes.CLOSE_HELLO])

    def test_whoever_rotates_gets_a_token_of_the_next_generation(self) -> None:
        hello = Hello(2**52, (1,), "Ada", SIGNER.identity_token(ADA), rotate=True)
        session = new_session()
        say(session, hello)
        (welcome,) = replies(session.confirmed(Confirm(ADA, hello), is_valid=True))
        assert isinstance(welcome, Welcome)
        assert SIGNER.identity_of(welcome.token) == Identity(ADA.player, ADA.generation + 1)

    def test_a_rotation_under_a_ref_that_can_be_guessed_is_refused(self) -> None:
        session = new_session()
        effects = say(session, Hello(2**32 - 1, (1,), "Ada", SIGNER.identity_token(ADA), rotate=True))
        assert error_of(effects).code == codes.MESSAGE_INVALID
        assert effects[-1] == Close(codes.CLOSE_HELLO, codes.CLOSES[codes.CLOSE_HELLO])

    def test_what_comes_before_the_token_is_looked_up_waits_for_it(self) -> None:
        hello = Hello(1, (1,), "Ada", SIGNER.identity_token(ADA))
        session = new_session()
        say(session, hello)
        assert say(session, Ping(2)) == [Wait(CONFIRMING_MS)]
        assert say(session, Games(3)) == [Wait(2 * CONFIRMING_MS)]
        effects = session.confirmed(Confirm(ADA, hello), is_valid=True)
        assert replies(effects[:2])[-1] == Pong(2)
        assert effects[-1] == Errand(Games(3), "ada")

    def test_whoever_talks_on_without_a_welcome_is_read_less_and_less(self) -> None:
        session, now, held = new_session(), 0, 0
        say(session, Hello(1, (1,), "Ada", SIGNER.identity_token(ADA)))
        while now < HELLO_MS:
            (wait,) = say(session, Ping(held), now)
            assert isinstance(wait, Wait)
            now, held = now + wait.ms, held + 1
        assert held == 8

    def test_early_messages_count_when_they_come_and_not_again_when_they_are_answered(self) -> None:
        limits = Limits(messages_per_s=1, messages_burst=2)
        hello = Hello(1, (1,), "Ada", SIGNER.identity_token(ADA))
        session = new_session(limits)
        say(session, hello)
        assert [say(session, Ping(ref)) for ref in (2, 3)] == [[Wait(CONFIRMING_MS)], [Wait(1000)]]
        effects = session.confirmed(Confirm(ADA, hello), is_valid=True)
        assert replies(effects)[1:] == [Pong(2), Pong(3)]
        assert say(session, Ping(4), now=2000) == [Reply(encode(Pong(4)))]

    def test_after_an_early_message_that_ends_the_conversation_nothing_is_answered(self) -> None:
        hello = Hello(1, (1,), "Ada", SIGNER.identity_token(ADA))
        session = new_session()
        say(session, hello)
        session.receive(b"\xc1", now=0, arrived=0)
        say(session, Ping(2))
        effects = session.confirmed(Confirm(ADA, hello), is_valid=True)
        assert isinstance(effects[-1], Close)
        assert not [reply for reply in replies(effects) if isinstance(reply, Pong)]

    def test_whoever_has_no_visible_name_gets_one(self) -> None:
        session = new_session()
        say(session, Hello(1, (1,), "\u200b"))
        assert session.player is not None
        assert session.name == f"Player {session.player[:4]}"

    def test_a_second_hello_is_refused_and_changes_nothing(self) -> None:
        session = greeted()
        player = session.player
        refused = error_of(say(session, Hello(2, (1,), "Eve")))
        assert (refused.ref, refused.code) == (2, codes.HELLO_AGAIN)
        assert (session.player, session.name) == (player, "Ada")

    @pytest.mark.parametrize(
        ("first", "ref", "code", "close"),
        [
            pytest.param(Hello(4, (1,), "A", "x.y"), 4, codes.HELLO_TOKEN, codes.CLOSE_HELLO, id="a forged token"),
            pytest.param(Games(4), 4, codes.HELLO_FIRST, codes.CLOSE_HELLO, id="another message first"),
            pytest.param(Act(1, 2, 3, Raw(PASS)), None, codes.HELLO_FIRST, codes.CLOSE_HELLO, id="an action first"),
        ],
    )
    def test_a_bad_beginning_is_answered_and_closed(
        self, first: ClientMessage, ref: int | None, code: str, close: int
    ) -> None:
        session = new_session()
        effects = say(session, first)
        refused = error_of(effects)
        assert (refused.ref, refused.code) == (ref, code)
        assert effects[-1] == Close(close, codes.CLOSES[close])
        assert say(session, Hello(5, (1,), "Ada")) == []

    @pytest.mark.parametrize(
        "hello",
        [
            pytest.param(encode(Hello(4, (7, 8), "Ada")), id="no common version"),
            pytest.param(msgpack.encode(["hello", 4, [7, 8], {}]), id="of other fields"),
        ],
    )
    def test_a_hello_of_other_versions_is_answered_and_closed_with_those_of_both_sides(self, hello: bytes) -> None:
        session = new_session()
        effects = session.receive(hello, now=0, arrived=0)
        refused = error_of(effects)
        assert (refused.ref, refused.code) == (4, codes.HELLO_VERSION)
        assert refused.detail == "the server speaks protocol 1, the client 7, 8: update the server"
        assert effects[-1] == Close(codes.CLOSE_VERSION, refused.detail)
        assert say(session, Hello(5, (1,), "Ada")) == []


class TestRouting:
    @pytest.mark.parametrize(
        ("message", "effect"),
        [
            pytest.param(Games(4), Errand(Games(4), FIRST_PLAYER), id="games"),
            pytest.param(Rooms(4, "chess"), Errand(Rooms(4, "chess"), FIRST_PLAYER), id="rooms"),
            pytest.param(Older(4, 7, "chess"), Errand(Older(4, 7, "chess"), FIRST_PLAYER), id="older"),
            pytest.param(
                Watch(4, ROOM, Position(1, 2, 3)),
                ToRoom(ROOM, commands.Watch(Local(CONNECTION), 4, Position(1, 2, 3), FIRST_PLAYER, "Ada")),
                id="watch",
            ),
            pytest.param(Leave(4, ROOM), ToRoom(ROOM, commands.Leave(Local(CONNECTION), 4)), id="leave"),
            pytest.param(Start(4, ROOM), ToRoom(ROOM, commands.Start(Local(CONNECTION), 4)), id="start"),
            pytest.param(Legal(4, ROOM), ToRoom(ROOM, commands.Legal(Local(CONNECTION), 4)), id="legal"),
            pytest.param(
                Legal(4, ROOM, notes=True),
                ToRoom(ROOM, commands.Legal(Local(CONNECTION), 4, notes=True)),
                id="legal, noted",
            ),
            pytest.param(Resign(4, ROOM), ToRoom(ROOM, commands.Resign(Local(CONNECTION), 4)), id="resign"),
            pytest.param(
                Resync(4, ROOM, "gap"), ToRoom(ROOM, commands.Resync(Local(CONNECTION), 4, "gap")), id="resync"
            ),
        ],
    )
    def test_a_request_goes_where_it_belongs(self, message: ClientMessage, effect: SessionEffect) -> None:
        assert say(greeted(), message) == [effect]

    def test_a_ping_is_answered_at_once(self) -> None:
        assert replies(say(greeted(), Ping(4))) == [Pong(4)]

    def test_a_creation_carries_the_player(self) -> None:
        session = greeted()
        assert session.player is not None
        create = Create(4, "chess", 2, {"board": 8}, {"turn_ms": 500})
        assert say(session, create) == [Errand(create, session.player)]

    def test_an_action_keeps_its_time_of_arrival(self) -> None:
        effects = greeted().receive(encode(Act(ROOM, 11, 12, Raw(PASS))), now=900, arrived=850)
        assert effects == [ToRoom(ROOM, commands.Act(Local(CONNECTION), 11, 12, PASS, 850))]

    def test_a_player_joins_as_itself_with_a_token_for_the_seat(self) -> None:
        session = greeted()
        assert session.identity is not None
        token = SIGNER.seat_token(ROOM, session.identity)
        joined = commands.Join(Local(CONNECTION), 4, session.identity.player, "Ada", 1, token, None)
        assert say(session, Join(4, ROOM, 1)) == [ToRoom(ROOM, joined)]

    def test_a_seat_token_lets_its_holder_join_as_that_player(self) -> None:
        session, join = greeted(), Join(4, ROOM, seat_token=SIGNER.seat_token(ROOM, ADA))
        assert say(session, join) == [Confirm(ADA, join)]
        (effect,) = session.confirmed(Confirm(ADA, join), is_valid=True)
        assert isinstance(effect, ToRoom)
        assert isinstance(effect.command, commands.Join)
        assert (effect.command.player, effect.command.seat_token) == (ADA.player, join.seat_token)
        assert ADA in session.identities
        session.forget(ROOM)
        assert ADA not in session.identities

    def test_a_seat_token_that_was_rotated_away_is_refused(self) -> None:
        session, join = greeted(), Join(4, ROOM, seat_token=SIGNER.seat_token(ROOM, ADA))
        say(session, join)
        refused = error_of(session.confirmed(Confirm(ADA, join), is_valid=False))
        assert (refused.ref, refused.code) == (4, codes.SEAT_TOKEN)
        assert ADA not in session.identities

    def test_a_seat_token_that_nobody_can_look_up_is_refused_once(self) -> None:
        session, join = greeted(), Join(4, ROOM, seat_token=SIGNER.seat_token(ROOM, ADA))
        say(session, join)
        refused = error_of(session.unconfirmed(Confirm(ADA, join), codes.STORE_UNAVAILABLE))
        assert (refused.ref, refused.code) == (4, codes.STORE_UNAVAILABLE)
        assert session.unconfirmed(Confirm(ADA, join), codes.INTERNAL) == []

    def test_a_token_that_is_known_by_now_is_not_refused(self) -> None:
        hello = Hello(1, (1,), "Ada", SIGNER.identity_token(ADA))
        session = new_session()
        say(session, hello)
        session.confirmed(Confirm(ADA, hello), is_valid=True)
        assert session.unconfirmed(Confirm(ADA, hello), codes.INTERNAL) == []

    def test_only_so_many_seat_tokens_are_looked_into_at_a_time(self) -> None:
        session, join = greeted(), Join(4, ROOM, seat_token=SIGNER.seat_token(ROOM, ADA))
        asked = Confirm(ADA, join)
        assert [say(session, join) for _ in range(LOOKUPS)] == [[asked]] * LOOKUPS
        assert error_of(say(session, join)).code == codes.ROOM_BUSY
        session.confirmed(asked, is_valid=False)
        assert say(session, join) == [asked]

    def test_an_own_seat_token_of_an_earlier_generation_is_refused(self) -> None:
        session = greeted()
        assert session.player is not None
        token = SIGNER.seat_token(ROOM, Identity(session.player, 7))
        assert error_of(say(session, Join(4, ROOM, seat_token=token))).code == codes.SEAT_TOKEN

    def test_a_seat_token_of_another_room_is_refused(self) -> None:
        session = greeted()
        refused = error_of(say(session, Join(4, ROOM, seat_token=SIGNER.seat_token(ROOM + 1, ADA))))
        assert (refused.ref, refused.code) == (4, codes.SEAT_TOKEN)
        assert session.following == set()

    def test_a_connection_follows_no_more_rooms_than_it_may(self) -> None:
        session = greeted(Limits(rooms_per_connection=2))
        say(session, Watch(4, 1))
        say(session, Join(5, 2))
        refused = error_of(say(session, Watch(6, 3)))
        assert (refused.ref, refused.code) == (6, codes.ROOM_LIMIT)
        assert session.following == {1, 2}
        assert isinstance(say(session, Join(7, 1))[0], ToRoom)
        session.forget(1)
        assert isinstance(say(session, Watch(8, 3))[0], ToRoom)

    def test_a_room_that_went_away_counts_as_followed_until_it_is_entered_again_or_given_up(self) -> None:
        session = greeted(Limits(rooms_per_connection=2))
        for room in (1, 2):
            say(session, Watch(4, room))
            session.entered(room)
        session.lose(1)
        assert (session.following, session.inside, session.lost) == (frozenset({1, 2}), (2,), (1,))
        assert error_of(say(session, Watch(5, 3))).code == codes.ROOM_LIMIT
        say(session, Watch(6, 1))
        session.entered(1)
        assert (session.inside, session.lost) == ((2, 1), ())
        session.lose(1)
        session.forget(1)
        assert (session.following, session.lost) == (frozenset({2}), ())


class TestNonsense:
    def test_malformed_bytes_are_answered_and_closed(self) -> None:
        session = greeted()
        effects = session.receive(b"\xc1", now=0, arrived=0)
        assert error_of(effects).code == codes.MESSAGE_MALFORMED
        assert effects[-1] == Close(codes.CLOSE_MALFORMED, codes.CLOSES[codes.CLOSE_MALFORMED])
        assert say(session, Ping(1)) == []

    def test_an_unknown_message_is_refused_and_the_connection_stays(self) -> None:
        session = greeted()
        refused = error_of(session.receive(b"\x92\xa5dance\x07", now=0, arrived=0))
        assert (refused.ref, refused.code) == (7, codes.MESSAGE_UNKNOWN)
        assert replies(say(session, Ping(1))) == [Pong(1)]

    def test_an_unknown_message_in_place_of_hello_closes(self) -> None:
        effects = new_session().receive(b"\x92\xa5dance\x07", now=0, arrived=0)
        assert effects[-1] == Close(codes.CLOSE_HELLO, codes.CLOSES[codes.CLOSE_HELLO])

    def test_a_request_with_a_wrong_word_is_refused_and_the_connection_stays(self) -> None:
        session = greeted()
        refused = error_of(session.receive(b"\x94\xa5offer\x07\x01\xa4cake", now=0, arrived=0))
        assert (refused.ref, refused.code) == (7, codes.MESSAGE_INVALID)
        assert refused.detail == "what of offer cannot be 'cake'; allowed: draw, pause, rematch, resume"
        assert replies(say(session, Ping(1))) == [Pong(1)]

    def test_an_action_with_a_field_that_cannot_be_so_goes_to_its_room_for_the_one_verdict(self) -> None:
        (effect,) = greeted().receive(b"\x95\xa3act\x07\x0b\xa3now\x80", now=0, arrived=850)
        problem = f"turn of act cannot be a text of 3 characters; allowed: whole numbers from 0 to {2**53 - 1}"
        assert effect == ToRoom(7, commands.Act(Local(CONNECTION), 11, 0, b"", 850, problem))

    @pytest.mark.parametrize(
        "frame", [b"\x94\xa5offer\x07\x01\xa4cake", b"\x95\xa3act\x07\x0b\xa3now\x80"], ids=["a request", "an action"]
    )
    def test_a_field_that_cannot_be_so_in_place_of_hello_closes(self, frame: bytes) -> None:
        effects = new_session().receive(frame, now=0, arrived=0)
        assert error_of(effects).code == codes.MESSAGE_INVALID
        assert effects[-1] == Close(codes.CLOSE_HELLO, codes.CLOSES[codes.CLOSE_HELLO])

    def test_wrong_messages_without_end_are_slowed_down_like_any_flood(self) -> None:
        session = greeted(Limits(messages_per_s=10, messages_burst=1))
        assert session.receive(b"\x94\xa5offer\x07\x01\xa4cake", now=0, arrived=0)[-1] == Wait(100)

    def test_an_oversized_message_is_answered_and_closed(self) -> None:
        effects = greeted().receive(b"\xc4" + b"x" * 5000, now=0, arrived=0)
        assert error_of(effects).code == codes.MESSAGE_TOO_LARGE
        assert effects[-1] == Close(codes.CLOSE_TOO_LARGE, codes.CLOSES[codes.CLOSE_TOO_LARGE])

    @given(st.lists(st.binary(max_size=600), min_size=1, max_size=8))
    def test_random_bytes_never_raise_and_are_answered_in_order(self, frames: list[bytes]) -> None:
        session = greeted()
        closed = False
        for frame in frames:
            effects = session.receive(frame, now=0, arrived=0)
            assert bool(effects) != closed
            closed = closed or any(isinstance(effect, Close) for effect in effects)

    @given(st.sampled_from([Hello(1, (1,), "Ada"), Join(4, ROOM, 1), Create(4, "chess")]), st.data())
    def test_a_damaged_message_never_raises(self, message: ClientMessage, data: st.DataObject) -> None:
        frame = bytearray(encode(message))
        index = data.draw(st.integers(0, len(frame) - 1))
        frame[index] = data.draw(st.integers(0, 255))
        assert greeted().receive(bytes(frame), now=0, arrived=0) != []


class TestLimits:
    def test_too_many_messages_are_served_late_not_dropped(self) -> None:
        session = greeted(Limits(messages_per_s=10, messages_burst=2))
        say(session, Ping(1))
        effects = say(session, Ping(2))
        assert replies(effects)[0] == Pong(2)
        assert effects[-1] == Wait(100)

    @pytest.mark.parametrize(
        ("request_", "cost"),
        [
            pytest.param(Create(1, "chess"), 10, id="create"),
            pytest.param(Rooms(1), 5, id="rooms"),
            pytest.param(Older(1, 7), 5, id="older"),
            pytest.param(Games(1), 5, id="games"),
            pytest.param(Join(1, ROOM), 2, id="join"),
            pytest.param(Watch(1, ROOM), 2, id="watch"),
            pytest.param(Resync(1, ROOM, codes.VIEW_GAP), 2, id="resync"),
            pytest.param(Legal(1, ROOM), 2, id="legal"),
            pytest.param(Act(ROOM, 1, 1, Raw(PASS)), 1, id="act"),
            pytest.param(Ping(1), 1, id="ping"),
        ],
    )
    def test_what_is_much_work_counts_as_several_messages(self, request_: ClientMessage, cost: int) -> None:
        session = greeted(Limits(messages_per_s=10, messages_burst=1))
        assert say(session, request_)[-1] == Wait(cost * 100)

    def test_a_flood_is_read_at_the_rate_for_as_long_as_it_lasts(self) -> None:
        session, now, answers = greeted(Limits(messages_per_s=10, messages_burst=2)), 0, 0
        while now < 3_600_000:
            *_, wait = effects = say(session, Ping(1), now)
            answers += sum(1 for effect in effects if effect == Reply(encode(Pong(1))))
            now += wait.ms if isinstance(wait, Wait) else 0
        assert answers == 36_000 + 1, "the hello was the other one of the burst"

    def test_whoever_is_held_back_is_told_so_once(self) -> None:
        session = greeted(Limits(messages_per_s=10, messages_burst=2))
        assert say(session, Ping(1)) == [Reply(encode(Pong(1)))]
        told = [say(session, Ping(2), now) for now in (0, 0, 5_000, 5_000, 5_000)]
        notice = Notice(None, codes.NOTICE_RATE, codes.NOTICES[codes.NOTICE_RATE])
        assert [effect for effects in told for effect in effects].count(Reply(encode(notice))) == 1
