"""Serving the page: types, compression, caching, and a strict policy."""

import gzip
import json
import re
from http.client import HTTPConnection, HTTPResponse

import pytest
from browser import NewPerson
from playwright.sync_api import expect
from server_process import ServerProcess

SCRIPT = re.compile(rb'href="(/assets/shell-[^"]+\.js)"')


def fetch(site: ServerProcess, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
    line = HTTPConnection("127.0.0.1", site.port, timeout=30)
    line.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = line.getresponse()
    body = answer.read()
    line.close()
    return answer, body


def script_of(site: ServerProcess) -> str:
    found = SCRIPT.search(fetch(site, "/")[1])
    assert found is not None
    return found[1].decode()


def policy_of(answer: HTTPResponse) -> dict[str, str]:
    parts = (answer.getheader("Content-Security-Policy") or "").split(";")
    return dict(part.strip().split(" ", 1) for part in parts)


def test_the_page_may_run_its_own_scripts_and_nothing_else(site: ServerProcess) -> None:
    answer, body = fetch(site, "/")
    assert (answer.status, answer.getheader("Content-Type")) == (200, "text/html; charset=utf-8")
    policy = policy_of(answer)
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert b"<script>" not in body
    assert b"style=" not in body


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("asset", 200), ("/api/rooms", 200), ("/api/rooms?open=7", 400), ("/nope", 404), ("/status", 200)],
)
def test_no_answer_lets_a_browser_do_more_than_it_must(site: ServerProcess, path: str, status: int) -> None:
    answer, _ = fetch(site, script_of(site) if path == "asset" else path)
    assert answer.status == status
    policy = policy_of(answer)
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in str(policy)
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert answer.getheader("Referrer-Policy") == "no-referrer"
    assert "camera=()" in (answer.getheader("Permissions-Policy") or "")
    # The lists are for any program; over plain http a browser would warn about an opener policy.
    is_open = answer.getheader("Access-Control-Allow-Origin") == "*"
    assert is_open == (path == "/api/rooms")
    assert answer.getheader("Cross-Origin-Resource-Policy") == ("cross-origin" if is_open else "same-origin")
    assert answer.getheader("Cross-Origin-Opener-Policy") is None


def test_hashed_files_are_cached_forever_and_the_page_is_revalidated(site: ServerProcess) -> None:
    assert fetch(site, "/")[0].getheader("Cache-Control") == "no-cache"
    answer, _ = fetch(site, script_of(site))
    assert answer.getheader("Cache-Control") == "public, max-age=31536000, immutable"
    assert answer.getheader("Content-Type") == "text/javascript; charset=utf-8"


def test_a_cached_page_is_not_sent_again(site: ServerProcess) -> None:
    first, _ = fetch(site, "/")
    tag = first.getheader("ETag") or ""
    again, body = fetch(site, "/", If_None_Match=f'"other", W/{tag}')
    assert (again.status, body, again.getheader("ETag")) == (304, b"", tag)
    assert again.getheader("Content-Length") is None
    assert fetch(site, "/", If_None_Match='"other"')[0].status == 200


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, br", "gzip"), ("br;q=1, gzip;q=0.5", "gzip"), ("identity", None), ("gzip;q=0", None)],
)
def test_it_is_compressed_for_clients_that_accept_it(site: ServerProcess, accepted: str, encoding: str | None) -> None:
    path = script_of(site)
    plain = fetch(site, path)[1]
    answer, body = fetch(site, path, Accept_Encoding=accepted)
    assert answer.getheader("Content-Encoding") == encoding
    assert answer.getheader("Vary") == "Accept-Encoding"
    assert (gzip.decompress(body) if encoding else body) == plain
    assert len(body) == int(answer.getheader("Content-Length") or 0)


def test_the_rules_of_every_game_can_be_read(site: ServerProcess) -> None:
    answer, body = fetch(site, "/api/rules/graph_battle")
    assert answer.getheader("Content-Type") == "text/markdown; charset=utf-8"
    assert body.startswith(b"# Graph Battle")
    assert fetch(site, "/api/rules/nothing")[0].status == 404
    shown = json.loads(fetch(site, "/api/boards")[1])
    assert shown["graph_battle"]["rules"] == "/api/rules/graph_battle"
    assert "rules" not in shown.get("sealed_bids", {})  # nobody asks for a missing page


@pytest.mark.parametrize("path", ["/assets/none.js", "/assets/../index.html", "/index.html", "/page/"])
def test_there_is_nothing_else(site: ServerProcess, path: str) -> None:
    assert fetch(site, path)[0].status == 404


def test_the_status_can_be_read_without_scripts_in_its_own_style(site: ServerProcess, person: NewPerson) -> None:
    page = person(site, java_script_enabled=False).tab("/status")
    expect(page.get_by_role("cell", name="Graph Battle")).to_be_visible()
    expect(page.locator("table").first).to_have_css("border-collapse", "collapse")


def test_a_remote_browser_logs_no_errors(site: ServerProcess, person: NewPerson) -> None:
    page = person(site, from_afar=True).page
    expect(page.get_by_role("article").first).to_be_visible()
    assert page.evaluate("isSecureContext") is False
