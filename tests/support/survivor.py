"""A player who plays on through the death of the server, as the protocol tells clients to."""

import time
from collections import Counter
from itertools import count

from stranger import Stranger
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PATIENCE_S = 30.0
POLL_S = 0.02
BOLD_EVERY = 8
"""In Graph Battle: attack so often that the match is not ended as idle, and so rarely that nobody wins early."""
LOST = (ConnectionClosed, InvalidHandshake, ConnectionError)


class Survivor:
    """Plays the last legal action at every prompt, now and then the first; resends under the same id what was lost."""

    def __init__(self, url: str, name: str, first_id: int) -> None:
        self.url = url
        self.name = name
        self.accepted: list[int] = []
        self.verdicts: Counter[int] = Counter()
        self.reconnects = 0
        self._ids = count(first_id)
        self._unanswered: tuple[int, int, object] | None = None
        self._stranger = Stranger(url, name)

    def create(self, game: str, options: dict[str, object], room_options: dict[str, object]) -> tuple[int, str]:
        """Create a room for two, however often that takes; return its number and code."""
        while True:
            try:
                self._stranger.send("create", 1_000_000, game, 2, options, room_options)
                created = self._stranger.await_message("created", "error")
                assert created[0] == "created", created
                return created[2], created[3]
            except LOST:
                self._come_back()

    def play(self, room: int) -> list[object]:
        """Join and play to the end; return the message that says how it ended."""
        while True:
            try:
                joined = self._stranger.ask("join", room, None, None, None)
                assert joined[0] == "joined", joined
                return self._play_on(room)
            except LOST:
                self._come_back()

    def close(self) -> None:
        """Hang up."""
        self._stranger.close()

    def _play_on(self, room: int) -> list[object]:
        if self._unanswered is not None:
            self._act(room, *self._unanswered)
        while True:
            message = self._stranger.await_message("prompt", "ended")
            if message[0] == "ended":
                return message
            legal = self._stranger.ask("legal", room)
            # A prompt that came before the answer to a resent action may be over by now.
            if legal[0] == "legal" and legal[3] == message[3] and legal[5]:
                action_id = next(self._ids)
                self._act(room, action_id, message[3], legal[5][0 if action_id % BOLD_EVERY == 0 else -1])

    def _act(self, room: int, action_id: int, turn: int, action: object) -> None:
        self._unanswered = (action_id, turn, action)
        verdict = self._stranger.act(room, action_id, turn, action)
        self._unanswered = None
        self.verdicts[action_id] += 1
        if verdict[3] is None:
            self.accepted.append(action_id)

    def _come_back(self) -> None:
        token = self._stranger.token
        self._stranger.close()
        deadline_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                self._stranger = Stranger(self.url, self.name, token)
            except LOST:
                if time.monotonic() > deadline_s:
                    raise
                time.sleep(POLL_S)
            else:
                self.reconnects += 1
                return
