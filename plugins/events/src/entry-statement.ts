import type { App, Statement, writeHooks } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { CODE_BUDGET, parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { NEWEST } from "./tables.js";

/** An event that is to be written; `origin` and `data` as JSON. */
export interface NewEvent {
  readonly type: string;
  readonly uid: string;
  readonly documentId: string;
  readonly locales: readonly string[];
  readonly origin: string;
  readonly data: string | null;
}

/**
 * The statement that writes an event with what is in the document: PostgreSQL builds it from the rows as the write leaves them,
 * by the statement of a read.
 */
export function entryStatement(app: App, write: keyof typeof writeHooks, event: NewEvent): Statement {
  const type = app.model.contentTypes.get(event.uid) as ContentType;
  const read = app.documents(event.uid).statementOf(readOf(app, type, write, event));
  const next = read.values.length;
  const own = ["text", "text", "text", "text[]", "jsonb", "jsonb"].map(
    (kind, index) => `$${next + index + 1}::${kind}`,
  );
  const text = `insert into ${NEWEST} (type, uid, document_id, locales, origin, data, entries) select ${own.join(", ")}, (select r.data::jsonb from (${read.text}) r)`;
  const { type: name, uid, documentId, locales, origin, data } = event;
  return { text, values: [...read.values, name, uid, documentId, locales, origin, data], isPlan: true };
}

function readOf(app: App, type: ContentType, write: keyof typeof writeHooks, { documentId, locales }: NewEvent) {
  const filters = { documentId, ...(type.isLocalized ? { locale: { $in: locales } } : {}) };
  const params = {
    ...{ filters, populate: partsOf(type), sort: type.isLocalized ? "locale" : "id" },
    ...{ status: write === "publish" || !type.hasDrafts ? "published" : "draft" },
    ...(type.isLocalized ? { locale: "*" } : { fallbackLocale: [] }),
  };
  const options = { visibility: "public", ability: unlimited, kind: "list", defaultStatus: "draft" } as const;
  return parseReadParams(app.model, type, params, { ...options, budget: CODE_BUDGET });
}

/** What is in a document beside its scalars: components, and media. */
const partsOf = ({ attributes }: ContentType): readonly string[] =>
  [...attributes.values()]
    .filter(({ kind }) => kind === "component" || kind === "dynamiczone" || kind === "media")
    .map(({ name }) => name);
