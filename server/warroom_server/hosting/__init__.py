"""The rooms and the client connections that this node hosts."""
