"""How people call the program here, for every line that tells them what to type."""

from collections.abc import Mapping
from typing import Final

CALLED_AS: Final = "DEV_CALLED_AS"
"""The variable in which `./dev` says how it was called."""


def program(environment: Mapping[str, str]) -> str:
    """Return what to type for `warroom`: itself where it is installed, `./dev warroom` in a checkout."""
    return environment.get(CALLED_AS) or "warroom"
