import { join } from "node:path";
import { defineConfig } from "vite";
import { compiledMessages } from "./compiled-messages.js";
import { describeBuild } from "./describe-build.js";
import { sharedEntries, sharedModules } from "./shared-modules.js";

const here = import.meta.dirname;

/** Builds the page into dist/client: hashed files, all in one folder, each plain and compressed. */
export default defineConfig({
  root: here,
  base: "/admin/assets/",
  clearScreen: false,
  logLevel: "warn",
  plugins: [sharedModules(), compiledMessages(), describeBuild()],
  // Libraries that lie in the root of the repository would find the React and the CodeMirror of GraphiQL there.
  resolve: { dedupe: ["react", "react-dom", "@codemirror/language"] },
  css: { modules: { localsConvention: "camelCaseOnly" } },
  build: {
    outDir: join(here, "..", "dist", "client"),
    emptyOutDir: true,
    target: "baseline-widely-available",
    assetsDir: "",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      input: { main: join(here, "entry", "main.tsx"), extend: join(here, "extend", "index.ts"), ...sharedEntries },
      preserveEntrySignatures: "allow-extension",
      checks: { bundlerTimings: false },
      // Libraries mark what needs a browser, for frameworks that render on servers.
      onLog(level, log, handle) {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
      },
    },
  },
});
