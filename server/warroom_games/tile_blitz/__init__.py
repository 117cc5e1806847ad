"""Tile Blitz: quick turns on 49 tiles, and a hand that nobody else sees. The rules are docs/rules/tile_blitz.md."""
