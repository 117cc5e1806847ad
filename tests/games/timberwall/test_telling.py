"""docs/rules/timberwall.md, section 10.5: who is told what."""

from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from timberwall_positions import KEY, Place, act, position, told

from warroom_games.api import Event
from warroom_games.codec import encode
from warroom_games.playthrough import play
from warroom_games.rng import Rng
from warroom_games.timberwall.actions import (
    Attack,
    BuildWall,
    Convert,
    Deploy,
    HitWall,
    Merge,
    Move,
    Pass,
    RemoveWall,
)
from warroom_games.timberwall.events import (
    Attacked,
    BaseHit,
    Converted,
    Deployed,
    Income,
    Merged,
    Moved,
    TurnBegan,
    TurnEnded,
    WallBuilt,
    WallHit,
    WallRemoved,
)
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.sight import tiles_of
from warroom_games.timberwall.state import Edge, Knowledge, Spot, State
from warroom_protocol.canonical import canonical, plain

EDGE: Place = (2, 6, "east")


def first(state: State, action: object) -> tuple[object, object, object]:
    """What a spectator, green and red are told first of an action of green."""
    event = act(state, action).events[0]
    return event.public, dict(event.private).get(0), dict(event.private).get(1)


class TestMoves:
    """§10.5"""

    @pytest.mark.parametrize(
        ("watcher", "public", "glimpse"),
        [
            pytest.param((3, 8), True, None, id="§10.5 both ends in sight: everybody"),
            pytest.param((0, 4), False, Moved(0, (2, 6), None, 7), id="§10.5 only the source: it vanishes"),
            pytest.param((5, 6), False, Moved(0, None, (3, 6), 7), id="§10.5 only the target: it appears"),
            pytest.param((9, 0), False, None, id="§10.5 out of sight: nothing"),
        ],
    )
    def test_a_move_is_told_as_far_as_it_was_seen(
        self, watcher: tuple[int, int], public: bool, glimpse: object
    ) -> None:
        full = Moved(0, (2, 6), (3, 6), 7)
        heard = first(position({(2, 6): 7}, {watcher: 1}), Move(2, 6, "e"))
        assert heard == ((full, None, None) if public else (None, full, glimpse))

    @pytest.mark.parametrize(
        ("watcher", "public", "glimpse"),
        [
            pytest.param((3, 8), True, None, id="§10.5 both units in sight"),
            pytest.param((0, 4), False, Moved(0, (2, 6), None, 7), id="§10.5 only the mover: as if it moved"),
            pytest.param((5, 6), False, Merged(0, None, (3, 6), 15, None), id="§10.5 only the target"),
            pytest.param((9, 0), False, None, id="§10.5 neither"),
        ],
    )
    def test_so_is_a_merge(self, watcher: tuple[int, int], public: bool, glimpse: object) -> None:
        full = Merged(0, (2, 6), (3, 6), 15, 0)
        heard = first(position({(2, 6): 7, (3, 6): 8}, {watcher: 1}), Merge(2, 6, "e"))
        assert heard == ((full, None, None) if public else (None, full, glimpse))

    def test_of_a_mover_that_keeps_some_points_these_are_told(self) -> None:
        full = Merged(0, (2, 6), (3, 6), 500, 100)
        heard = first(position({(2, 6): 300, (3, 6): 300}, {(0, 4): 1}), Merge(2, 6, "e"))
        assert heard == (None, full, Merged(0, (2, 6), None, None, 100))

    @pytest.mark.parametrize(("watcher", "public"), [((4, 4), True), ((0, 9), False)])
    def test_a_deployment_is_told_to_who_sees_it(self, watcher: tuple[int, int], public: bool) -> None:
        full = Deployed(0, (3, 3), 5)
        heard = first(position({}, {watcher: 1}, reserves=(5, 0)), Deploy(3, 3, 5))
        assert heard == ((full, None, None) if public else (None, full, None))


