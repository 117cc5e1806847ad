"""Rules that changed without a new version: the matches that they do not fit end, and everybody learns why."""

from collections.abc import Awaitable, Callable

import pytest
from linked_nodes import let_pass, meet, seat_two
from manual_time import ManualTime
from memory_links import Network
from msgspec import Raw
from msgspec.structs import replace
from sealed_bids import GAME, Action, Bid, Options, Peek, SealedBids, State
from small_node import GAMES, FickleStore, LittleNode, NotedConnection, token_of, verdict_of
from stored_matches import EPOCH, OWNER, append_raw, long_match, started, write_match
from wait_until import until

from warroom_games.api import Seat, Step, View
from warroom_games.codec import encode
from warroom_games.log import Acted, Entry, RolledBack, Sat, Started, Voided, encode_entry, link
from warroom_games.match import LINK_STATE_EVERY
from warroom_games.places import with_item
from warroom_games.registry import Registry
from warroom_games.replay import ReplayError, entries, verify
from warroom_games.rng import Rng
from warroom_protocol import codes
from warroom_protocol.messages import Act, Create, Created, Error, Join, Joined, MatchSummary, Watch
from warroom_protocol.rooms import room_code
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.ports.store import SNAPSHOT_EVERY, Acknowledged
from warroom_server.storage.match_records import read_summary

NewNode = Callable[..., Awaitable[LittleNode]]
WORDS = (
    "The rules of Sealed Bids changed without a new version, so the match cannot go on. "
    "It ended without a result and does not count."
)


class Changed(SealedBids):
    """Sealed bids that deal other hands, in the same version; another file, so another fingerprint."""

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        return super().setup(seats, options, rng.spawn()[0])


class Reworded(SealedBids):
    """Sealed bids from another file, in which nothing changed that matters."""


