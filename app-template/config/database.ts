import { defineConfig } from "@plinth/core";

/** PostgreSQL when DATABASE_URL is set; else the embedded database, kept in `.plinth/data`. */
export default defineConfig(({ env }) => {
  const url = env("DATABASE_URL", "");
  return url ? { client: "postgres", connection: url } : { client: "pglite", directory: ".plinth/data" };
});
