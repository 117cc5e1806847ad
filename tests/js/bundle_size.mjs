/** Prints the size of a module, bundled, minified and compressed: `node bundle_size.mjs MODULES CODE`. */

import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

const [modules, code] = process.argv.slice(2);
const { rolldown } = await import(createRequire(`${modules}/any.js`).resolve("rolldown"));
const entry = { name: "entry", resolveId: (id) => (id === "entry" ? `${process.cwd()}/entry.js` : null) };
const bundle = await rolldown({ input: "entry", plugins: [{ ...entry, load: (id) => (id.endsWith("/entry.js") ? code : null) }] });
const { output } = await bundle.generate({ minify: true });
console.log(gzipSync(output[0].code, { level: 9 }).length);
