"""Every registered game, and the one that hides everything, keeps every law."""

from hypothesis import settings

from warroom_games.laws_plugin import laws_of
from warroom_games.registry import load_games

# Each example is a whole match, looked at from every seat: a few of them weigh as much as many small ones.
MATCHES = min(settings().max_examples // 10, 200)

test_a_game_keeps_the_law = laws_of(*load_games(["sealed_bids:GAME"]), matches=MATCHES)
