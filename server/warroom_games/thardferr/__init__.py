"""Thardferr: six races, their kingdoms and their battles. The rules are docs/rules/thardferr.md."""
