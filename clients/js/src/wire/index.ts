/** The bytes of the protocol, for tools and for readers of replays: codec, patches, checksums. */

export type * from "../generated/messages.js";
export { byCodePoint, canonical, checksum, crc32 } from "./canonical.js";
export { decodeClient, decodeServer, encodeClient, encodeServer, readPart, readServer } from "./codec.js";
export { decode, encode } from "./msgpack.js";
export { applyPatch, PatchError } from "./patches.js";
