"""Rooms decide, synchronously and without I/O."""
