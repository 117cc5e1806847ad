"""The limit of open files of this process."""

import logging
import resource

logger = logging.getLogger(__name__)


def allow_open_files(wanted: int) -> int:
    """Raise the limit to *wanted* files, or as far as the system allows; return the new limit.

    The usual limit is 1024. A process that exceeds it can neither accept connections nor reach its store.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        logger.warning("few open files allowed=%d wanted=%d", allowed, wanted)
    return allowed
