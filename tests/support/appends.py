"""Requests for the stores' tests."""

from warroom_server.ports.store import AppendRequest


def request(
    room: int,
    rev: int,
    *,
    owner: str = "node-a",
    epoch: int = 1,
    nonce: bytes | None = None,
    before: bytes | None = None,
) -> AppendRequest:
    """Return an entry that says what it is; its nonce is its own unless given."""
    text = f"{room}/{rev}/{owner}".encode()
    return AppendRequest(
        room=room,
        owner=owner,
        epoch=epoch,
        rev=rev,
        nonce=nonce or b"nonce " + text,
        entry=text,
        chain=b"chain " + text,
        before=before,
    )
