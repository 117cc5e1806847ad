"""Learning environments for every game: PettingZoo's, and many matches at once for Gymnasium. docs/RESEARCH.md."""

try:
    import gymnasium
    import numpy
    import pettingzoo
except ImportError as error:
    raise ImportError(f"{error.name} is missing: pip install 'warroom[rl]'", name=error.name) from error

from warroom_rl.environments import env, parallel_env, seat_env, vector_env
from warroom_rl.errors import BoundError, LearningError, SetupError, StepError, WorkerError

__all__ = [
    "BoundError",
    "LearningError",
    "SetupError",
    "StepError",
    "WorkerError",
    "env",
    "parallel_env",
    "seat_env",
    "vector_env",
]

del gymnasium, numpy, pettingzoo
