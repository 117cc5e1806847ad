"""The only code that touches sockets, stores, files and clocks."""
