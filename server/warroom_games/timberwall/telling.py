"""Who gets which event: docs/rules/timberwall.md, section 10.5.

An event is public if both players saw all of it and each knows that the other did. Two units that see each other are no
secret to either side, and neither is anything within sight of a base. So a seat openly watches a tile or edge if its
base sees it, or one of its units that the other seat has in sight. Everybody who sees a tile with a unit on it watches
it openly, because that unit sees them. An unseen unit may watch an edge. Then each seat gets its own event, or the
other would learn about the watcher.
"""

from typing import Literal

from warroom_games.api import Event, Seat, View
from warroom_games.timberwall.events import Merged, Moved, Unavailable, WallBuilt, WallHit, WallRemoved
from warroom_games.timberwall.sight import is_openly_watched, sees, tiles_of
from warroom_games.timberwall.state import Edge, Spot, State, Unit, rival_of


def tell_own(state: State, seat: Seat, form: View) -> Event:
    """Tell only the seat itself."""
    return _told(state, seat, form, glimpse=None, is_common=False)


def tell_at(state: State, seat: Seat, spot: Spot, form: View) -> Event:
    """Tell what happened on one tile with a unit of *seat*."""
    is_seen = sees(state, rival_of(seat), spot)
    return _told(state, seat, form, glimpse=form, is_common=True) if is_seen else tell_own(state, seat, form)


def tell_move(state: State, move: Moved, source: Spot, target: Spot) -> Event:
    """Tell of a move. A seat that saw one end sees a unit vanish or appear."""
    leaves, arrives = (sees(state, rival_of(move.seat), spot) for spot in (source, target))
    glimpse = Moved(move.seat, source if leaves else None, target if arrives else None, move.points)
    return _told(
        state, move.seat, move, glimpse=glimpse if leaves or arrives else None, is_common=leaves and arrives
    )  # fmt: skip


def tell_merge(state: State, merge: Merged, unit: Unit, target: Spot) -> Event:
    """Tell of a merge of *unit* into another. A seat that saw one end sees only that unit."""
    seat, source = merge.seat, (unit.x, unit.y)
    leaves, arrives = (sees(state, rival_of(seat), spot) for spot in (source, target))
    glimpse: Moved | Merged | None = None
    if arrives:
        glimpse = Merged(seat, None, target, merge.points, None)
    elif leaves and merge.rest:
        glimpse = Merged(seat, source, None, None, merge.rest)
    elif leaves:
        glimpse = Moved(seat, source, None, unit.points)  # it vanishes like a unit that moves
    return _told(state, seat, merge, glimpse=glimpse, is_common=leaves and arrives)


def tell_edge(state: State, edge: Edge, form: WallBuilt | WallRemoved) -> Event:
    """Tell what a seat did to an edge."""
    rival, spots = rival_of(form.seat), tiles_of(edge)
    glimpse = form if any(sees(state, rival, spot) for spot in spots) else None
    is_common = any(is_openly_watched(state, rival, spot) for spot in spots)
    return _told(state, form.seat, form, glimpse=glimpse, is_common=is_common)


def tell_hit(state: State, hit: WallHit, source: Spot) -> Event:
    """Tell of a hit on a wall. A seat that sees only the edge does not learn who hit it from where."""
    rival = rival_of(hit.seat)
    is_source_seen = sees(state, rival, source)
    is_edge_seen = any(sees(state, rival, spot) for spot in tiles_of(Edge(hit.x, hit.y, hit.side)))
    unseen = WallHit(hit.seat, None, hit.x, hit.y, hit.side, hit.damage, hit.hp)
    return _told(state, hit.seat, hit, glimpse=unseen if is_edge_seen else None, is_common=is_source_seen)


def tell_unavailable(seat: Seat, edge: Edge, *, ready_round: int | None) -> Event:
    """Tell a seat that its wall cannot be built before *ready_round*, or (None) is gone already."""  # §10.4
    action: Literal["build_wall", "remove_wall"] = "remove_wall" if ready_round is None else "build_wall"
    return Event(None, ((seat, Unavailable(seat, action, edge.x, edge.y, edge.side, ready_round)),))


def _told(state: State, seat: Seat, form: View, *, glimpse: View, is_common: bool) -> Event:
    """Make the event: *form* for *seat*, and *glimpse*, if any, for the other."""
    if is_common or not state.memories:
        return Event(form)
    if glimpse is None:
        return Event(None, ((seat, form),))
    return Event(None, tuple(sorted([(seat, form), (rival_of(seat), glimpse)], key=lambda told: told[0])))
