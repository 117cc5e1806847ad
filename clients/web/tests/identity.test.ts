/** The player's identity in a browser that does not store everything. */

import { expect, test } from "vitest";

import { Identity, type KeyValueStore, memoryStore, resilientStore } from "../src/client/identity";

/** A store that can be read but accepts no more values. */
function full(kept: KeyValueStore): KeyValueStore {
  const refuse = (): never => {
    throw new DOMException("no room is left", "QuotaExceededError");
  };
  return { getItem: kept.getItem, setItem: refuse, removeItem: kept.removeItem };
}

function forbidden(): never {
  throw new DOMException("nothing may be kept", "SecurityError");
}

test.each([
  ["full", () => full(memoryStore())],
  ["forbidden", forbidden],
] as const)("where a store is %s, one is somebody for as long as the page is open", (_, store) => {
  const identity = new Identity(resilientStore(store));
  expect(identity.token).toBeNull();
  expect(identity.welcome(null, "token")).toBe(true);
  identity.rename("Ada");
  expect([identity.token, identity.name]).toEqual(["token", "Ada"]);
  identity.forget("token");
  expect(identity.token).toBeNull();
});

test("a player keeps the identity when the store is full, and other tabs see later changes", () => {
  const kept = memoryStore();
  kept.setItem("warroom.name", "Ada");
  let store = full(kept);
  const identity = new Identity(resilientStore(() => store));
  expect(identity.name).toBe("Ada");
  identity.rename("Bob");
  expect(identity.name).toBe("Bob");
  store = kept;
  identity.rename("Cleo");
  kept.setItem("warroom.name", "Dora"); // as another tab may
  expect(identity.name).toBe("Dora");
});
