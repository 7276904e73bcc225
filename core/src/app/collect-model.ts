import type { App } from "../kernel/app.js";
import { buildModel } from "../schema/build-model.js";
import type { ContentModel } from "../schema/model.js";

/**
 * Makes the content model from what the app and its plugins registered.
 *
 * @throws PLINTH_SCHEMA_INVALID with all problems of all schemas
 */
export function collectModel(app: App): ContentModel {
  return buildModel({
    contentTypes: app
      .registry("content-type")
      .entries()
      .map(([uid, raw]) => ({ ...raw, uid })),
    components: app
      .registry("component")
      .entries()
      .map(([uid, raw]) => ({ ...raw, uid })),
    defaultLocale: app.config.get("i18n.defaultLocale", "en"),
    locales: app.config.get<readonly string[]>("i18n.locales") ?? [],
  });
}
