"""Kingdom strength (KS): docs/rules/thardferr.md, section 5."""


def kingdom_strength(*, units: int, buildings: int, castles: int, levels: int) -> int:
    """Return 2.5 a unit, 3 a building, 1500 a castle and 1000 a level of technology, rounded half up."""  # §5.5
    return (5 * units + 1) // 2 + 3 * buildings + 1500 * castles + 1000 * levels
