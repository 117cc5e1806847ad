"""Helpers around the event loop: timers, background tasks, retries and supervision."""
