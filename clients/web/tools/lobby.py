"""The files of the lobby, and the moment of its first paint, for tests and benchmarks."""

import json
from pathlib import Path

from build import BUILT

LOBBY = "src/lobby/lobby.tsx"
WATCH_FOR_THE_LOBBY = """
    const look = () => {
        if (!document.querySelector("main.lobby h1") || !document.querySelector("main.lobby article h2")) {
            requestAnimationFrame(look);
            return;
        }
        // Content that is in the document when a frame starts is painted before the first task after that frame.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => { window.lobbyPainted = performance.now(); };
        requestAnimationFrame(() => channel.port2.postMessage(null));
    };
    requestAnimationFrame(look);
"""
"""Records when the lobby is painted; the browser's own first paint is only the static title bar."""


def lobby_files() -> list[Path]:
    """Return the files of the lobby: the page's shell, and the screen that it loads."""
    chunks = json.loads((BUILT / ".vite" / "manifest.json").read_text(encoding="utf-8"))
    waiting, names = ["index.html", LOBBY], {"index.html"}
    while waiting:
        chunk = chunks[waiting.pop()]
        if chunk["file"] not in names:
            names |= {chunk["file"], *chunk.get("css", [])}
            waiting += chunk.get("imports", [])
    return [BUILT / name for name in names]
