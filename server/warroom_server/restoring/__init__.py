"""Rooms in the store that are not hosted: loads and restores them, and lets clients wait for them."""
