import { defineConfig } from "@plinth/core";

/**
 * Everything is closed until it is opened here. The sample lets everybody read; a request with the token of
 * PLINTH_TOKEN may write, too.
 */
export default defineConfig(({ env }) => {
  const token = env("PLINTH_TOKEN", "");
  return { public: "read", tokens: token ? { [token]: "all" } : {} };
});
