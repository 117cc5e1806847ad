"""A search bot for every game: information-set Monte-Carlo tree search over `imagine`, and the levels built from it."""
