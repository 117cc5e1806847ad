// boardgame.io with the game of benchmarks/tiles49.py: node boardgameio_server.mjs PORT
//
// Storage in memory, as it comes. Every seat may act at any time, so moves ignore a stale state number; undo is off,
// because its history would grow with every action. The move's last argument is the action's id: the sender finds it in
// the log of the update.
import { createRequire } from "node:module";
import { isAmount, isNeighbour, isTile, SEATS, TILES, WIDTH } from "./tiles49.mjs";

const require = createRequire(import.meta.url);
const { Server } = require("boardgame.io/server");
const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");

function move({ G, playerID }, f, t, n, k, _id) {
  const seat = Number(playerID);
  if (!isTile(f) || !isTile(t) || !isAmount(n) || !isAmount(k)) return INVALID_MOVE;
  const source = G.tiles[f];
  const target = G.tiles[t];
  if (source.owner !== seat || !isNeighbour(f, t) || target.owner !== seat) return INVALID_MOVE;
  if (source.troops <= n || source.tanks < k) return INVALID_MOVE;
  source.troops -= n;
  source.tanks -= k;
  target.troops += n;
  target.tanks += k;
  G.version++;
}

const game = {
  name: "tiles49",
  minPlayers: SEATS,
  maxPlayers: SEATS,
  disableUndo: true,
  setup: () => ({
    version: 0,
    tiles: Array.from({ length: TILES }, (_, tile) => ({
      owner: Math.min(Math.floor(tile / WIDTH), SEATS - 1),
      troops: 1000,
      tanks: 60,
    })),
  }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: { move: { move, ignoreStaleStateID: true } },
};

const server = Server({ games: [game], origins: false });
const listen = server.app.listen.bind(server.app);
server.app.listen = (port, done) => listen(port, "127.0.0.1", done); // by itself it listens on every address
await server.run({ port: Number(process.argv[2]), callback: () => {} });
console.log("ready");
