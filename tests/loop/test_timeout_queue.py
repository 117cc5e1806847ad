"""One timer for items that time out in order; what is settled is not kept."""

import gc
import weakref

from manual_time import ManualTime

from warroom_server.loop.timeout_queue import TimeoutQueue

DELAY_MS = 1_000


class Item:
    """Something that waits for an answer."""

    def __init__(self) -> None:
        self.is_pending = True


class Case:
    """A queue that notes what expired."""

    def __init__(self) -> None:
        self.time = ManualTime()
        self.expired: list[Item] = []
        self.queue = TimeoutQueue[Item](
            DELAY_MS, self.time, self.time, lambda item: item.is_pending, self.expired.append
        )

    def add(self) -> Item:
        item = Item()
        self.queue.add(item)
        return item


def test_each_item_expires_after_its_own_delay() -> None:
    case = Case()
    first = case.add()
    case.time.advance(400)
    second = case.add()
    case.time.advance(DELAY_MS - 401)
    assert case.expired == []
    case.time.advance(1)
    assert case.expired == [first]
    case.time.advance(400)
    assert case.expired == [first, second]


def test_a_settled_item_does_not_expire() -> None:
    case = Case()
    first, second = case.add(), case.add()
    first.is_pending = False
    case.time.advance(DELAY_MS)
    assert case.expired == [second]


def test_a_settled_item_is_not_added() -> None:
    case, item = Case(), Item()
    item.is_pending = False
    case.queue.add(item)
    item.is_pending = True
    case.time.advance(DELAY_MS)
    assert case.expired == []


def test_a_settled_item_is_forgotten_with_the_next_one() -> None:
    case = Case()
    item = case.add()
    known = weakref.ref(item)
    item.is_pending = False
    del item
    later = case.add()
    gc.collect()
    assert known() is None
    case.time.advance(DELAY_MS)
    assert case.expired == [later]


def test_an_item_that_is_added_after_all_others_expired_expires_too() -> None:
    case = Case()
    case.add()
    case.time.advance(DELAY_MS)
    last = case.add()
    case.time.advance(DELAY_MS)
    assert case.expired[1:] == [last]
