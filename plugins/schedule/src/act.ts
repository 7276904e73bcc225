import { type App, ForbiddenError, isPlinthError, type PlinthError, withOrigin } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import type { Acting } from "./callers.js";
import type { PlannedAction, Problem } from "./contract.js";
import { DocumentGoneError } from "./errors.js";
import { assertLocale, localeParam, type StoredPlace, typeOf } from "./places.js";
import { isSeen } from "./sight.js";
import { isCompetition } from "./tries.js";

/** What is done with one document. */
export interface StoredAction extends StoredPlace {
  readonly action: PlannedAction;
}

/**
 * Publishes a document, or takes it back. One that is not published stays as it is when it is taken back.
 *
 * @param isTrial - the caller rolls it back.
 * @throws PLINTH_SCHEDULE_DOCUMENT_GONE (404), PLINTH_ACCESS_FORBIDDEN (403), PLINTH_SCHEDULE_LOCALE_GONE,
 * PLINTH_SCHEDULE_NO_DRAFTS, and what publishing is refused for (400)
 */
export async function act(
  app: App,
  { action, ...place }: StoredAction,
  acting: Acting,
  isTrial = false,
): Promise<void> {
  const { uid, documentId, locale } = place;
  const { origin, ...who } = acting;
  const { ability } = who;
  typeOf(app, uid);
  assertLocale(app, locale);
  if (ability) assertCan(ability, [`${uid}.${action}`]);
  if (!(await isSeen(app, place, ability))) throw new DocumentGoneError({});
  const params = { documentId, ...localeParam(locale), ...who, fields: ["documentId"], isTrial };
  const write = () => app.documents(uid)[action](params);
  const { entries } = await withOrigin(() => origin, write);
  if (entries.length > 0) return;
  // What a rule leaves out is not reached; what is not published need not be taken back.
  if (action === "publish" || (await isPublished(app, place))) throw new ForbiddenError({});
}

/** Whether a document has a published version in its locale. */
export async function isPublished(app: App, { uid, documentId, locale }: StoredPlace): Promise<boolean> {
  const params = { documentId, ...localeParam(locale), fallbackLocale: [], fields: ["documentId"] };
  return (await app.documents(uid).findOne({ ...params, status: "published" })) !== null;
}

/**
 * What an error says about the document that it was thrown for.
 *
 * @throws the error itself, where it says nothing about the document
 */
export function problemsOf(error: unknown): readonly Problem[] {
  if (!isRefusal(error)) throw error;
  const { code, message } = error;
  const { errors } = error.details as { readonly errors?: readonly Partial<Problem>[] };
  if (!errors || errors.length === 0) return [{ code, path: [], message }];
  return errors.map((each) => ({ code, path: each.path ?? [], message: each.message ?? message }));
}

/** Whether it is the mistake of somebody, which trying again does not correct. */
const isRefusal = (error: unknown): error is PlinthError =>
  isPlinthError(error) && error.status < 500 && !isCompetition(error);

/** What one action came to: nothing where it was done. */
export interface Outcome<Each> {
  readonly of: Each;
  readonly problems: readonly Problem[];
}

/**
 * Does one after the other, each in a savepoint of its own: what is wrong with one does not keep the others from being
 * looked at. Documents are taken back before others are published, which may take their unique values; and in one
 * order, so that two releases do not wait for each other.
 */
export async function actOnAll<Each extends StoredAction>(
  app: App,
  actions: readonly Each[],
  acting: Acting,
  isTrial = false,
): Promise<readonly Outcome<Each>[]> {
  const outcomes: Outcome<Each>[] = [];
  for (const each of [...actions].sort(inOrder)) {
    const problems = await app.db.transaction(() => act(app, each, acting, isTrial)).then(() => [], problemsOf);
    outcomes.push({ of: each, problems });
  }
  return outcomes;
}

const inOrder = (one: StoredAction, other: StoredAction): number => (keyOf(one) < keyOf(other) ? -1 : 1);

const keyOf = ({ action, uid, documentId, locale }: StoredAction): string =>
  [action === "unpublish" ? 0 : 1, uid, documentId, locale].join(" ");
