/**
 * Changes between two views: `[path, value]` sets, `[path]` removes a key, `[path, keep, items]` recuts a list.
 *
 * A step into a map is a key, or the position of a key among the keys of the map in canonical order.
 */

import type { View } from "../generated/messages.js";
import { byCodePoint } from "./canonical.js";
import { isMap } from "./views.js";

/** A patch that does not fit; the holder of the copy requests a fresh one, so details do not matter. */
export class PatchError extends Error {}

const MAX_OPERATIONS = 4096;
const MAX_PATH = 32;

/** Return the view after a patch, sharing unchanged parts; neither argument is modified. */
export function applyPatch(view: View, patch: unknown): View {
  if (!Array.isArray(patch) || patch.length > MAX_OPERATIONS) throw new PatchError();
  return patch.reduce<View>((current, operation) => applied(current, operation), view);
}

function applied(view: View, operation: unknown): View {
  if (!Array.isArray(operation) || operation.length < 1 || operation.length > 3) throw new PatchError();
  const path: unknown = operation[0];
  if (!Array.isArray(path) || path.length > MAX_PATH) throw new PatchError();
  if (operation.length === 3) return changed(view, path, (node) => recut(node, operation[1], operation[2]));
  const last: unknown = path.at(-1);
  if (path.length === 0) {
    if (operation.length === 2) return operation[1] as View;
    throw new PatchError();
  }
  const parents = path.slice(0, -1);
  if (operation.length === 2) return changed(view, parents, (node) => replaced(node, last, operation[1] as View));
  return changed(view, parents, (node) => without(node, last));
}

function changed(view: View, path: readonly unknown[], change: (node: View) => View): View {
  if (path.length === 0) return change(view);
  const [step, ...rest] = path;
  return replaced(view, step, changed(child(view, step), rest, change));
}

/** Return the key of a map that a step names. */
function keyAt(node: { readonly [key: string]: View }, step: unknown): string {
  if (typeof step === "string") return step;
  const keys = Object.keys(node);
  if (isIndex(step, keys.length)) return keys.sort(byCodePoint)[step] as string;
  throw new PatchError();
}

function child(node: View, step: unknown): View {
  if (isMap(node)) {
    const key = keyAt(node, step);
    if (Object.hasOwn(node, key)) return node[key] as View;
  }
  if (Array.isArray(node) && isIndex(step, node.length)) return node[step] as View;
  throw new PatchError();
}

function replaced(node: View, step: unknown, value: View): View {
  if (isMap(node)) return { ...node, [keyAt(node, step)]: value };
  if (Array.isArray(node) && isIndex(step, node.length)) return node.with(step, value);
  throw new PatchError();
}

function without(node: View, step: unknown): View {
  if (!isMap(node)) throw new PatchError();
  const key = keyAt(node, step);
  if (!Object.hasOwn(node, key)) throw new PatchError();
  const { [key]: _, ...rest } = node;
  return rest;
}

function recut(node: View, keep: unknown, items: unknown): View {
  if (Array.isArray(node) && isIndex(keep, node.length + 1) && Array.isArray(items)) {
    return [...(node.slice(0, keep) as View[]), ...(items as View[])];
  }
  throw new PatchError();
}

function isIndex(step: unknown, length: number): step is number {
  return typeof step === "number" && Number.isInteger(step) && step >= 0 && step < length;
}
