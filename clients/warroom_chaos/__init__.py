"""The chaos kit: breaks a whole cluster on purpose while bots play on it, and proves that they lost nothing."""
