"""A store that does not answer yet is waited for, for a while; what waiting cannot mend is told at once."""

import logging

import pytest

from warroom_server.loop.wait_for_store import Backoff
from warroom_server.ports.store import Trouble, UnavailableError

PASSING = {Trouble.AWAY, Trouble.SLOW, Trouble.LOADING, Trouble.CLUSTER, Trouble.REPLICAS}


class LateStore:
    """Fails with each of some troubles, then answers."""

    def __init__(self, *troubles: Trouble) -> None:
        self.troubles = list(troubles)
        self.asked = 0

    async def answer(self) -> int:
        """Return how often it was asked."""
        self.asked += 1
        if self.troubles:
            raise UnavailableError("not yet", self.troubles.pop(0))
        return self.asked


@pytest.mark.parametrize("trouble", sorted(Trouble))
async def test_only_what_passes_by_itself_is_waited_for(trouble: Trouble) -> None:
    store, backoff = LateStore(trouble, trouble), Backoff(retry_s=0)
    if trouble in PASSING:
        assert await backoff.ask(store.answer) == 3
        return
    with pytest.raises(UnavailableError) as caught:
        await backoff.ask(store.answer)
    assert (caught.value.trouble, store.asked) == (trouble, 1)


async def test_each_kind_of_trouble_is_told_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    backoff = Backoff(retry_s=0)
    await backoff.ask(LateStore(Trouble.AWAY, Trouble.AWAY, Trouble.LOADING, Trouble.LOADING).answer)
    await backoff.ask(LateStore().answer)
    assert caplog.messages == [
        "waiting for the store for up to 30 s trouble=away reason='not yet'",
        "waiting for the store for up to 30 s trouble=loading reason='not yet'",
        "store answers",
    ]


async def test_all_questions_share_one_patience() -> None:
    backoff = Backoff(within_s=0.01, retry_s=0.02)
    assert await backoff.ask(LateStore(Trouble.SLOW).answer) == 2
    store = LateStore(Trouble.SLOW)
    with pytest.raises(UnavailableError, match="not yet"):
        await backoff.ask(store.answer)
    assert store.asked == 1
