"""The node: wires its parts together and dispatches what clients ask."""
