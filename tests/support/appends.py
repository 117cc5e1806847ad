"""Requests for the stores' tests."""

from collections.abc import Iterable

from warroom_server.ports.store import Append, AppendAnswer, Behind


def request(
    room: int,
    rev: int,
    *,
    owner: str = "node-a",
    epoch: int = 1,
    nonce: bytes | None = None,
    chain: bytes | None = None,
    before: bytes | None = None,
) -> Append:
    """Return an entry that says what it is; its nonce and chain are its own unless given."""
    text = f"{room}/{rev}/{owner}".encode()
    return Append(
        room=room,
        owner=owner,
        epoch=epoch,
        rev=rev,
        nonce=nonce or b"nonce " + text,
        entry=text,
        chain=chain or b"chain " + text,
        before=before,
    )


def complete(answers: Iterable[AppendAnswer | Behind]) -> list[AppendAnswer]:
    """Return the answers of a store that lacks nothing."""
    return [answer for answer in answers if not isinstance(answer, Behind)]
