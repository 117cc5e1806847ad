import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

/** The package is built from its sources, together with the page. */
const SOURCES = "warroom-source";

/** The built page lies inside the server's package, so that serving it needs neither Node nor a build. */
export default defineConfig({
  oxc: {
    // The old form, whose calls hold no word but the element's: it packs better than the one that imports by itself.
    jsx: { runtime: "classic", pragma: "_h", pragmaFrag: "_Fragment" },
    jsxInject: `import { h as _h, Fragment as _Fragment } from "preact"`,
  },
  ssr: { resolve: { conditions: [SOURCES, ...defaultServerConditions] } }, // for the tests
  resolve: { conditions: [SOURCES, ...defaultClientConditions] },
  build: {
    outDir: "../../server/warroom_server/page",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        // Long enough to change with the contents, and short because every file that is fetched later is named in the shell.
        entryFileNames: "assets/[name]-[hash:6].js",
        chunkFileNames: "assets/[name]-[hash:6].js",
        assetFileNames: "assets/[name]-[hash:6][extname]",
        codeSplitting: {
          groups: [
            // By itself, so that it stays in the caches of browsers when a board changes.
            { name: "three", test: /node_modules\/three\// },
            // What every screen or every match needs, in one file: it is fetched at once, and packs better than in pieces.
            {
              name: "shell",
              test: /src\/(focus|app|lobby\/actions|client\/step_player|room\/(table|log|rules_panel)|ui\/(numbers|placeholders|copy_link|tabs|action_errors|error_boundary|use_ticking)|boards\/(index|text_case|board|orders)|replay\/saved_hashes)\.ts/,
            },
          ],
        },
      },
    },
  },
  server: {
    // `npm run dev` beside a server that `./dev serve` runs.
    proxy: { "/ws": { target: "ws://127.0.0.1:8000", ws: true }, "/api": "http://127.0.0.1:8000" },
  },
  test: { include: ["tests/**/*.test.{ts,tsx}"], environment: "node" },
});
