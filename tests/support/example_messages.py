"""One example of every message, and messages at the edges of what may be sent.

The golden frames and the examples in docs/PROTOCOL_REFERENCE.md are made from these; `protocol_document` writes both.
"""

from example_cast import Direction, Example
from example_client_messages import CLIENT
from example_edge_cases import EDGES
from example_server_messages import SERVER

__all__ = ["CLIENT", "EDGES", "SERVER", "Direction", "Example"]
