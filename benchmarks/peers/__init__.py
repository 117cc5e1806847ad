"""Warroom beside its peers, measured in one run: `./dev bench peers`."""
