"""Commands that bots bring to the command line."""
