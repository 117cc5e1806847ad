"""How many files and lines this process may have open."""

import logging
import resource

logger = logging.getLogger(__name__)


def allow_open_files(wanted: int) -> int:
    """Let this process have *wanted* files open, or as many as the system allows it; return how many that are.

    The usual limit of a login is 1024, and a process that runs into it can neither accept a line nor reach its store.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        logger.warning("few open files allowed=%d wanted=%d", allowed, wanted)
    return allowed
