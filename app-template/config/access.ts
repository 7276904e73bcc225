import { defineConfig } from "@plinth/core";

/**
 * Tokens that are fixed by configuration: requests with the one of PLINTH_TOKEN may do everything. What people and the
 * public may is in permissions.ts.
 */
export default defineConfig(({ env }) => {
  const token = env("PLINTH_TOKEN", "");
  return { tokens: token ? { [token]: "all" } : {} };
});
