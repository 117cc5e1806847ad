"""Writing to the store: appends in group commits, snapshots and finished matches."""
