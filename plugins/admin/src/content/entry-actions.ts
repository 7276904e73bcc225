import { type App, ForbiddenError, NotFoundError, type VersionParams } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { BulkAction, EntryAction } from "../wire/content.js";
import { preconditionOf, withConflict } from "./conflict.js";
import { duplicateEntry } from "./duplicate.js";
import { type EntryPlace, entryAnswer, placeOf, readEntry, stateOf } from "./read-entry.js";
import { documentIdOf, localeParam, who } from "./write-entry.js";

/** The operations on versions, by their names in paths. */
export const VERSION_ACTIONS = {
  publish: "publish",
  unpublish: "unpublish",
  "discard-draft": "discardDraft",
} as const satisfies Partial<Record<EntryAction & BulkAction, string>>;

/** Name in a path of an operation on versions. */
export type VersionAction = keyof typeof VERSION_ACTIONS;

/** Whether a path names an operation on versions. */
export const isVersionAction = (name: string): name is VersionAction => Object.hasOwn(VERSION_ACTIONS, name);

/** `POST /admin/api/content/:uid/:id/actions/:action`. */
export async function runEntryAction(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { action = "" } = request.params;
  if (action === "duplicate") return await duplicateEntry(app, request);
  if (!isVersionAction(action)) throw new NotFoundError({});
  const place = placeOf(app, request, VERSION_ACTIONS[action]);
  const documentId = await documentIdOf(app, place);
  const precondition = preconditionOf(request);
  return await withConflict(app, { place, precondition }, () =>
    app.db.transaction(async () => {
      await actOn(app, { ...place, documentId }, action, { ...who(request), ...precondition });
      const found = await readEntry(app, place);
      if (!found) throw new NotFoundError({});
      return entryAnswer(found);
    }),
  );
}

/** A place with its document named. */
type NamedPlace = EntryPlace & { readonly documentId: string };

/**
 * Publishes a document, takes it back, or discards its draft. There is nothing to take back or to discard where it was
 * never published.
 *
 * @throws PLINTH_HTTP_NOT_FOUND (404) for a document that the caller does not see
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for one that a rule on the action leaves out
 */
export async function actOn(
  app: App,
  place: NamedPlace,
  action: VersionAction,
  params: Omit<VersionParams, "documentId" | "locale">,
): Promise<void> {
  const { type, documentId, locale } = place;
  const operation = app.documents(type.uid)[VERSION_ACTIONS[action]];
  const { entries } = await operation({ ...params, documentId, ...localeParam(locale), fields: ["documentId"] });
  if (entries.length > 0) return;
  const state = await stateOf(app, place);
  if (state === undefined) throw new NotFoundError({});
  if (action === "publish" || state !== "draft") throw new ForbiddenError({});
}
