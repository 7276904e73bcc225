import { type App, isPlinthError } from "@plinth/core";
import type { OptionProblem } from "@plinth/core/options";
import type { StoredAction } from "../act.js";
import type { Caller, NewReleaseAction } from "../contract.js";
import { InvalidPlanError } from "../errors.js";
import { type StoredPlace, storedPlace } from "../places.js";
import { seenAmong } from "../sight.js";

/** Which key of what was given holds the actions: errors name it. */
export type ActionsKey = "actions" | "add";

/** Documents of a release. */
export const MOST = 1_000;

/**
 * The actions of a release, checked: documents that the caller does not see are as if they were not there.
 *
 * @throws PLINTH_SCHEDULE_INVALID (400) with all problems
 */
export async function parseActions(
  app: App,
  given: readonly NewReleaseAction[],
  { actor }: Caller,
  key: ActionsKey = "actions",
): Promise<readonly StoredAction[]> {
  const errors: OptionProblem[] = [];
  if (given.length === 0 || given.length > MOST) errors.push({ path: key, message: `must be 1 to ${MOST}` });
  const parsed =
    errors.length > 0 ? [] : given.map((each, index) => parseAction(app, each, `${key}[${index}]`, errors));
  const known = new Map<string, number>();
  for (const [index, action] of parsed.entries()) {
    if (!action) continue;
    if (known.has(keyOf(action))) errors.push({ path: `${key}[${index}]`, message: "names a document a second time" });
    known.set(keyOf(action), index);
  }
  for (const index of await unseen(app, parsed, actor?.ability))
    errors.push({
      path: `${key}[${index}].documentId`,
      message: "names no document with a draft in this locale",
    });
  if (errors.length > 0) throw new InvalidPlanError({ errors });
  return parsed.filter((action) => action !== undefined);
}

const keyOf = ({ uid, documentId, locale }: StoredPlace): string => JSON.stringify([uid, documentId, locale]);

function parseAction(
  app: App,
  { action, ...place }: NewReleaseAction,
  path: string,
  errors: OptionProblem[],
): StoredAction | undefined {
  try {
    return { ...storedPlace(app, place), action };
  } catch (error) {
    if (!isPlinthError(error) || error.status !== 400) throw error;
    const name = error.code === "PLINTH_SCHEDULE_LOCALE_GONE" ? "locale" : "type";
    errors.push({ path: `${path}.${name}`, message: `cannot be used: ${error.message}` });
    return undefined;
  }
}

/** Where documents are named that the caller does not see, or that are not there. */
async function unseen(
  app: App,
  actions: readonly (StoredAction | undefined)[],
  ability: Parameters<typeof seenAmong>[3],
): Promise<readonly number[]> {
  const seen = new Map<string, Promise<ReadonlySet<string>>>();
  const idsOf = (uid: string, locale: string) =>
    actions.flatMap((each) => (each?.uid === uid && each.locale === locale ? [each.documentId] : []));
  const absent: number[] = [];
  for (const [index, action] of actions.entries()) {
    if (!action) continue;
    const key = `${action.uid} ${action.locale}`;
    const known = seen.get(key) ?? seenAmong(app, action, idsOf(action.uid, action.locale), ability);
    seen.set(key, known);
    if (!(await known).has(action.documentId)) absent.push(index);
  }
  return absent;
}
