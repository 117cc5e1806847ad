import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  build: {
    lib: { entry: { index: path("src/index.ts"), wire: path("src/wire/index.ts") }, formats: ["es"] },
    target: "es2022",
    minify: false,
    rolldownOptions: { output: { chunkFileNames: "shared.js" } },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
