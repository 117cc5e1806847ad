"""Graph Battle: conquer every node of a graph. The rules are docs/rules/graph_battle.md."""
