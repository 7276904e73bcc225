import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AppDefinition } from "../../kernel/plugin.js";
import type { RawAttribute } from "../../schema/raw.js";
import { ModuleExportError } from "../errors.js";
import { listFolders, readJson } from "./read-module.js";

/** What an app adds to a content-type of a plugin. */
export interface TypeExtension {
  /** Uid of the content-type: `plugin::users-permissions.user`. */
  readonly uid: string;
  readonly attributes: Readonly<Record<string, RawAttribute>>;
}

const EXPECTED =
  'an object with nothing but `attributes`, such as { "attributes": { "phone": { "type": "string" } } },';

/**
 * Reads `src/extensions/<plugin>/content-types/<name>/schema.json`: attributes that the app adds to a content-type of a
 * plugin.
 *
 * @param directory - the folder `src/extensions`; a missing one means that there are none.
 * @throws PLINTH_PROJECT_JSON_INVALID, PLINTH_PROJECT_MODULE_EXPORT for a file of another form
 */
export async function loadExtensions(directory: string): Promise<readonly TypeExtension[]> {
  const plugins = await listFolders(directory);
  const places = await Promise.all(
    plugins.map(async (plugin) => {
      const folder = join(directory, plugin, "content-types");
      return (await listFolders(folder)).map((name) => ({
        uid: `plugin::${plugin}.${name}`,
        file: join(folder, name, "schema.json"),
      }));
    }),
  );
  const found = places.flat().filter(({ file }) => existsSync(file));
  return Promise.all(
    found.map(async ({ uid, file }) => ({ uid, attributes: attributesOf(file, await readJson(file)) })),
  );
}

function attributesOf(file: string, content: unknown): TypeExtension["attributes"] {
  const { attributes, ...others } = (content ?? {}) as { readonly attributes?: unknown };
  const isFit = typeof attributes === "object" && attributes !== null && !Array.isArray(attributes);
  if (!isFit || Object.keys(others).length > 0) throw new ModuleExportError({ file, expected: EXPECTED });
  return attributes as TypeExtension["attributes"];
}

/** An app that adds to the content-types of plugins what its extensions say, before it registers what is its own. */
export function withExtensions(app: AppDefinition, extensions: readonly TypeExtension[]): AppDefinition {
  if (extensions.length === 0) return app;
  return {
    ...app,
    register(context) {
      for (const { uid, attributes } of extensions)
        context
          .registry("content-type")
          .extend(uid, (type) => ({ ...type, attributes: { ...type.attributes, ...attributes } }));
      app.register?.(context);
    },
  };
}
