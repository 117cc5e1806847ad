"""Bots of a room: in the lobby, and in place of absent players."""
