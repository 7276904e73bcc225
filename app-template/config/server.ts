import { defineConfig } from "@plinth/core";

export default defineConfig(({ env }) => ({
  host: env("HOST", "127.0.0.1"),
  port: env.int("PORT", 1337),
  // How many proxies in front are believed about client and protocol (X-Forwarded-*): 1 behind nginx.
  proxy: env.int("PROXIES", 0),
}));
