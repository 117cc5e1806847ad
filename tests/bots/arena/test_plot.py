"""The plot is an SVG that a browser and an XML parser read."""

from xml.etree import ElementTree

import pytest
from contests import contest, won_by

from warroom_bots.arena.plot import draw
from warroom_bots.arena.report import report

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("winners", [[], ["a"], ["a", "<b>", None, "a"] * 10], ids=["none", "one", "many"])
def test_every_bot_has_a_dot_with_its_range_inside_the_picture(winners: list[str | None]) -> None:
    settings = contest("a", "<b>")
    root = ElementTree.fromstring(draw(report(settings, "Bids & more", won_by(settings, winners), None)))
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    dots = root.findall(f"{SVG}circle")
    assert len(dots) == 4
    for dot in dots:
        assert 0 < float(dot.attrib["cx"]) < width
        assert 0 < float(dot.attrib["cy"]) < height
    for line in root.findall(f"{SVG}line[@class='range']"):
        assert 0 < float(line.attrib["x1"]) <= float(line.attrib["x2"]) < width
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts.count("<b>") == 2
    assert f"Bids & more: {len(winners)} matches" in texts
