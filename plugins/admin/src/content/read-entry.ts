import { type App, NotFoundError } from "@plinth/core";
import { CODE_BUDGET, parseReadParams, type PreparedRead, type ReadOptions } from "@plinth/core/reads";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";
import type { Entry } from "../wire/content.js";
import { entrySelection } from "./entry-selection.js";
import type { StoredFacts } from "./facts.js";
import { invalidRequest } from "./request-body.js";
import { shapeEntry } from "./shape-entry.js";
import { typeFor } from "./shown-types.js";

/** Stands in paths for the document of a single type. */
export const SINGLE = "single";

/** Which version of which document is meant, and by whom. */
export interface EntryPlace {
  readonly type: ContentType;
  /** Undefined: that of a single type. */
  readonly documentId: string | undefined;
  /** Undefined: the default locale, and none on types that are not localised. */
  readonly locale: string | undefined;
  readonly ability: RequestInfo["actor"]["ability"];
}

/** An entry with the version that it was read in. */
export interface ReadEntry {
  readonly entry: Entry;
  readonly version: string;
}

/** The document that a request names. @throws as typeFor */
export function placeOf(app: App, request: RequestInfo, ...actions: readonly string[]): EntryPlace {
  const type = typeFor(app, request, ...actions);
  const { id = "" } = request.params;
  const isSingle = type.kind === "singleType";
  if (isSingle !== (id === SINGLE)) throw new NotFoundError({});
  return {
    type,
    documentId: isSingle ? undefined : id,
    locale: localeIn(type, request),
    ability: request.actor.ability,
  };
}

/**
 * The locale that a request names; undefined for none, and on types that are not localised.
 *
 * @throws PLINTH_ADMIN_INVALID (400) for several
 */
export function localeIn({ isLocalized }: ContentType, { query: { locale } }: RequestInfo): string | undefined {
  if (locale !== undefined && typeof locale !== "string")
    throw invalidRequest([{ path: "locale", message: "must be one locale" }]);
  return isLocalized && locale !== "" ? locale : undefined;
}

/** `GET /admin/api/content/:uid/:id`. */
export async function getEntry(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const place = placeOf(app, request, "find");
  const found = await readEntry(app, place, request.query["status"]);
  if (!found) throw new NotFoundError({});
  return entryAnswer(found);
}

/** The answer with one entry. */
export const entryAnswer = ({ entry, version }: ReadEntry, status = 200): EndpointAnswer => ({
  status,
  version,
  body: { data: entry },
});

/**
 * Reads a document as it is stored, with its facts. A form has to open all that a document can hold, so that only the number
 * of what is linked is limited.
 *
 * @returns undefined where there is none that the caller sees.
 */
export async function readEntry(app: App, place: EntryPlace, status?: unknown): Promise<ReadEntry | undefined> {
  const { model } = app;
  const selection = entrySelection(model, place.type);
  const prepared = prepareOne(app, place, { status, selection, facts: true, asStored: true });
  const { version = "", rows } = await readRows(app, place, prepared);
  const [row] = rows;
  return row && { entry: shapeEntry(model, place.type, row), version };
}

/** Prepares a read of the document of a place; no other locale stands in for one that it does not have. */
export function prepareOne(
  { model, readBudget }: App,
  { type, documentId, locale, ability }: EntryPlace,
  { status, ...options }: Partial<ReadOptions> & { readonly status?: unknown },
): PreparedRead {
  return parseReadParams(
    model,
    type,
    { locale, status, fallbackLocale: [] },
    {
      ...{ visibility: "admin", kind: "one", defaultStatus: "draft", action: `${type.uid}.find`, ability },
      ...(documentId === undefined ? {} : { documentId }),
      budget: { ...CODE_BUDGET, nestedLimit: readBudget.nestedLimit },
      ...options,
    },
  );
}

/** Runs a read of one document. */
export async function readRows(app: App, { type }: EntryPlace, prepared: PreparedRead) {
  const result = await app.documents(type.uid).read(prepared);
  return { version: result.version, rows: result.rows() };
}

/** The state of a document; undefined where the caller sees none. */
export async function stateOf(app: App, place: EntryPlace): Promise<StoredFacts["state"]> {
  const selection = { fields: [{ name: "id" }], populate: [] };
  const documentId = place.type.kind === "singleType" ? undefined : place.documentId;
  const one = { ...place, documentId };
  const { rows } = await readRows(app, one, prepareOne(app, one, { selection, facts: ["state"] }));
  return (rows[0]?.["_facts"] as StoredFacts | undefined)?.state;
}
