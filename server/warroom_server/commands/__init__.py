"""The subcommands of `warroom` that belong to the server."""
