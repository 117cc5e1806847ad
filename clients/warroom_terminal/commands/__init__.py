"""Commands that the terminal client adds to the command line."""