class TestWalls:
    """§10.5"""

    @pytest.mark.parametrize(
        ("watcher", "public", "glimpse"),
        [
            pytest.param((4, 6), True, True, id="§10.5 the unit beside the edge is in sight"),
            pytest.param((5, 6), False, True, id="§10.5 only the empty side is: each is told alone"),
            pytest.param((6, 6), False, False, id="§10.5 neither side is"),
        ],
    )
    @pytest.mark.parametrize("kind", ["build", "remove", "hit"])
    def test_what_happens_to_an_edge(self, watcher: tuple[int, int], public: bool, glimpse: bool, kind: str) -> None:
        standing = {} if kind == "build" else {EDGE: (0, 100)}
        state = position({(2, 6): 25}, {watcher: 1}, wood=(10, 0), walls=standing)
        action = {"build": BuildWall(*EDGE), "remove": RemoveWall(*EDGE), "hit": HitWall(2, 6, "e")}[kind]
        full = {
            "build": WallBuilt(0, *EDGE),
            "remove": WallRemoved(0, *EDGE),
            "hit": WallHit(0, (2, 6), *EDGE, damage=100, hp=0),
        }[kind]
        seen = replace(full, source=None) if isinstance(full, WallHit) else full
        assert first(state, action) == ((full, None, None) if public else (None, full, seen if glimpse else None))

    @pytest.mark.parametrize(
        ("green", "red", "public"),
        [
            pytest.param([(0, 8)], [(4, 5)], False, id="§10.5 a watcher that is not seen"),
            pytest.param([(0, 8)], [(4, 4)], True, id="§10.5 the base sees the watcher"),
            pytest.param([(0, 8), (5, 3)], [(4, 5)], True, id="§10.5 a unit far from the edge sees the watcher"),
            pytest.param([(0, 8), (5, 3)], [(4, 5), (4, 7)], True, id="§10.5 one watcher of two is seen"),
        ],
    )
    def test_a_wall_removed_from_afar_is_public_if_a_watcher_is_seen(
        self, green: list[tuple[int, int]], red: list[tuple[int, int]], public: bool
    ) -> None:
        state = position(dict.fromkeys(green, 1), dict.fromkeys(red, 1), walls={EDGE: (0, 100)})
        full = WallRemoved(0, *EDGE)
        assert first(state, RemoveWall(*EDGE)) == ((full, None, None) if public else (None, full, full))

    def test_a_wall_in_sight_of_the_enemy_base_is_built_in_public(self) -> None:
        state = position({(4, 7): 1}, {(9, 0): 1}, wood=(10, 0))
        assert first(state, BuildWall(4, 7, "east")) == (WallBuilt(0, 4, 7, "east"), None, None)
        assert first(state, BuildWall(4, 7, "south"))[0] is None

    @pytest.mark.parametrize("points", [1, 5, 25, 125])
    def test_what_a_hit_takes_does_not_tell_who_hit_it_unseen(self, points: int) -> None:
        state = position({(2, 6): points}, {(5, 6): 1}, walls={EDGE: (0, 30)})
        assert first(state, HitWall(2, 6, "e"))[2] == WallHit(0, None, *EDGE, damage=30, hp=0)

    @pytest.mark.parametrize(
        ("watcher", "glimpse"),
        [
            pytest.param((2, 9), True, id="§10.5 from south of it"),
            pytest.param((6, 9), False, id="§10.5 from too far"),
        ],
    )
    def test_a_wall_south_of_a_tile_is_seen_from_the_tile_below(self, watcher: tuple[int, int], glimpse: bool) -> None:
        state = position({(2, 6): 25}, {watcher: 1}, wood=(10, 0))
        full = WallBuilt(0, 2, 6, "south")
        assert first(state, BuildWall(2, 6, "south")) == (None, full, full if glimpse else None)


class TestOpen:
    """§10.5"""

    def test_a_fight_and_a_hit_on_a_base_are_told_to_everybody(self) -> None:
        fight = first(position({(5, 5): 25}, {(6, 5): 1}), Attack(5, 5, "e"))
        siege = first(position({(7, 7): 25}), Attack(7, 7, "se"))
        assert isinstance(fight[0], Attacked)
        assert isinstance(siege[0], BaseHit)
        assert fight[1:] == siege[1:] == (None, None)

    def test_stores_are_told_to_their_own_seat_alone(self) -> None:
        state = position({(5, 5): 1}, {(6, 6): 1}, wood=(20, 0))
        assert first(state, Convert()) == (None, Converted(0, 20, 1), None)
        assert first(state, Pass()) == (None, Income(0, 0, 1), None)

    def test_whose_turn_it_is_is_told_to_everybody(self) -> None:
        events = act(position({(5, 5): 1}), Pass()).events
        assert told(events) == told(events, 1) == [TurnEnded(0, 1, held=0, streak=0), TurnBegan(1, turn=2, round=1)]

    @pytest.mark.parametrize("action", [Convert(), Deploy(2, 2, 1), BuildWall(*EDGE), Move(2, 6, "n"), Pass()])
    def test_without_fog_everything_is_told_to_everybody(self, action: object) -> None:
        """§10.6"""
        state = position({(2, 6): 1}, {(9, 0): 1}, wood=(30, 0), reserves=(1, 0), fog=False)
        events = act(state, action).events
        assert events
        assert all(event.public is not None and not event.private for event in events)


def forks(match_key: bytes) -> Iterator[tuple[State, State, int]]:
    """States of a random match, each with another one that looks the same to who is to act, and rolls the same."""
    match = play(GAME, 2, Options(max_turns=60), match_key)
    rng = Rng(match_key)
    for state in match.states[:-1:5]:
        seat, (dreams, rng) = state.table.seat, rng.spawn()
        world = GAME.imagine(plain(GAME.public(state)), plain(GAME.private(state, seat)), seat, dreams)
        yield state, replace(world, rng=state.rng), seat


