import { AUTHOR_FIELDS, COMPONENT_ID } from "./find-field.js";
import type { ContentType, RelationAttribute, ScalarAttribute, ScalarKind } from "./model.js";

/** The fields that every row has, in the order of answers; `locale` on localised types only. */
export function buildSystemFields(isLocalized: boolean): ContentType["systemFields"] {
  const fields = [
    COMPONENT_ID,
    systemField("documentId", "document_id", "string"),
    systemField("createdAt", "created_at", "datetime"),
    systemField("updatedAt", "updated_at", "datetime"),
    systemField("publishedAt", "published_at", "datetime"),
    ...(isLocalized ? [systemField("locale", "locale", "string")] : []),
  ];
  return new Map(fields.map((field) => [field.name, field]));
}

/** `_q` searches document ids too, and no other system field (WIRE.md, "Search"). */
function systemField(name: string, column: string, kind: ScalarKind): ScalarAttribute {
  return Object.freeze({
    name,
    column,
    kind,
    required: true,
    isPrivate: false,
    isWritable: false,
    isLocalized: true,
    renamedFrom: undefined,
    unique: false,
    index: false,
    defaultValue: undefined,
    min: undefined,
    max: undefined,
    minLength: undefined,
    maxLength: undefined,
    regex: undefined,
    values: [],
    enumName: undefined,
    targetField: undefined,
    autoGenerate: false,
    searchable: name === "documentId",
  });
}

const COLUMNS = { createdBy: "created_by_id", updatedBy: "updated_by_id" } as const;

/** `createdBy` and `updatedBy` of a content-type. @param authorType - uid of what they lead to; undefined: there are none. */
export function buildAuthors(authorType: string | undefined): ReadonlyMap<string, RelationAttribute> {
  if (authorType === undefined) return new Map();
  return new Map(AUTHOR_FIELDS.map((name) => [name, buildAuthor(name, authorType)]));
}

/** Written by the server alone, from the `author` of a write. Only the model of administrators has it: see with-authors.ts. */
function buildAuthor(name: keyof typeof COLUMNS, target: string): RelationAttribute {
  return Object.freeze({
    name,
    target,
    column: COLUMNS[name],
    kind: "relation",
    relation: "manyToOne",
    storage: "author",
    isMany: false,
    isPolymorphic: false,
    isExclusive: false,
    required: false,
    isPrivate: false,
    isWritable: false,
    isLocalized: true,
    renamedFrom: undefined,
    inversedBy: undefined,
    mappedBy: undefined,
    allowedTypes: [],
  });
}
