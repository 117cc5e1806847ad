"""Tile Blitz: quick turns on 49 tiles, with hidden hands. The rules are docs/rules/tile_blitz.md."""
