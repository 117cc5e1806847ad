"""Finished matches: replays, their views, and ratings."""
