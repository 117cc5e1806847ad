"""The authoritative server: rooms and sessions decide, a runtime drives them, adapters touch the world."""
