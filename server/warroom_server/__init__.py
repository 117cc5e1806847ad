"""The authoritative server: rooms and sessions that decide, a runtime that drives them, adapters that touch the world."""
