"""One example of every message, and messages at the edges of what may be sent.

The golden frames and the examples in docs/PROTOCOL.md are made from these; running `wire_documents` writes both.
"""

from wire_answers import SERVER
from wire_cast import Direction, Example
from wire_edges import EDGES
from wire_requests import CLIENT

__all__ = ["CLIENT", "EDGES", "SERVER", "Direction", "Example"]
