// Follows a room from an MQTT broker alone, step by step: node follow_feed.mjs mqtt://127.0.0.1 ROOM-NUMBER
// Written from docs/MQTT.md, with the packages `mqtt` and `@msgpack/msgpack`. It does not verify checksums.
import { decode } from "@msgpack/msgpack";
import mqtt from "mqtt";

const [broker, room, prefix = "warroom"] = process.argv.slice(2);
const base = `${prefix}/room/${room}`;
let [life, p, view, isStale, result] = [0, 0, null, true, null];

const byBytes = (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Return the key or index of a step: in a map, a number is the position of the key in sorted order. */
function keyOf(node, step) {
  return typeof step === "number" && !Array.isArray(node) ? Object.keys(node).sort(byBytes)[step] : step;
}

/** Return a view with a patch applied; unchanged parts are shared with the old view. */
function patched(view, [path, ...change], depth = 0) {
  if (depth === path.length) {
    return change.length === 2 ? [...view.slice(0, change[0]), ...change[1]] : change[0];
  }
  const key = keyOf(view, path[depth]);
  const copy = Array.isArray(view) ? [...view] : { ...view };
  if (change.length === 0 && depth === path.length - 1) delete copy[key];
  else copy[key] = patched(view[key], [path, ...change], depth + 1);
  return copy;
}

function takeSnapshot([, , newLife, newP, , publicView]) {
  const isNewer = newLife > life || (newLife === life && newP > p);
  if (!isNewer && !(isStale && newLife === life && newP === p)) return;
  [life, p, view, isStale] = [newLife, newP, publicView, false];
  console.log(JSON.stringify({ p, view }));
}

function takeUpdate(ofLife, [, , number, patch, events]) {
  if (ofLife < life || (ofLife === life && number <= p) || isStale) return;
  if (ofLife > life || number !== p + 1) {
    isStale = true; // the next snapshot, within seconds, repairs the copy
    return;
  }
  p = number;
  view = patch.reduce((before, operation) => patched(before, operation), view);
  console.log(JSON.stringify({ p, view, events }));
}

const client = mqtt.connect(broker);
client.on("connect", () => client.subscribe(`${base}/#`));
client.on("message", (topic, payload) => {
  if (payload.length === 0) return; // gone
  const [part, ofLife] = topic.slice(base.length + 1).split("/");
  if (part === "snapshot") takeSnapshot(decode(payload));
  else if (part === "update") takeUpdate(Number(ofLife), decode(payload));
  else if (part === "state") result = JSON.parse(payload.toString()).ended;
  if (result && !isStale) {
    // A late follower may get the result before the board: retained messages come in any order.
    console.log(JSON.stringify({ p, view, ended: result.reason, ranks: result.ranks }));
    client.removeAllListeners("message");
    client.end();
  }
});