class Generous(SealedBids):
    """Sealed bids in which a look at the next prize costs nothing, in the same version."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        step = super().apply(state, seat, action)
        peeks = state.secrets[seat].peeks
        secrets = with_item(step.state.secrets, seat, replace(step.state.secrets[seat], peeks=peeks))
        return Step(replace(step.state, secrets=secrets), step.events)


class Blind(SealedBids):
    """Sealed bids whose view has a bug; the rules are as they were."""

    def public(self, state: State) -> View:
        raise ZeroDivisionError("a bug in a view")


class Crashing(SealedBids):
    """Sealed bids whose rules have a bug."""

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        raise ZeroDivisionError("a bug in the rules")


CHANGED = [GAMES[0], Changed()]


async def after_the_change(new_node: NewNode, time: ManualTime, name: str = "node-b") -> LittleNode:
    """Return a node with changed rules that took over what the last one left."""
    time.advance(LEASE_MS)
    node = await new_node(name=name, games=CHANGED)
    await node.take_over()
    await node.settle()
    return node


async def refusal(node: LittleNode, connection: NotedConnection, room: int) -> Error:
    answer = await node.join(connection, room)
    assert isinstance(answer, Error)
    return answer


async def summaries(store: FickleStore) -> list[MatchSummary]:
    found = await store.records.matches(game=None, player=None, before=None, limit=9)
    return [read_summary(summary) for summary in found]


async def test_the_operator_reads_one_line_that_names_game_rooms_and_remedy(
    new_node: NewNode, time: ManualTime, caplog: pytest.LogCaptureFixture
) -> None:
    old = await new_node()
    rooms = [(await old.table())[0] for _ in range(2)]
    lobby = await old.create(old.greet())
    await old.stop()
    caplog.clear()
    node = await after_the_change(new_node, time)
    (record,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.exc_info is None
    line = record.getMessage()
    assert line.startswith(
        "rules of Sealed Bids changed without a new version game=sealed_bids rules_version=1 matches=2"
    )
    assert all(room_code(room) in line for room in rooms)
    assert "raise rules_version" in line
    assert list(node.room_host) == [node.hosted(lobby)], "a room in which nothing was played goes on"


async def test_players_are_refused_in_plain_words_and_offered_no_seat(new_node: NewNode, time: ManualTime) -> None:
    old = await new_node()
    room, (ada, _) = await old.table()
    old.act(ada, room, 1)
    await old.settle()
    await old.stop()
    node = await after_the_change(new_node, time)
    back = node.greet("Ada", token_of(ada))
    refused = await refusal(node, back, room)
    assert (refused.code, refused.detail) == (codes.RULES_CHANGED, WORDS)
    assert back.of(Joined) == []
    node.say(back, Act(room, 2, 1, Raw(b"\x80")))
    await node.settle()
    assert verdict_of(back, 2).code == codes.ROOM_UNKNOWN
    watcher = node.greet("Cara")
    node.say(watcher, Watch(5, room))
    await until(lambda: bool(watcher.of(Error)))
    assert watcher.of(Error)[0].code == codes.RULES_CHANGED


async def test_the_match_is_listed_without_a_result_and_says_why(
    new_node: NewNode, time: ManualTime, store: FickleStore
) -> None:
    old = await new_node()
    room, _ = await old.table()
    await old.stop()
    node = await after_the_change(new_node, time)
    await node.archiver.archived(room)
    (match,) = await summaries(store)
    assert (match.room, match.reason, match.detail) == (room, codes.END_VOID, codes.RULES_CHANGED)
    assert [player.name for player in match.players] == ["Player 0", "Player 1"]
    assert (match.ranks, match.rated) == ((), False)
    assert await store.whereabouts([room]) == [None]


async def test_the_replay_verifies_by_the_old_rules_alone(
    new_node: NewNode, time: ManualTime, store: FickleStore
) -> None:
    old = await new_node()
    room, (ada, _) = await old.table()
    old.act(ada, room, 1)
    await old.settle()
    await old.stop()
    node = await after_the_change(new_node, time)
    await node.archiver.archived(room)
    kept = await store.replay(room)
    assert kept is not None
    last = entries(kept.replay)[-1]
    assert isinstance(last, Voided)
    assert verify(kept.replay, Registry([GAME])).result.detail == codes.RULES_CHANGED
    with pytest.raises(ReplayError, match="the installed rules of sealed_bids version 1 are not those"):
        verify(kept.replay, Registry([Changed()]))


async def test_who_played_learns_it_from_any_node_later_on(new_node: NewNode, time: ManualTime) -> None:
    old = await new_node()
    room, (ada, _) = await old.table()
    await old.stop()
    node = await after_the_change(new_node, time)
    await node.archiver.archived(room)
    for games in (CHANGED, GAMES[:1]):
        later = await new_node(name=f"node with {len(games)}", games=games)
        refused = await refusal(later, later.greet("Ada", token_of(ada)), room)
        assert refused.code == codes.RULES_CHANGED
        name = "Sealed Bids" if len(games) == 2 else "sealed_bids"
        assert refused.detail.startswith(f"The rules of {name} changed")
        assert (await refusal(later, later.greet("Eve"), room)).code == codes.ROOM_UNKNOWN


async def test_of_a_private_match_only_those_learn_who_may_know_of_it(new_node: NewNode, time: ManualTime) -> None:
    old = await new_node()
    ada, bob = old.greet("Ada"), old.greet("Bob")
    old.say(ada, Create(5, "sealed_bids", 2, {}, {"private": True}))
    await until(lambda: bool(ada.of(Created)))
    created = ada.of(Created)[0]
    for player in (ada, bob):
        old.say(player, Join(6, created.room, key=created.key))
        await old.settle()
    assert bob.of(Joined)
    await old.stop()
    node = await after_the_change(new_node, time)
    assert (await refusal(node, node.greet("Eve"), created.room)).code == codes.ROOM_UNKNOWN
    assert (await refusal(node, node.greet("Bob", token_of(bob)), created.room)).code == codes.RULES_CHANGED
    friend = node.greet("Cara")
    node.say(friend, Watch(7, created.room, key=created.key))
    await until(lambda: bool(friend.of(Error)))
    assert friend.of(Error)[0].code == codes.RULES_CHANGED


async def test_a_store_that_does_not_answer_is_asked_again(
    new_node: NewNode, time: ManualTime, store: FickleStore
) -> None:
    old = await new_node()
    room, (ada, _) = await old.table()
    await old.stop()
    store.fails_to_append = True
    node = await after_the_change(new_node, time)
    assert room in node.unplayable_rooms
    refused = await refusal(node, node.greet("Ada", token_of(ada)), room)
    assert refused.code == codes.RULES_CHANGED, "a player who asks meanwhile is told as well"
    store.fails_to_append = False
    await node.take_over()
    await node.archiver.archived(room)
    assert room not in node.unplayable_rooms
    assert await store.replay(room) is not None


async def test_a_room_that_another_node_took_is_left_to_it(
    new_node: NewNode, time: ManualTime, store: FickleStore
) -> None:
    old = await new_node()
    room, _ = await old.table()
    await old.stop()
    store.fails_to_append = True
    node = await after_the_change(new_node, time)
    store.fails_to_append = False
    await store.claim([(room, "node-b", 2)], "node-x")
    await node.take_over()
    assert room not in node.unplayable_rooms
    assert await store.replay(room) is None


async def test_who_waits_elsewhere_for_the_room_is_told_how_the_match_ended(
    new_node: NewNode, network: Network, store: FickleStore, time: ManualTime
) -> None:
    dying = await new_node(network=network)
    heir = await new_node(name="node-b", network=network, games=CHANGED)
    edge = await new_node(name="node-c", network=network, games=CHANGED)
    nodes = [dying, heir, edge]
    for node in nodes:
        await node.renew()
    await meet(nodes, store)
    _, _, bob = await seat_two(dying, edge)
    await dying.stop()
    store.fails_to_append = True
    await let_pass(time, LEASE_MS)
    await edge.renew()
    await heir.take_over()
    await let_pass(time, 1_000)
    await until(lambda: bool(bob.of(Error)))
    assert bob.of(Error)[-1].code == codes.RULES_CHANGED


def damage(store: FickleStore, room: int, how: str) -> None:
    if how == "bytes":
        store.rewrite(room, 4, b"spoilt")
    elif how == "missing entry":
        store.drop(room, 3)
    elif how == "another player":
        store.rewrite(room, 2, encode_entry(Sat(0, "mallory", "Mallory")))
    else:
        store.forget_rules(room)


@pytest.mark.parametrize("how", ["bytes", "missing entry", "another player", "rules unknown"])
async def test_without_proof_that_the_rules_changed_a_room_stays_as_it_is(
    new_node: NewNode, time: ManualTime, store: FickleStore, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    old = await new_node()
    room, _ = await old.table()
    await old.stop()
    damage(store, room, how)
    node = await after_the_change(new_node, time)
    assert room not in node.room_host
    assert any(record.getMessage().startswith("room failed") for record in caplog.records)
    assert (await refusal(node, node.greet("Ada"), room)).code == codes.ROOM_UNKNOWN
    assert await store.whereabouts([room]) != [None], "a server that can go on with it may still come"


@pytest.mark.parametrize("game", [Blind(), Crashing()], ids=["in a view", "in the fold"])
async def test_a_bug_of_edited_rules_voids_nothing(
    new_node: NewNode, store: FickleStore, caplog: pytest.LogCaptureFixture, game: SealedBids
) -> None:
    room = await write_match(store, started())
    node = await new_node(games=[game])
    await node.take_over()
    assert any(record.getMessage().startswith("room failed") for record in caplog.records)
    assert room not in node.unplayable_rooms
    assert (await refusal(node, node.greet("Ada"), room)).code == codes.ROOM_UNKNOWN
    mended = await new_node(name="node-b", games=[Reworded()])
    await store.release(node.name)
    await mended.take_over()
    assert room in mended.room_host, "the match goes on once the bug is gone"


async def test_a_long_match_is_folded_from_its_opening(new_node: NewNode, store: FickleStore) -> None:
    room = await write_match(store, long_match())
    stored = await store.load(room)
    assert stored is not None
    assert stored.snapshot is not None, "nothing after it tells that other hands were dealt"
    node = await new_node(games=CHANGED)
    await node.take_over()
    await node.archiver.archived(room)
    assert room not in node.room_host
    kept = await store.replay(room)
    assert kept is not None
    assert verify(kept.replay, Registry([GAME])).result.detail == codes.RULES_CHANGED


async def test_a_long_match_goes_on_after_an_edit_that_changes_nothing(new_node: NewNode, store: FickleStore) -> None:
    room = await write_match(store, long_match())
    node = await new_node(games=[Reworded()])
    await node.take_over()
    assert node.hosted(room).room.match.phase == "playing"


def turn_with_a_peek() -> tuple[Entry, ...]:
    """Return a whole turn of two seats, in which Ada looks at the next prize first."""
    hands = GAME.setup(2, Options(), Rng(bytes(range(16)))).secrets
    bids = (Acted(1, seat, 2 + seat, encode(Bid(hands[seat].hand[0])), 1) for seat in (0, 1))
    return *started(), Acted(1, 0, 1, encode(Peek()), 1), *bids


@pytest.mark.parametrize(("left_out", "goes_on"), [(2, True), (1, True), (0, False)])
async def test_a_change_is_noticed_from_the_next_turn_on(
    new_node: NewNode, store: FickleStore, left_out: int, goes_on: bool
) -> None:
    played = turn_with_a_peek()
    room = await write_match(store, played[: len(played) - left_out])
    node = await new_node(games=[Generous()])
    await node.take_over()
    await node.settle()
    assert (room in node.room_host) is goes_on
    if goes_on:
        assert node.hosted(room).room.match.state.secrets[0].peeks == Options().peeks, "by the rules of this node"


def test_the_chain_covers_the_state_of_every_snapshot() -> None:
    # Otherwise changed rules could continue a snapshot that they do not lead to, and the replay would not verify.
    assert SNAPSHOT_EVERY % LINK_STATE_EVERY == 0


async def test_a_match_that_is_to_end_begins_no_other_life(new_node: NewNode, store: FickleStore) -> None:
    room = await write_match(store, long_match())
    node = await new_node(games=CHANGED)
    assert await store.dispute([Acknowledged(room, 1, 500, b"another chain")]) == [True]
    node.room_loader.offered([(room, OWNER, EPOCH + 1)])
    await node.take_over()
    await node.settle()
    await node.archiver.archived(room)
    kept = await store.replay(room)
    assert kept is not None
    assert not any(isinstance(entry, RolledBack) for entry in entries(kept.replay))


async def test_a_damaged_log_that_was_cut_back_delays_no_other_room(
    new_node: NewNode, time: ManualTime, store: FickleStore
) -> None:
    old = await new_node()
    damaged, other = [(await old.table())[0] for _ in range(2)]
    await old.stop()
    damage(store, damaged, "bytes")
    assert await store.dispute([Acknowledged(damaged, 1, 500, b"another chain")]) == [True]
    time.advance(LEASE_MS)
    node = await new_node(name="node-b", games=[GAMES[0], Reworded()])
    await node.take_over()
    assert [damaged in node.room_host, other in node.room_host] == [False, True]


async def test_an_end_that_another_owner_wrote_is_written_once(new_node: NewNode, store: FickleStore) -> None:
    room = await write_match(store, started())
    head = (await store.log(room))[-1]
    end = encode_entry(Voided(0, codes.RULES_CHANGED))
    await append_raw(store, head.rev + 1, end, link(head.chain, end))
    node = await new_node(games=CHANGED)
    await node.take_over()
    await node.archiver.archived(room)
    kept = await store.replay(room)
    assert kept is not None
    assert [isinstance(entry, Voided) for entry in entries(kept.replay)] == [False] * 4 + [True]
    assert verify(kept.replay, Registry([GAME])).result.detail == codes.RULES_CHANGED


async def test_players_are_listed_by_place(new_node: NewNode, store: FickleStore) -> None:
    room = await write_match(store, (Sat(1, "bob", "Bob"), Sat(0, "ada", "Ada"), Started(0)))
    node = await new_node(games=CHANGED)
    await node.take_over()
    await node.archiver.archived(room)
    (match,) = await summaries(store)
    assert [player.name for player in match.players] == ["Ada", "Bob"]


async def test_rules_that_did_not_change_end_nothing(new_node: NewNode, time: ManualTime) -> None:
    old = await new_node()
    room, (ada, _) = await old.table()
    await old.stop()
    time.advance(LEASE_MS)
    node = await new_node(name="node-b")
    await node.take_over()
    assert isinstance(await node.join(node.greet("Ada", token_of(ada)), room), Joined)
