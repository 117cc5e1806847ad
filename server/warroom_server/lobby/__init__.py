"""Finding and making rooms: lists, quick matches, quotas, rematches and bot workers."""
