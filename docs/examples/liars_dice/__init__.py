"""Liar's Dice, an example game with hidden information."""
