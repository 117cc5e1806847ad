"""The feed: what the world is told of rooms, matches and nodes, and in which order. Decides, and never waits."""
