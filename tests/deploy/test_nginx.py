"""The configuration of nginx: nodes learn that a request came through a proxy."""

from pathlib import Path

TEMPLATE = Path(__file__).parents[2] / "deploy" / "nginx" / "warroom.conf.template"


def test_nodes_learn_for_whom_the_proxy_asks_so_that_nobody_passes_for_a_program_of_the_same_machine() -> None:
    lines = [line.strip(" ;").split() for line in TEMPLATE.read_text(encoding="utf-8").splitlines()]
    headers = {line[1]: line[2] for line in lines if line[:1] == ["proxy_set_header"]}
    assert headers["X-Forwarded-For"] == "$proxy_add_x_forwarded_for"
