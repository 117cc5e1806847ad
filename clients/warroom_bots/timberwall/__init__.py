"""Bots for Timberwall: `greedy`, which marches on the base, and `warden`, which plays as the document's AI does."""
