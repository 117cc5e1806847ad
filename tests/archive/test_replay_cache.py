"""What is kept of finished matches in memory, and for how long."""

import pytest
from manual_time import ManualTime
from sealed_bids import GAME

from warroom_games.codec import encode
from warroom_games.log import Entry, Kicked, Left, LogError, Opened, RoomOptions, Sat, Started, Voided, encode_entry
from warroom_games.replay import Link, ReplayError, seal
from warroom_server.archive import replay_cache as replay_cache
from warroom_server.archive.replay_cache import ReplayCache, finished_match
from warroom_server.ports.store import KeptReplay

USUAL = RoomOptions()
ADA, BOB, CAL, DEE = (Sat(place, name.lower(), name) for place, name in enumerate(("Ada", "Bob", "Cal", "Dee")))


def kept(*log: Entry, ended_ms: int = 0, room_options: RoomOptions = USUAL) -> KeptReplay:
    """Return a log that nobody has to run, as a store keeps it."""
    opened = Opened(1, "sealed_bids", 1, 4, encode(GAME.options_type()), room_options, "ada", 1, bytes(16), 0)
    links = [Link(encode_entry(entry), bytes(32)) for entry in (opened, *log)]
    return KeptReplay(seal(links), ended_ms)


def test_who_left_or_was_sent_away_did_not_play() -> None:
    log = (ADA, BOB, CAL, DEE, Left(1), Kicked(2), Sat(1, "eve", "Eve"), Started(0))
    assert finished_match(kept(*log)).players == {"ada", "eve", "dee"}


def test_whoever_sat_there_at_the_end_played_in_a_match_that_never_started() -> None:
    assert finished_match(kept(ADA, BOB, Left(0), Voided(5, "deserted"))).players == {"bob"}


def test_all_is_revealed_so_long_after_the_end() -> None:
    found = finished_match(kept(ADA, ended_ms=1_000, room_options=RoomOptions(reveal_s=60, private=True)))
    assert (found.revealed_ms, found.is_private) == (61_000, True)


def test_what_is_no_replay_is_not_read() -> None:
    with pytest.raises(ReplayError):
        finished_match(KeptReplay(b"nothing", 0))
    with pytest.raises((LogError, ReplayError)):
        finished_match(KeptReplay(kept(ADA).replay[:9] + encode([bytes(32), []]), 0))


def test_what_was_not_used_for_longest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_cache, "KEPT", 2)
    things: ReplayCache[str, int] = ReplayCache(ManualTime())
    for number, name in enumerate("ab"):
        things.put(name, number, 1)
    assert things.get("a") == 0
    things.put("c", 2, 1)
    assert (things.get("a"), things.get("b"), things.get("c")) == (0, None, 2)


def test_the_latest_stays_whatever_it_weighs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_cache, "KEPT_BYTES", 10)
    things: ReplayCache[str, int] = ReplayCache(ManualTime())
    things.put("a", 1, 4)
    things.put("b", 2, 4)
    things.put("b", 3, 6)
    assert (things.get("a"), things.get("b"), len(things)) == (1, 3, 2)
    things.put("c", 4, 100)
    assert (things.get("c"), len(things)) == (4, 1)


def test_nothing_stays_for_long() -> None:
    time = ManualTime()
    things: ReplayCache[str, int] = ReplayCache(time)
    things.put("a", 1, 1)
    time.advance(replay_cache.KEPT_MS - 1)
    assert things.get("a") == 1
    time.advance(1)
    assert things.get("a") is None
    assert len(things) == 0
