"""Room numbers as people write them: seven characters of Crockford's base 32, in lower case."""

from typing import Final

from warroom_protocol.errors import RoomCodeError

CODE_LENGTH: Final = 7
ROOM_NUMBERS: Final = 2**32

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_VALUES: Final = {
    **{letter: value for value, letter in enumerate(_ALPHABET)},
    **{letter.upper(): value for value, letter in enumerate(_ALPHABET)},
    **dict.fromkeys("iIlL", 1),
    **dict.fromkeys("oO", 0),
}


def room_code(number: int) -> str:
    """Return the code of a room number: `room_code(0)` is `0000000`."""
    if not 0 <= number < ROOM_NUMBERS:
        raise ValueError(f"a room number is from 0 to {ROOM_NUMBERS - 1}, got {number}")
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(5 * (CODE_LENGTH - 1), -1, -5))


def parse_room_code(text: str) -> int:
    """Return the room number of a code, tolerating any case, i and l for 1, o for 0, and surrounding blanks."""
    letters = text.strip()
    if len(letters) != CODE_LENGTH:
        raise RoomCodeError(f"a room code has {CODE_LENGTH} characters, got {text[:32]!r}")
    number = 0
    for letter in letters:
        if letter not in _VALUES:
            raise RoomCodeError(f"{letter!r} is not used in room codes")
        number = number << 5 | _VALUES[letter]
    if number >= ROOM_NUMBERS:
        raise RoomCodeError(f"{letters!r} is beyond the last room code, {room_code(ROOM_NUMBERS - 1)}")
    return number


def invitation(number: int, key: str | None) -> str:
    """Return the invitation to a room: its code and, for a private room, its key."""
    return room_code(number) if key is None else f"{room_code(number)}-{key}"


def parse_invitation(text: str) -> tuple[int, str | None]:
    """Return the number and the key (None: none) of an invitation; raise `RoomCodeError` if it is no code."""
    code, _, key = text.strip().partition("-")
    return parse_room_code(code), key.strip().lower() or None
