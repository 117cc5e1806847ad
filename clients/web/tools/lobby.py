"""What the lobby is made of, and when it is there to be seen: for whoever measures it."""

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
        // What stands in the document as a frame begins is painted when a task runs after that frame.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => { window.lobbyPainted = performance.now(); };
        requestAnimationFrame(() => channel.port2.postMessage(null));
    };
    requestAnimationFrame(look);
"""
"""Notes when the lobby itself is painted: the browser's own first paint is the name in the bar, without any script."""


def lobby_files() -> list[Path]:
    """Return what the lobby is made of: the page's shell, and the screen that it fetches."""
    chunks = json.loads((BUILT / ".vite" / "manifest.json").read_text(encoding="utf-8"))
    waiting, names = ["index.html", LOBBY], {"index.html"}
    while waiting:
        chunk = chunks[waiting.pop()]
        if chunk["file"] not in names:
            names |= {chunk["file"], *chunk.get("css", [])}
            waiting += chunk.get("imports", [])
    return [BUILT / name for name in names]
