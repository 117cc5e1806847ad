"""One connection's conversation, without I/O."""
