import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Writes compressed copies of the assets for the server. */
function compress(): Plugin {
  return {
    name: "compress",
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

/** Writes the licences of all bundled packages, as they require. */
function licences(): Plugin {
  return {
    name: "licences",
    apply: "build",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const packages = new Set(chunks.flatMap((chunk) => chunk.moduleIds.flatMap(packageFolder)));
      const source = [...packages].sort().map(licenceNotice).join("\n\n---\n\n");
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

function packageFolder(id: string): string[] {
  const folder = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)\//.exec(id)?.[1];
  return folder === undefined ? [] : [folder];
}

function licenceNotice(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Record<string, unknown>;
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  return `${String(name)} ${String(version)} (${String(license)})${text}`;
}

export default defineConfig({
  plugins: [react(), compress(), licences()],
  build: {
    outDir: "../recollect/server/static",
    emptyOutDir: true,
    // The Content-Security-Policy forbids inline code, so every asset is a file.
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
