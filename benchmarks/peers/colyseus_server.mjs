// Colyseus with the game of benchmarks/tiles49.py: node colyseus_server.mjs PORT
//
// Patches leave at once, after each action (broadcastPatch), and not at an interval (patchRate null): the load waits for
// them. The state's field `answered` holds the id of the action, so that its sender knows the answer; a message of its
// own would cost Colyseus more. Pings are off.
import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { isAmount, isNeighbour, isTile, SEATS, TILES, WIDTH } from "./tiles49.mjs";

const Tile = schema({ owner: t.uint8(), troops: t.uint16(), tanks: t.uint8() }, "Tile");
const State = schema({ version: t.uint32(), answered: t.uint32(), tiles: t.array(Tile) }, "State");

function opening() {
  const state = new State();
  state.version = 0;
  state.answered = 0;
  for (let tile = 0; tile < TILES; tile++) {
    const field = new Tile();
    field.owner = Math.min(Math.floor(tile / WIDTH), SEATS - 1);
    field.troops = 1000;
    field.tanks = 60;
    state.tiles.push(field);
  }
  return state;
}

class TilesRoom extends Room {
  onCreate() {
    this.maxClients = 5000;
    this.autoDispose = false;
    this.patchRate = null;
    this.seats = new Map();
    this.state = opening();
    this.onMessage("move", (client, move) => this.move(this.seats.get(client.sessionId), move));
  }

  onJoin(client, options) {
    this.seats.set(client.sessionId, options.seat);
  }

  move(seat, { id, f, t, n, k }) {
    if (!isTile(f) || !isTile(t) || !isAmount(n) || !isAmount(k)) return;
    const source = this.state.tiles[f];
    const target = this.state.tiles[t];
    if (source.owner !== seat || !isNeighbour(f, t) || target.owner !== seat) return;
    if (source.troops <= n || source.tanks < k) return;
    this.state.version++; // the fields of the root come first in the patch, where the load looks for them
    this.state.answered = id;
    source.troops -= n;
    source.tanks -= k;
    target.troops += n;
    target.tanks += k;
    this.broadcastPatch();
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport({ pingInterval: 0 }) });
server.define("tiles49", TilesRoom).filterBy(["table"]);
await server.listen(Number(process.argv[2]), "127.0.0.1");
console.log("ready");
