"""What the server needs from the world, as interfaces that the adapters fulfil."""
