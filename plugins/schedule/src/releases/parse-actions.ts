import { type Ability, type App, isPlinthError } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import type { OptionProblem } from "@plinth/core/options";
import type { StoredAction } from "../act.js";
import { assertReached } from "../assert-reached.js";
import type { Caller, NewReleaseAction } from "../contract.js";
import { InvalidPlanError } from "../errors.js";
import { type StoredPlace, storedPlace } from "../places.js";
import { seenAmong } from "../sight.js";

/** What actions are given for. */
interface Given {
  /** Those that are in the release already, which are not asked for again. Default: none. */
  readonly present?: readonly StoredAction[];
  /** Which key of what was given holds the actions: errors name it. Default: `actions`. */
  readonly key?: "actions" | "add";
}

/** Documents of a release. */
export const MOST = 1_000;

/**
 * The actions of a release, checked: documents that the caller does not see are as if they were not there, and what a release of
 * others does is not more than who adds to it may do.
 *
 * @throws PLINTH_SCHEDULE_INVALID (400) with all problems, PLINTH_ACCESS_FORBIDDEN (403)
 */
export async function parseActions(
  app: App,
  given: readonly NewReleaseAction[],
  { actor }: Caller,
  { present = [], key = "actions" }: Given = {},
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
  const actions = parsed.filter((action) => action !== undefined);
  if (actor) await assertMayDo(app, without(actions, present), actor.ability);
  return actions;
}

/** As with a plan: what is to be done later, the caller may do now. @throws PLINTH_ACCESS_FORBIDDEN (403) */
async function assertMayDo(app: App, added: readonly StoredAction[], ability: Ability): Promise<void> {
  assertCan(
    ability,
    added.map(({ uid, action }) => `${uid}.${action}`),
  );
  await assertReached(app, added, ability);
}

function without(actions: readonly StoredAction[], present: readonly StoredAction[]): readonly StoredAction[] {
  const known = new Set(present.map((each) => `${each.action} ${keyOf(each)}`));
  return actions.filter((each) => !known.has(`${each.action} ${keyOf(each)}`));
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
