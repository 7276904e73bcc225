import type { Database } from "../database/driver/database.js";
import { documentHooks } from "../documents/hooks.js";
import type { App } from "../kernel/app.js";
import { RegistryUnknownError } from "../kernel/errors.js";
import { hook } from "../kernel/hook.js";
import { buildModel } from "../schema/build-model.js";
import type { ContentModel } from "../schema/model.js";
import { parseLocalesConfig } from "./locales-config.js";

/** The database and the content model that its tables are about to be matched to. */
export interface SyncEvent {
  readonly db: Database;
  readonly model: ContentModel;
}

/**
 * For plugins that keep a part of the model in the database, such as its locales: the synchronisation of content
 * depends on them. The tables may be those of an earlier version, or not there at all.
 */
export const beforeSync = hook.series<SyncEvent>(
  "schema:beforeSync",
  "Before the tables are compared with the content-types, at a start and by `plinth schema`.",
);

/**
 * Makes the content model from what the app and its plugins registered.
 *
 * @throws PLINTH_SCHEMA_INVALID with all problems of all schemas
 * @throws PLINTH_REGISTRY_UNKNOWN for a handler of document hooks that is about a type that does not exist
 * @throws PLINTH_CONFIG_LOCALES for `config/i18n` of another form
 */
export function collectModel(app: App): ContentModel {
  const model = buildModel({
    contentTypes: app
      .registry("content-type")
      .entries()
      .map(([uid, raw]) => ({ ...raw, uid })),
    components: app
      .registry("component")
      .entries()
      .map(([uid, raw]) => ({ ...raw, uid })),
    ...parseLocalesConfig(app.config.get("i18n")),
    openDrafts: app.config.get("api.rest.openDrafts", false),
    tables: app
      .registry("table")
      .entries()
      .map(([, table]) => table),
  });
  assertHookSubjects(app, model);
  return model;
}

/**
 * Checks that handlers of document hooks are limited to content-types that exist.
 *
 * @throws PLINTH_REGISTRY_UNKNOWN (500)
 */
function assertHookSubjects(app: App, model: ContentModel): void {
  const known = [...model.contentTypes.keys()];
  const unknown = app.hooks.subjectsOf(documentHooks([])).find(({ uid }) => !model.contentTypes.has(uid));
  if (unknown) throw new RegistryUnknownError({ registry: "content-type", known, ...unknown });
}
