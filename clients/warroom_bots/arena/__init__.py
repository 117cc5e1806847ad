"""Matches between bots in numbers: who plays whom, in which processes, and what the results say."""
