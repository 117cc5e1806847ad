"""Bots for Timberwall: `greedy`, which marches on the base, and `warden`, which follows the AI of the document."""
