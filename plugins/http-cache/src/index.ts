/** The public entry of the http-cache plugin. */
import { type App, beforeStop, definePlugin, onStart } from "@plinth/core";
import { CacheHeaders } from "./cache-headers.js";
import { type HttpCacheConfig, parseConfig } from "./config.js";
import { InvalidHttpCacheConfigError } from "./errors.js";
import { PublicRights, RIGHTS_TABLE } from "./purge/public-rights.js";
import { purgeChanges } from "./purge/purge-changes.js";

export type { HttpCacheConfig } from "./config.js";

/** Lets caches between app and clients keep public reads over REST and GraphQL. */
export const httpCachePlugin = definePlugin<HttpCacheConfig>({
  name: "http-cache",
  after: ["events"],
  config: parseConfig,
  register({ app, config, on, registry }) {
    registry("read-headers").add("http-cache", new CacheHeaders(app, config));
    if (config.purge === undefined) return;
    registry("table").add(RIGHTS_TABLE.name, RIGHTS_TABLE);
    const rights = new PublicRights(app);
    on(onStart, () => rights.start());
    on(beforeStop, () => rights.stop());
  },
  async bootstrap({ app, config, has }) {
    assertTypes(app, config);
    if (config.purge === undefined) return;
    if (!has("events")) throw new InvalidHttpCacheConfigError({ problems: ["purge needs the plugin events"] });
    await purgeChanges(app, config.purge);
  },
});

/** @throws PLINTH_HTTP_CACHE_CONFIG_INVALID (500) for types that do not exist */
function assertTypes({ model }: App, { types }: HttpCacheConfig): void {
  const unknown = Object.keys(types).filter((uid) => uid !== "*" && !model.contentTypes.has(uid));
  const problems = unknown.map((uid) => `types.${uid} is no content-type`);
  if (problems.length > 0) throw new InvalidHttpCacheConfigError({ problems });
}

export default httpCachePlugin;
