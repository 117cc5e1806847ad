"""Store, records and feed in memory."""
