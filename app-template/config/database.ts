import { defineConfig } from "@plinth/core";

/** PostgreSQL when DATABASE_URL is set; else the embedded database, kept in `.plinth/data`. */
export default defineConfig(({ env }) => {
  const url = env("DATABASE_URL", "");
  // A request whose statement runs longer, in milliseconds, is answered with 503, and the database is free again.
  const statementTimeout = env.int("DATABASE_STATEMENT_TIMEOUT", 10_000);
  if (!url) return { client: "pglite", directory: ".plinth/data", statementTimeout };
  return { client: "postgres", connection: url, statementTimeout };
});
