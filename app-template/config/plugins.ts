import { defineConfig } from "@plinth/core";

/** One line a plugin: `name: { resolve: "package or ./folder", config: { ... } }`. Folders of src/plugins are found by themselves. */
export default defineConfig({
  "content-api": { resolve: "@plinth/plugin-content-api" },
});
