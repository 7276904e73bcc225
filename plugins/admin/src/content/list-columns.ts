import type { Document } from "@plinth/core";
import type { PopulateNode, ReadSelection } from "@plinth/core/reads";
import {
  type Attribute,
  type ContentModel,
  type ContentType,
  findField,
  isScalarKind,
  isVirtual,
} from "@plinth/core/schema";
import type { Entry } from "../wire/content.js";
import { NESTED_LIMITS, systemFieldsOf } from "./entry-selection.js";
import { factsOf, type StoredFacts } from "./facts.js";
import { FILE_FIELDS, fileNode, viewOfMedia } from "./file-view.js";
import { namingOf } from "./naming.js";
import { relationNode, relationOf, textOf } from "./related.js";

/** Documents and files that a cell shows; the rest is a number. */
const IN_A_CELL = 1;

/** What a list reads of its rows, and how it shows them. */
export interface ListColumns {
  readonly selection: ReadSelection;
  readonly shape: (row: Document) => Entry;
}

/**
 * The columns of a list. A relation is shown by its first document and their number, files by the first one, a list of
 * components by its length, and one component by its title.
 *
 * @param fields - names with commas, or a list of them; none: every value that is one text or number. Unknown names are
 * refused when the read is parsed.
 * @param most - documents and files that are read of a relation
 */
export function listColumns(
  model: ContentModel,
  type: ContentType,
  fields: unknown,
  most: number = IN_A_CELL,
): ListColumns {
  const names = columnNames(type, fields);
  const system = systemFieldsOf(type);
  const isSystem = (name: string) => type.systemFields.has(name);
  const columns = [...new Set(names)].filter((name) => !isSystem(name));
  const parts = columns.map((name) => columnOf(model, name, findField(type, name) as Attribute | undefined, most));
  return {
    selection: {
      fields: [...system, ...parts.flatMap(({ field }) => (field === undefined ? [] : [{ name: field }]))],
      populate: parts.flatMap(({ node }) => node ?? []),
      limits: NESTED_LIMITS,
    },
    shape: ({ _facts, ...row }) => {
      const shown: Record<string, unknown> = { ...row };
      for (const { name, shape } of parts) if (shape && Object.hasOwn(row, name)) shown[name] = shape(shown[name]);
      return { ...shown, _facts: factsOf(_facts as StoredFacts) } as unknown as Entry;
    },
  };
}

/** The attributes that `fields` names. */
export function columnNames(type: ContentType, fields: unknown): readonly string[] {
  return fields === undefined || fields === "" ? shortFields(type) : namesOf(fields);
}

/** Long texts, passwords and JSON are no columns unless a request names them. */
const LONG: readonly Attribute["kind"][] = ["text", "richtext", "blocks", "json", "password"];

const shortFields = ({ attributes }: ContentType): readonly string[] =>
  [...attributes.values()].filter(({ kind }) => isScalarKind(kind) && !LONG.includes(kind)).map(({ name }) => name);

function namesOf(fields: unknown): readonly string[] {
  const items = Array.isArray(fields) ? (fields as readonly unknown[]) : [fields];
  return items.flatMap((item) =>
    String(item)
      .split(",")
      .map((name) => name.trim()),
  );
}

/** One column: a field or something populated, and how its value is shown where that is not as it is read. */
interface Column {
  readonly name: string;
  readonly field?: string;
  readonly node?: PopulateNode;
  readonly shape?: (value: unknown) => unknown;
}

function columnOf(model: ContentModel, name: string, attribute: Attribute | undefined, most: number): Column {
  if (attribute === undefined || (attribute.kind !== "dynamiczone" && isScalarKind(attribute.kind)))
    return { name, field: name };
  switch (attribute.kind) {
    case "relation":
      if (isVirtual(attribute)) return { name, field: name };
      return { name, node: relationNode(model, attribute, most), shape: (value) => relationOf(value, most) };
    case "media": {
      const page = attribute.isMany ? { pagination: { limit: most } } : {};
      return { name, node: { ...fileNode(model, name, FILE_FIELDS), ...page }, shape: viewOfMedia };
    }
    case "component":
      return attribute.repeatable ? lengthColumn(name) : titleColumn(model, name, attribute.component);
    default:
      return lengthColumn(name);
  }
}

function lengthColumn(name: string): Column {
  const node: PopulateNode = { name, fields: [], populate: [], pagination: { limit: -1 } };
  return { name, node, shape: (value) => (Array.isArray(value) ? value.length : 0) };
}

function titleColumn(model: ContentModel, name: string, uid: string): Column {
  const component = model.components.get(uid);
  const title = component && namingOf(component).title;
  const fields = title === undefined ? [] : [{ name: title, alias: "title" }];
  const shape = (value: unknown) => textOf((value as { readonly title?: unknown } | null)?.title) ?? null;
  return { name, node: { name, fields, populate: [] }, shape };
}
