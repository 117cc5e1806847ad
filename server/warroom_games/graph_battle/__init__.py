"""Graph Battle: conquer a carved grid, coin flip by coin flip."""
