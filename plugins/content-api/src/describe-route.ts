import { pascalCase } from "@plinth/core";
import type { AnswerDescription, JsonSchema, QueryDescription, RouteDescription } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";
import type { CoreAction } from "./contract.js";

/** What has to be known of a content-type to describe its routes. */
export type DescribedType = Pick<
  ContentType,
  "uid" | "kind" | "singularName" | "pluralName" | "displayName" | "hasDrafts" | "isLocalized"
>;

type Query = Readonly<Record<string, QueryDescription>>;

const TEXT: JsonSchema = { type: "string" };
const META: JsonSchema = { type: "object" };
const COUNT: JsonSchema = { type: "integer", minimum: 0 };

/** `meta.pagination`, in either style. */
export const PAGINATION_SCHEMA: JsonSchema = {
  anyOf: [
    pagination({ page: COUNT, pageSize: COUNT }, { pageCount: COUNT, total: COUNT }),
    pagination({ start: COUNT, limit: COUNT }, { total: COUNT }),
  ],
};

function pagination(always: object, counted: object): JsonSchema {
  const properties = { ...always, ...counted };
  return { type: "object", required: Object.keys(always), properties, additionalProperties: false };
}

/** Which rows of a list are wanted; the two styles do not mix. */
export const PAGINATION_QUERY: QueryDescription = {
  description: "By page (page, pageSize) or by offset (start, limit)",
  schema: {
    type: "object",
    anyOf: [
      asked({ page: { type: "integer", minimum: 1 }, pageSize: { type: "integer", minimum: 1 } }),
      asked({ start: { type: "integer", minimum: 0 }, limit: { type: "integer", minimum: 1 } }),
    ],
  },
};

function asked(properties: object): JsonSchema {
  return { type: "object", additionalProperties: false, properties: { ...properties, withCount: { type: "boolean" } } };
}

/** What of the entries an answer shows. */
export function shownQuery(uid: string): Query {
  return {
    fields: {
      description: "Attributes of the answer; default: all",
      schema: { type: "array", items: { $ref: `${uid}#fields` } },
    },
    populate: {
      description:
        "Relations, media and components of the answer, `author` or `author.avatar`; `*` for the first level. " +
        "With brackets also `populate[author][fields]`, `[filters]`, `[sort]`, `[populate]`, `[count]`.",
      schema: { type: "array", items: { $ref: `${uid}#populate` } },
    },
  };
}

/** Which entries a list shows, and in which order. */
export function listQuery(uid: string): Query {
  return {
    filters: { description: "`filters[title][$startsWith]=A`", schema: { $ref: `${uid}#filters` } },
    sort: {
      description: "`title:asc`, or through a relation `author.name`",
      schema: { type: "array", items: { $ref: `${uid}#sort` } },
    },
    _q: { description: "Texts that contain this, in any attribute", schema: TEXT },
  };
}

/**
 * What a generated endpoint takes and answers, for documents of the API.
 *
 * @param isOne - of a draft action: whether it is about the one document of the path.
 */
export function describeRoute(type: DescribedType, action: CoreAction, isOne: boolean): RouteDescription {
  const tag = type.displayName;
  switch (action) {
    case "find":
      return { tag, ...(type.kind === "singleType" ? describeFindOne(type, "find") : describeFind(type)) };
    case "findOne":
      return { tag, ...describeFindOne(type, "find") };
    case "create":
    case "update":
      return { tag, ...describeWrite(type, action) };
    case "delete":
      return { tag, ...describeDelete(type) };
    default:
      return { tag, ...(isOne ? describeDraftAction(type, action) : describeBulkAction(type, action)) };
  }
}

/** The description of a write that is done once for each `Idempotency-Key`. */
export function withKey({ headers, errors = [], ...described }: RouteDescription): RouteDescription {
  const key =
    "A new UUID for each change: sent again with it, the change is made once and answered the same for 24 hours";
  return { ...described, headers: { ...headers, "Idempotency-Key": key }, errors: [...errors, 409, 422] };
}

type Described = Omit<RouteDescription, "tag">;

function describeFind(type: DescribedType): Described {
  const meta = { type: "object", required: ["pagination"], properties: { pagination: PAGINATION_SCHEMA } };
  return {
    summary: `List ${type.pluralName}`,
    name: `find${pascalCase(type.pluralName)}`,
    query: {
      ...listQuery(type.uid),
      pagination: PAGINATION_QUERY,
      ...shownQuery(type.uid),
      ...versionQuery(type),
      ...fallbackQuery(type),
      ...publicationQuery(type),
    },
    answers: { 200: { description: "A page of entries", schema: envelope(listOf(type), meta) } },
  };
}

function describeFindOne(type: DescribedType, verb: string): Described {
  return {
    summary: `Get ${article(type)}`,
    name: `${verb}${pascalCase(type.singularName)}`,
    query: { ...shownQuery(type.uid), ...versionQuery(type), ...fallbackQuery(type) },
    headers: { "If-None-Match": "The ETag of what is there already; 304 if nothing has changed" },
    answers: { 200: entryAnswer(type), 304: { description: "Nothing has changed" } },
    errors: [404],
  };
}

