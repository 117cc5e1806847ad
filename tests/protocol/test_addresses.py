"""What people write for the address of a server."""

import pytest

from warroom_protocol.addresses import http_origin, server_url, usual_url
from warroom_protocol.errors import AddressError


@pytest.mark.parametrize(
    ("text", "url"),
    [
        pytest.param("ws://127.0.0.1:8000/ws", "ws://127.0.0.1:8000/ws", id="the URL of the websocket"),
        pytest.param("wss://play.example/games/socket", "wss://play.example/games/socket", id="another path"),
        pytest.param("ws://127.0.0.1:8000", "ws://127.0.0.1:8000/ws", id="without a path"),
        pytest.param("http://127.0.0.1:9000/", "ws://127.0.0.1:9000/ws", id="the page"),
        pytest.param("http://127.0.0.1:9000/#/room/3k7m2qd", "ws://127.0.0.1:9000/ws", id="a room on the page"),
        pytest.param("https://play.example", "wss://play.example/ws", id="the page over TLS"),
        pytest.param("https://example.org/games/", "wss://example.org/games/ws", id="the page below a path"),
        pytest.param("http://127.0.0.1:9000/ws", "ws://127.0.0.1:9000/ws", id="the websocket as http"),
        pytest.param("localhost:9000", "ws://localhost:9000/ws", id="host and port"),
        pytest.param("127.0.0.1:9000/", "ws://127.0.0.1:9000/ws", id="address and port"),
        pytest.param("[::1]:9000", "ws://[::1]:9000/ws", id="IPv6 and port"),
    ],
)
def test_a_server_is_found_by_any_usual_form_of_its_address(text: str, url: str) -> None:
    assert server_url(text) == url


@pytest.mark.parametrize(
    "text",
    ["", "nowhere", "9000", ":9000", "ftp://example.org", "ws://", "ws://a:port/ws", "localhost:99999", "a b:80"],
)
def test_anything_else_is_refused_with_the_right_forms(text: str) -> None:
    with pytest.raises(AddressError, match=r"is not the address of a server; write HOST:PORT, http://HOST:PORT or ws"):
        server_url(text)


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        pytest.param({}, "ws://127.0.0.1:8000/ws", id="the usual port"),
        pytest.param({"WARROOM_PORT": "9000"}, "ws://127.0.0.1:9000/ws", id="the port of the environment"),
        pytest.param({"WARROOM_PORT": "0"}, "ws://127.0.0.1:8000/ws", id="a port that the system chooses"),
        pytest.param({"WARROOM_PORT": "many"}, "ws://127.0.0.1:8000/ws", id="not a port"),
    ],
)
def test_a_server_of_the_same_environment_is_found_without_an_address(environ: dict[str, str], url: str) -> None:
    assert usual_url(environ) == url


def test_the_page_has_the_origin_of_the_websocket() -> None:
    assert http_origin("ws://127.0.0.1:9000/ws") == "http://127.0.0.1:9000"
    assert http_origin("wss://play.example/ws") == "https://play.example"
