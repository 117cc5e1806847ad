"""The errors of learning environments; each has one readable line."""


class LearningError(ValueError):
    """Base of all errors of this package."""


class SetupError(LearningError):
    """There is no such environment: an unknown game, a wrong number of seats, bad options, or a type without bounds."""


class BoundError(LearningError):
    """A value does not fit into its declared bound."""


class StepError(LearningError):
    """A call out of order, or an action outside the action space."""


class WorkerError(LearningError):
    """A process that played matches is gone."""
