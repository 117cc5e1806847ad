"""The feed: publishes rooms, matches and nodes to a broker."""
