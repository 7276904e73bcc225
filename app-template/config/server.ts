import { defineConfig } from "@plinth/core";

export default defineConfig(({ env }) => ({
  host: env("HOST", "127.0.0.1"),
  port: env.int("PORT", 1337),
}));
