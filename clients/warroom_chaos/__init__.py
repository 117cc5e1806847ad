"""The chaos kit: injects faults into a whole cluster while bots play on it, and proves that they lost nothing."""
