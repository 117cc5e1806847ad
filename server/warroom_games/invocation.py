"""How the user calls the program, for every suggested command."""

from collections.abc import Mapping
from typing import Final

CALLED_AS: Final = "DEV_CALLED_AS"
"""The variable in which `./dev` passes how it was called."""


def program(environment: Mapping[str, str]) -> str:
    """Return the command for `warroom`: itself if it is installed, `./dev warroom` in a checkout."""
    return environment.get(CALLED_AS) or "warroom"
