"""Commands that the terminal client brings to the command line."""
