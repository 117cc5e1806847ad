"""What the recorded matches prove of each version of the rules, and the tool that records them.

Beside the matches is a list of them: game, version of the rules, match, and the hash of all that happened in it. An
entry is never changed and never taken away, so that other results need another version.

    .venv/bin/python tests/support/golden_results.py GAME
    .venv/bin/python tests/support/golden_results.py GAME --new NAME --seats 3 --seed "sixteen letters!" --options '{}'
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from golden_replays import record, record_again
from msgspec import Struct

from warroom_games.api import AnyGame, RulesError
from warroom_games.registry import RegistryError, load_games
from warroom_games.rng import KEY_BYTES

REPLAYS = Path(__file__).parents[1] / "golden/replays"


class ResultChangedError(Exception):
    """A match does not go any more as it went by the same version of the rules."""


class Proof(Struct, frozen=True, order=True):
    """Which match it is, and by which rules it was played."""

    game: str
    rules_version: int
    match: str

    @classmethod
    def of(cls, match: str, text: str) -> "Proof":
        """Return what the text of a match is a proof for."""
        header = json.loads(text.splitlines()[0])
        return cls(header["game"], header["rules_version"], match)


def digest(text: str) -> str:
    """Return the hash of a match: opening, every action, last state and result, however they are written."""
    lines = [json.loads(line) for line in text.splitlines()]
    return sha256(json.dumps(lines, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


class Results:
    """The recorded matches of a folder, and the list of what they prove."""

    def __init__(self, folder: Path = REPLAYS) -> None:
        self._folder = folder
        self._list = folder / "results.json"

    def matches(self) -> dict[str, str]:
        """Return the text of every recorded match by its name."""
        return {path.stem: path.read_text() for path in sorted(self._folder.glob("*.jsonl"))}

    def listed(self) -> dict[Proof, str]:
        """Return the list, whose entries no two matches may share."""
        entries = json.loads(self._list.read_text()) if self._list.exists() else []
        listed = {Proof(game, version, match): proves for game, version, match, proves in entries}
        assert len(listed) == len(entries), f"{self._list} says something twice"
        return listed

    def objections(self) -> list[str]:
        """Return what is wrong with the matches by the list, in words that say what to do."""
        listed = self.listed()
        found = {Proof.of(match, text): digest(text) for match, text in self.matches().items()}
        current = {(proof.game, proof.rules_version) for proof in found}
        gone = [proof for proof in listed if (proof.game, proof.rules_version) in current and proof not in found]
        return [
            *(f"{proof.match} is not in the list: record it" for proof in found if proof not in listed),
            *(_changed(proof) for proof, proves in found.items() if listed.get(proof, proves) != proves),
            *(f"{proof.match} is in the list for {proof.game} {proof.rules_version} and gone" for proof in gone),
        ]

    def keep(self, texts: Mapping[str, str]) -> None:
        """Write matches and enter them in the list; write nothing if one is known to go otherwise by its rules."""
        listed = self.listed()
        for match, text in texts.items():
            proof = Proof.of(match, text)
            if listed.setdefault(proof, digest(text)) != digest(text):
                raise ResultChangedError(_changed(proof))
        for match, text in texts.items():
            (self._folder / f"{match}.jsonl").write_text(text)
        entries = [[p.game, p.rules_version, p.match, listed[p]] for p in sorted(listed)]
        self._list.write_text("[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n")

    def record_again(self, game: AnyGame) -> int:
        """Record all matches of a game anew, by its rules of today; return how many there are."""
        recorded = {match: text for match, text in self.matches().items() if Proof.of(match, text).game == game.info.id}
        self.keep({match: record_again(game, text) for match, text in recorded.items()})
        return len(recorded)


def _changed(proof: Proof) -> str:
    return (
        f"{proof.match} does not go as it went by version {proof.rules_version} of the rules: "
        f"raise rules_version of {proof.game}, then record its matches anew"
    )


def main(arguments: Sequence[str], results: Results) -> int:
    """Record the matches of a game anew, or another one."""
    parser = argparse.ArgumentParser(description="Record the matches of a game anew, or one more of them.")
    parser.add_argument("game")
    parser.add_argument("--new", metavar="NAME", help="record one more match, GAME_NAME, with random actions")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", default="", help=f"a text of {KEY_BYTES} bytes")
    parser.add_argument("--options", type=json.loads, default={}, help="the options of the game, as JSON")
    args = parser.parse_args(arguments)
    try:
        game = load_games(["sealed_bids:GAME"]).get(args.game)
        if args.new:
            text = record(game, args.seats, args.seed.encode(), **args.options)
            results.keep({f"{game.info.id}_{args.new}": text})
        count = 1 if args.new else results.record_again(game)
    except (ResultChangedError, RegistryError, RulesError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"recorded: {count}, by version {game.info.rules_version} of {game.info.id}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Results()))