function describeWrite(type: DescribedType, action: "create" | "update"): Described {
  const data = type.kind === "singleType" ? "update" : action;
  const schema = envelope({ $ref: `${type.uid}#${data}` });
  const isNew = action === "create";
  return {
    summary: `${isNew ? "Create" : "Change"} ${article(type)}`,
    ...(type.hasDrafts ? { description: "It is published as well, unless `status` is `draft`." } : {}),
    name: `${action}${pascalCase(type.singularName)}`,
    query: { ...shownQuery(type.uid), ...versionQuery(type) },
    ...(isNew ? {} : { headers: VERSION_HEADERS }),
    body: { schema },
    answers: { [isNew ? 201 : 200]: entryAnswer(type) },
    errors: isNew ? [] : [404],
  };
}

function describeDelete(type: DescribedType): Described {
  return {
    summary: `Delete ${article(type)}`,
    name: `delete${pascalCase(type.singularName)}`,
    query: localeQuery(type),
    headers: VERSION_HEADERS,
    answers: { 204: { description: "It is gone, or was not there" } },
  };
}

function describeDraftAction(type: DescribedType, action: CoreAction): Described {
  const one: JsonSchema = { $ref: type.uid };
  const data = type.isLocalized ? { anyOf: [one, listOf(type)] } : one;
  return {
    summary: `${SUMMARY_OF[action]} ${article(type)}`,
    name: `${action}${pascalCase(type.singularName)}`,
    query: { ...shownQuery(type.uid), ...localesQuery(type) },
    headers: VERSION_HEADERS,
    answers: { 200: { ...entryAnswer(type), description: "What is there now", schema: envelope(data, META) } },
    errors: [404],
  };
}

function describeBulkAction(type: DescribedType, action: CoreAction): Described {
  const ids = { type: "array", items: { type: "string", minLength: 1 }, minItems: 1, maxItems: 1000 };
  const data = {
    type: "object",
    required: ["documentIds"],
    additionalProperties: false,
    properties: { documentIds: ids },
  };
  return {
    summary: `${SUMMARY_OF[action]} several ${type.pluralName}, all or none`,
    name: `${action}${pascalCase(type.pluralName)}`,
    query: { ...shownQuery(type.uid), ...localesQuery(type) },
    headers: { "If-Match": VERSION_HEADERS["If-Match"] },
    body: { schema: envelope(data) },
    answers: { 200: { description: "What is there now", schema: envelope(listOf(type), META) } },
    errors: [404],
  };
}

const SUMMARY_OF: Readonly<Record<string, string>> = {
  publish: "Publish",
  unpublish: "Unpublish",
  discardDraft: "Discard the draft of",
};

const VERSION_HEADERS = {
  "If-Match": "An ETag, or several: the write happens to this version only, else it is a 412",
  "If-None-Match": "`*`, or ETags: the write happens if the document has none of these versions, else it is a 412",
} as const;

const listOf = ({ uid }: DescribedType): JsonSchema => ({ type: "array", items: { $ref: uid } });

function envelope(data: JsonSchema, meta?: JsonSchema): JsonSchema {
  const properties = { data, ...(meta === undefined ? {} : { meta }) };
  return { type: "object", required: Object.keys(properties), properties, additionalProperties: false };
}

function entryAnswer({ uid }: DescribedType): AnswerDescription {
  return {
    description: "The entry",
    schema: envelope({ $ref: uid }, META),
    headers: { ETag: "The version of the document and the hash of the answer" },
  };
}

function article({ kind, singularName }: DescribedType): string {
  if (kind === "singleType") return `the ${singularName}`;
  return `${/^[aeiou]/i.test(singularName) ? "an" : "a"} ${singularName}`;
}

function versionQuery(type: DescribedType): Query {
  const status = { description: "Default: published", schema: { enum: ["draft", "published"] } };
  return { ...(type.hasDrafts ? { status } : {}), ...localeQuery(type) };
}

function localeQuery({ isLocalized }: DescribedType): Query {
  return isLocalized ? { locale: { description: "Default: the app's default locale", schema: TEXT } } : {};
}

function localesQuery({ isLocalized }: DescribedType): Query {
  const schema = { type: "array", items: TEXT };
  return isLocalized ? { locale: { description: "One, several, or `*`; default: the default locale", schema } } : {};
}

function fallbackQuery({ isLocalized }: DescribedType): Query {
  const description = "Locales that stand in, in this order, for what is not in `locale`";
  return isLocalized ? { fallbackLocale: { description, schema: { type: "array", items: TEXT } } } : {};
}

function publicationQuery({ hasDrafts }: DescribedType): Query {
  const description = "Drafts by whether they are published";
  return hasDrafts ? { hasPublishedVersion: { description, schema: { type: "boolean" } } } : {};
}
