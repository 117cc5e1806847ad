"""The embedded store: a private Valkey server."""
