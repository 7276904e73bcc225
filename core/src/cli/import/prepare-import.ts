import { pino } from "pino";
import { buildModel } from "../../schema/build-model.js";
import type { ContentModel } from "../../schema/model.js";
import type { AppSetup } from "../../app/app-setup.js";
import { createPlinth } from "../../app/create-app.js";
import { parseLocalesConfig } from "../../app/locales-config.js";
import type { ExportedSchema, StrapiExport } from "./export-format.js";
import type { Issues } from "./issues.js";
import { planSchemas, type SchemaPlan } from "./plan-schemas.js";

/** What an import means for an app, before anything is changed. */
export interface PreparedImport {
  /** Schema files that the app lacks. */
  readonly schemas: SchemaPlan;
  /** The app's content model once they are there. */
  readonly model: ContentModel;
  readonly hasPlugin: (name: string) => boolean;
}

/** The schemas of an export. */
export async function readSchemas(source: StrapiExport): Promise<readonly ExportedSchema[]> {
  const schemas: ExportedSchema[] = [];
  for await (const schema of source.lines("schemas")) schemas.push(schema);
  return schemas;
}

/**
 * Declares the app, without starting it, and plans what schemas it has to get.
 *
 * @throws PLINTH_SCHEMA_INVALID when the schemas of both do not go together
 */
export function prepareImport(setup: AppSetup, exported: readonly ExportedSchema[], issues: Issues): PreparedImport {
  const declared = createPlinth({ ...setup, log: pino({ level: "silent" }) });
  declared.declareModel();
  const { app } = declared;
  const list = <Raw extends object>(entries: readonly (readonly [string, Raw])[]) =>
    entries.map(([uid, raw]) => ({ ...raw, uid }));
  const known = {
    contentTypes: list(app.registry("content-type").entries()),
    components: list(app.registry("component").entries()),
  };
  const hasPlugin = (name: string) => app.has(name);
  const schemas = planSchemas(exported, known, issues);
  const model = buildModel({ ...schemas.after, ...parseLocalesConfig(app.config.get("i18n")) });
  return { schemas, model, hasPlugin };
}
