import { definePlugin } from "@plinth/core";

interface LimitConfig {
  /** How many notes a list shows, at most. */
  readonly limit: number;
}

declare module "@plinth/core" {
  interface PluginConfigs {
    "adds-config": LimitConfig;
  }
}

function parseConfig(raw: unknown): LimitConfig {
  const config = { limit: 10, ...(raw as Partial<LimitConfig> | undefined) };
  if (!Number.isInteger(config.limit) || config.limit < 1) throw new RangeError("limit has to be 1 or more");
  return config;
}

/** Configuration with a default and a check. */
export default definePlugin<LimitConfig>({
  name: "adds-config",
  config: parseConfig,
  controllers: {
    latest: ({ app }) => ({
      async list() {
        const { limit } = app.plugin("adds-config").config;
        return { data: await app.documents("api::note.note").findMany({ sort: "id:desc", pagination: { limit } }) };
      },
    }),
  },
  routes: [{ method: "GET", path: "/latest", handler: "latest.list", config: { auth: false } }],
});
