import { defineConfig } from "@plinth/core";

/** One line a plugin: `name: { resolve: "package or ./folder", config: { ... } }`. Folders of src/plugins are found by themselves. */
export default defineConfig(({ env }) => ({
  "content-api": { resolve: "@plinth/plugin-content-api" },
  i18n: { resolve: "@plinth/plugin-i18n" },
  "api-tokens": {
    resolve: "@plinth/plugin-api-tokens",
    config: { salt: env("API_TOKEN_SALT", ""), adminSecret: env("ADMIN_JWT_SECRET", "") },
  },
  "users-permissions": {
    resolve: "@plinth/plugin-users-permissions",
    config: { jwtSecret: env("JWT_SECRET", "") },
  },
}));
