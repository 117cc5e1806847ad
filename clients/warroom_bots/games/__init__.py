"""Bots that were made for one game."""
