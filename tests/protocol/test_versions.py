"""Agreeing on a version."""

import pytest

from warroom_protocol import codes
from warroom_protocol.errors import VersionError
from warroom_protocol.versions import SUPPORTED, VERSION, choose_version


@pytest.mark.parametrize("offered", [(VERSION,), (0, VERSION, 999), (VERSION, VERSION)])
def test_the_highest_version_that_both_speak_is_chosen(offered: tuple[int, ...]) -> None:
    assert choose_version(offered) == VERSION == max(SUPPORTED)


def test_without_a_common_version_the_refusal_names_both_sides() -> None:
    with pytest.raises(VersionError, match=r"speaks \[1\], the client offered \[999, 7\]") as refusal:
        choose_version((999, 7))
    assert (refusal.value.code, refusal.value.close_code) == (codes.HELLO_VERSION, codes.CLOSE_VERSION)
