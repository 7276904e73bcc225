import { defineConfig } from "@plinth/core";

/** One line a plugin: `name: { resolve: "package or ./folder", config: { ... } }`. Folders of src/plugins are found by themselves. */
export default defineConfig(({ env }) => ({
  "content-api": { resolve: "@plinth/plugin-content-api" },
  i18n: { resolve: "@plinth/plugin-i18n" },
  "api-tokens": {
    resolve: "@plinth/plugin-api-tokens",
    // Comma-separated lists: the first secret signs, all are believed.
    config: { salt: env.array("API_TOKEN_SALT", []), adminSecret: env.array("ADMIN_JWT_SECRET", []) },
  },
  // The page below /admin, for people who write content.
  admin: { resolve: "@plinth/plugin-admin" },
  // Files go to .plinth/uploads; another provider, such as S3, is named here.
  upload: { resolve: "@plinth/plugin-upload", config: { sizeLimit: "200mb" } },
  // OpenAPI description of the API: /api/openapi.json, and while developing a page at /api/openapi.
  openapi: { resolve: "@plinth/plugin-openapi" },
  // The command `plinth import strapi`; leave it out once nothing is left to bring over.
  "import-strapi": { resolve: "@plinth/plugin-import-strapi" },
  graphql: { resolve: "@plinth/plugin-graphql" },
  "users-permissions": {
    resolve: "@plinth/plugin-users-permissions",
    config: { jwtSecret: env.array("JWT_SECRET", []) },
  },
}));
