"""The asyncio shell that drives rooms and sessions."""
