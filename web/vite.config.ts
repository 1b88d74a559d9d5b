import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Leaves each asset compressed beside itself, so that the server only has to choose. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle: ({ dir = "" }, bundle) => {
      for (const name of Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))) {
        const content = readFileSync(join(dir, name));
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content));
        writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), compressed()],
  build: {
    outDir: "../recollect/server/static",
    emptyOutDir: true,
    // The page runs under a Content-Security-Policy without inline code: every asset is a file.
    assetsInlineLimit: 0,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    proxy: { "/api": process.env["RECOLLECT_DEV_SERVER"] ?? "http://127.0.0.1:8000" },
  },
  test: {
    include: ["src/**/*.test.{ts,tsx}"],
  },
});
