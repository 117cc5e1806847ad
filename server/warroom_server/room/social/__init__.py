"""What people do in a room besides playing: chat and offers."""
