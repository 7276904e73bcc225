import { defineConfig } from "@plinth/core";

/** PostgreSQL when DATABASE_URL is set; else the embedded database, kept in `.plinth/data`. */
export default defineConfig(({ env }) => {
  const url = env("DATABASE_URL", "");
  if (!url) return { client: "pglite", directory: ".plinth/data" };
  // A request whose statement runs longer is answered with 503, and the database is free again.
  return { client: "postgres", connection: url, statementTimeout: env.int("DATABASE_STATEMENT_TIMEOUT", 30_000) };
});
