/**
 * Stands in for the extension types of `@msgpack/msgpack`, timestamps among them, when the page is built: no message of
 * ours holds any, and every browser would load them.
 */

const none = () => null;

export const ExtensionCodec = { defaultCodec: { tryToEncode: none, decode: none } };
