"""Timberwall: hold the forests or break the base, in the fog. The rules are docs/rules/timberwall.md."""
