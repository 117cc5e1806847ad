"""Commands that the bots package adds to the command line."""
