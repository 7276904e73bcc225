import { defineConfig, type Env } from "@plinth/core";

/**
 * Files go to .plinth/uploads, or to UPLOADS_DIRECTORY; with S3_BUCKET, and the package @plinth/upload-s3, to a storage that
 * machines share.
 */
const storageOf = (env: Env) => {
  const [bucket, directory] = [env("S3_BUCKET", ""), env("UPLOADS_DIRECTORY", "")];
  if (bucket === "") return directory === "" ? {} : { providerOptions: { directory } };
  const [endpoint, baseUrl] = [env("S3_ENDPOINT", ""), env("S3_PUBLIC_URL", "")];
  const providerOptions = { bucket, ...(endpoint ? { endpoint } : {}), ...(baseUrl ? { baseUrl } : {}) };
  return { provider: "@plinth/upload-s3", providerOptions };
};

/** One line a plugin: `name: { resolve: "package or ./folder", config: { ... } }`. Folders of src/plugins are found by themselves. */
export default defineConfig(({ env }) => ({
  "content-api": { resolve: "@plinth/plugin-content-api" },
  // Mails, deleted files and work by the clock: done later, also when a process dies. `plinth jobs list` shows it.
  jobs: { resolve: "@plinth/plugin-jobs" },
  i18n: { resolve: "@plinth/plugin-i18n" },
  "api-tokens": {
    resolve: "@plinth/plugin-api-tokens",
    // Comma-separated lists: the first secret signs, all are believed.
    config: { salt: env.array("API_TOKEN_SALT", []), adminSecret: env.array("ADMIN_JWT_SECRET", []) },
  },
  // The page below /admin, for people who write content.
  admin: { resolve: "@plinth/plugin-admin" },
  upload: { resolve: "@plinth/plugin-upload", config: { sizeLimit: "200mb", ...storageOf(env) } },
  // OpenAPI description of the API: /api/openapi.json, and while developing a page at /api/openapi.
  openapi: { resolve: "@plinth/plugin-openapi" },
  // The command `plinth import strapi`; leave it out once nothing is left to bring over.
  "import-strapi": { resolve: "@plinth/plugin-import-strapi" },
  graphql: { resolve: "@plinth/plugin-graphql" },
  "users-permissions": {
    resolve: "@plinth/plugin-users-permissions",
    // Rate limits are counted in the database, or with REDIS_URL in Redis.
    config: { jwtSecret: env.array("JWT_SECRET", []), rateLimit: { redis: env("REDIS_URL", "") } },
  },
  // POST /api/email, for contact forms; `recipients` says where its mails may go before the public may send any.
  email: { resolve: "@plinth/plugin-email" },
}));
