"""Strata: two players on five stacked layers of vertices. The rules are docs/rules/strata.md."""
