import { defineConfig } from "@plinth/core";

/** On a terminal lines are for people, elsewhere JSON for machines. */
export default defineConfig(({ env }) => ({ level: env("LOG_LEVEL", "info") }));
