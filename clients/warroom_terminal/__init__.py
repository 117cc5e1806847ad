"""Warroom in a terminal."""
