"""The rules: the contract of a game, its randomness, the laws, and one package per game."""
