"""Websockets on asyncio: clients, and links to other nodes."""
