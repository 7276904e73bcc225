// Writes an app of many content-types, to see what each one costs.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONFIG = fileURLToPath(new URL("../apps/corpus/config", import.meta.url));
const KINDS = ["string", "text", "integer", "decimal", "boolean", "date", "datetime", "email", "json", "float"];
const ATTRIBUTES = 20;

/**
 * Writes an app whose content-types have 20 attributes and 3 relations each: to the next type, to the one after it, and
 * to many of the third.
 *
 * @param {number} types
 * @returns {{ root: string, remove: () => void }} its folder.
 */
export function writeTypesApp(types) {
  const root = mkdtempSync(join(tmpdir(), "plinth-types-"));
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "junction");
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  cpSync(CONFIG, join(root, "config"), { recursive: true });
  for (let index = 0; index < types; index += 1) {
    const folder = join(root, "src", "api", nameOf(index), "content-types", nameOf(index));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "schema.json"), JSON.stringify(schemaOf(index, types)));
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** The singular name of a type; the plural has an "s" more. */
export const nameOf = (index) => `thing-${index}`;

function schemaOf(index, types) {
  const name = nameOf(index);
  const relation = (kind, steps) => {
    const target = nameOf((index + steps) % types);
    return { type: "relation", relation: kind, target: `api::${target}.${target}` };
  };
  const attributes = Array.from({ length: ATTRIBUTES }, (_, n) => [`field${n}`, { type: KINDS[n % KINDS.length] }]);
  return {
    kind: "collectionType",
    collectionName: `${name.replace("-", "_")}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: index % 2 === 0 },
    attributes: {
      ...Object.fromEntries(attributes),
      next: relation("manyToOne", 1),
      afterNext: relation("oneToOne", 2),
      others: relation("manyToMany", 3),
    },
  };
}
