"""The keys of generators from seeds: the same for a match in the simulator, the arena, at home and for learning."""

from hashlib import blake2b

from warroom_games.rng import KEY_BYTES


def key(seed: str, purpose: str) -> bytes:
    """Derive the key of a generator from a seed."""
    return blake2b(seed.encode(), key=purpose.encode(), digest_size=KEY_BYTES).digest()
