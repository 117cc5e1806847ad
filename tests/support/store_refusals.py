"""Expects that a store refuses to serve, and why."""

import pytest

from warroom_server.ports.store import Trouble, UnavailableError


def refused(match: str, trouble: Trouble = Trouble.UNFIT) -> pytest.RaisesExc[UnavailableError]:
    """Expect the error of a store whose *trouble* does not end by itself."""
    return pytest.raises(UnavailableError, match=match, check=lambda error: error.trouble is trouble)
