import { defineConfig } from "@plinth/core";

/**
 * In production a start adds what the content-types ask for and takes nothing away, so that processes of the version
 * before go on: `plinth schema apply --allow-data-loss` does that when they are gone.
 */
export default defineConfig(({ env }) => ({ sync: env("NODE_ENV", "") === "production" ? "additive" : "apply" }));
