import { defineConfig } from "@plinth/core";

/** Lines for people while you develop, JSON for machines in production. */
export default defineConfig(({ env }) => ({
  level: env("LOG_LEVEL", "info"),
  format: env("NODE_ENV", "") === "production" ? "json" : "pretty",
}));
