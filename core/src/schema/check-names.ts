import { isUid, namespaceOf } from "../base/uid.js";
import type { Attribute, ContentType } from "./model.js";
import type { Report } from "./errors.js";

/** PostgreSQL truncates longer identifiers silently. */
const MAX_IDENTIFIER_BYTES = 63;

/** Columns that every table has beside those of its attributes (decision 1). */
const SYSTEM_COLUMNS = [
  ...["id", "document_id", "locale", "published_at", "created_at", "updated_at", "created_by_id", "updated_by_id"],
];

/** Checks that names which have to differ do: API names, tables, and the columns of each table; and that all fit PostgreSQL. */
export function checkNames(types: readonly ContentType[], reportOf: (type: ContentType) => Report): void {
  checkApiNames(types, reportOf);
  checkTables(types, reportOf);
  for (const type of types) checkColumns(type, reportOf(type));
}

/** All types of the app share one set of paths, each plugin has its own. */
function checkApiNames(types: readonly ContentType[], reportOf: (type: ContentType) => Report): void {
  const owners = new Map<string, ContentType>();
  for (const type of types) {
    const namespace = isUid(type.uid) && !type.uid.startsWith("api::") ? namespaceOf(type.uid) : "api";
    for (const key of ["singularName", "pluralName"] as const) {
      const name = `${namespace} ${type[key]}`;
      const other = owners.get(name);
      if (other && other !== type && type[key] !== "") {
        reportOf(type)(
          `info.${key}`,
          `${other.uid} is called "${type[key]}" too.`,
          "Give one of the two another name.",
        );
      }
      owners.set(name, other ?? type);
    }
  }
}

function checkTables(types: readonly ContentType[], reportOf: (type: ContentType) => Report): void {
  const owners = new Map<string, ContentType>();
  for (const type of types) {
    const tables = [type.table, `${type.table}_links`];
    const taken = tables.find((table) => owners.has(table));
    if (taken !== undefined) {
      const message = `The table "${taken}" belongs to ${owners.get(taken)?.uid} already.`;
      reportOf(type)("collectionName", message, "Give this type another collectionName.");
    }
    checkLength(`${type.table}_links`, "collectionName", reportOf(type));
    for (const table of tables) owners.set(table, owners.get(table) ?? type);
  }
  for (const type of types) {
    const holder = type.renamedFrom === undefined ? undefined : owners.get(type.renamedFrom);
    if (!holder) continue;
    const message = `The table "${type.renamedFrom}" belongs to ${holder.uid}.`;
    reportOf(type)("renamedFrom", message, "Name the table that this type had before, or remove renamedFrom.");
  }
}

function checkColumns(type: ContentType, report: Report): void {
  const owners = new Map(SYSTEM_COLUMNS.map((column) => [column, "the server itself"]));
  for (const attribute of type.attributes.values()) {
    for (const column of columnsOf(attribute)) {
      const owner = owners.get(column);
      if (owner) {
        const message = `Its column "${column}" is taken by ${owner}.`;
        report(
          `attributes.${attribute.name}`,
          message,
          "Give the attribute a name that differs by more than case and underscores.",
        );
      }
      checkLength(column, `attributes.${attribute.name}`, report);
      owners.set(column, owner ?? `the attribute "${attribute.name}"`);
    }
  }
}

/** The columns of an attribute, with those that a to-one relation has beside its own. */
function columnsOf(attribute: Attribute): readonly string[] {
  if (attribute.column === undefined) return [];
  if (attribute.kind !== "relation") return [attribute.column];
  return [
    attribute.column,
    ...(attribute.isPolymorphic ? [`${attribute.column}_type`] : []),
    ...(attribute.inversedBy === undefined ? [] : [`${attribute.column}_position`]),
  ];
}

function checkLength(identifier: string, path: string, report: Report): void {
  const bytes = Buffer.byteLength(identifier);
  if (bytes <= MAX_IDENTIFIER_BYTES) return;
  const message = `"${identifier}" has ${bytes} bytes; PostgreSQL's names have at most ${MAX_IDENTIFIER_BYTES}.`;
  report(path, message, "Choose a shorter name.");
}
