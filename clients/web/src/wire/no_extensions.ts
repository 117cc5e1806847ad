/**
 * Replaces the extension types of `@msgpack/msgpack`, such as timestamps, in the build: our messages use none, and
 * every browser would load them.
 */

const none = () => null;

export const ExtensionCodec = { defaultCodec: { tryToEncode: none, decode: none } };
