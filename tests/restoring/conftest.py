"""Nodes, a store and a network for the tests of this folder."""

from node_fixtures import neighbours, network, new_node, node, pytest_asyncio_loop_factories, store, time

__all__ = ["neighbours", "network", "new_node", "node", "pytest_asyncio_loop_factories", "store", "time"]
