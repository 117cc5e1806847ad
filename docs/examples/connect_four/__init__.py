"""Connect Four, an example game with open information."""