def heard(event: Event, seat: int) -> bytes:
    return encode((event.public, dict(event.private).get(seat)))


@pytest.mark.parametrize("number", range(4))
def test_equal_views_hear_the_same_of_an_own_action_until_they_differ(number: int) -> None:
    """Whether the other player saw it must not show in the form in which a player hears of an own action."""
    compared = 0
    for here, there, seat in forks(bytes([number]) + KEY[1:]):
        for action in GAME.legal_actions(here, seat):
            steps = [GAME.apply(state, seat, action) for state in (here, there)]
            views = [canonical((GAME.public(step.state), GAME.private(step.state, seat))) for step in steps]
            if views[0] == views[1]:
                one, other = ([heard(event, seat) for event in step.events] for step in steps)
                assert [form for form in one if form != heard(Event(), seat)] == [
                    form for form in other if form != heard(Event(), seat)
                ], action
                compared += 1
    assert compared > 100


def near(one: Spot, other: Spot, reach: int) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= reach


def spots_of(event: object) -> list[list[Spot]]:
    """Where an event happens: of each of these places one tile must be seen to see the event."""
    match event:
        case Deployed():
            return [[event.target]]
        case Moved() | Merged():
            assert event.source
            assert event.target
            return [[event.source], [event.target]]
        case WallHit():
            assert event.source
            return [[event.source]]
        case WallBuilt() | WallRemoved():
            return [list(tiles_of(Edge(event.x, event.y, event.side)))]
        case _:
            return []


def known_watchers(views: list[Knowledge], state: State, seat: int) -> list[tuple[Spot, int]]:
    """What of the rival sees how far and is in sight of *seat*, by the views of *seat* alone."""
    base = state.table.bases[1 - seat]
    return [((base.x, base.y), 3), *(((unit.x, unit.y), 2) for view in views for unit in view.enemies)]


def seen_watchers(views: list[Knowledge], state: State, seat: int) -> list[tuple[Spot, int]]:
    """What of *seat* sees how far and is in sight of the rival, by the views of *seat* alone."""
    base, other = state.table.bases[seat], state.table.bases[1 - seat]
    units = [(unit.x, unit.y) for unit in views[0].units]
    eyes = [((other.x, other.y), 3), *(((unit.x, unit.y), 2) for view in views for unit in view.enemies)]
    seen = [unit for unit in units if any(near(eye, unit, reach) for eye, reach in eyes)]
    return [((base.x, base.y), 3), *((unit, 2) for unit in seen)]


def knowledges(states: tuple[State, State], seat: int) -> list[Knowledge]:
    views = [GAME.private(state, seat) for state in states]
    assert isinstance(views[0], Knowledge)
    assert isinstance(views[1], Knowledge)
    return [views[0], views[1]]


def crowded(rng: Rng) -> State:
    """A board on which units of both sides stand close together, with walls between them."""
    spots, rng = rng.sample([(x, y) for x in range(10) for y in range(10) if (x, y) not in ((1, 1), (8, 8))], 10)
    strengths, rng = rng.sample([1, 2, 5, 5, 7, 25, 25, 125, 400, 400], 10)
    edges, rng = rng.sample([(x, y) for x in range(2, 8) for y in range(2, 8)], 8)
    units = list(zip(spots, strengths, strict=True))
    walls: dict[Place, tuple[int, int]] = {(*spot, "east"): (index % 2, 40) for index, spot in enumerate(edges)}
    return position(dict(units[:5]), dict(units[5:]), walls=walls, wood=(10, 0), reserves=(5, 0))


def test_an_event_is_public_if_each_player_can_tell_that_the_other_was_shown_it() -> None:
    """§10.5: what the two can tell is worked out from their views alone."""
    rng, found = Rng(KEY), Counter[tuple[str, bool]]()
    for _ in range(60):
        fresh, rng = rng.spawn()
        state = crowded(fresh)
        for action in GAME.legal_actions(state, 0):
            step = act(state, action)
            event = step.events[0]
            form = event.public if event.public is not None else dict(event.private)[0]
            places = spots_of(form)
            if not places:
                continue
            actor, rival = (knowledges((state, step.state), seat) for seat in (0, 1))
            can_tell = [
                all(any(near(eye, spot, reach) for spot in place for eye, reach in eyes) for place in places)
                for eyes in (known_watchers(actor, state, 0), seen_watchers(rival, state, 1))
            ]
            assert can_tell == [event.public is not None] * 2, (form, state)
            found[plain(form)["type"], event.public is not None] += 1
    kinds = ["deploy", "merge", "move", "wall_built", "wall_hit", "wall_removed"]
    assert sorted(found) == [(kind, public) for kind in kinds for public in (False, True)]
