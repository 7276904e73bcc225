import type { App } from "@plinth/core";
import type { StoredAction } from "../act.js";
import type { Caller, Place, ReleaseAmendment } from "../contract.js";
import { InvalidPlanError } from "../errors.js";
import { type StoredPlace, storedPlace } from "../places.js";
import { MOST, parseActions } from "./parse-actions.js";

/**
 * The actions of a release with some more, and without others. Only those that are added are checked: one that is there may have
 * lost its document meanwhile, and stays until it is taken out.
 *
 * @throws PLINTH_SCHEDULE_INVALID (400), PLINTH_ACCESS_FORBIDDEN (403)
 */
export async function amendedActions(
  app: App,
  present: readonly StoredAction[],
  { add = [], remove = [] }: ReleaseAmendment,
  caller: Caller,
): Promise<readonly StoredAction[]> {
  if (add.length + remove.length === 0)
    throw new InvalidPlanError({ errors: [{ path: "add", message: "or remove is needed" }] });
  const added = add.length === 0 ? [] : await parseActions(app, add, caller, { present, key: "add" });
  const gone = new Set(remove.map((place) => keyOf(removedPlace(app, place))));
  const all = new Map(present.filter((action) => !gone.has(keyOf(action))).map((action) => [keyOf(action), action]));
  // One that is there keeps its place.
  for (const action of added) all.set(keyOf(action), action);
  if (all.size === 0 || all.size > MOST)
    throw new InvalidPlanError({ errors: [{ path: "actions", message: `must be 1 to ${MOST}` }] });
  return [...all.values()];
}

/** What is taken out need not be there any more: nor its type, nor its locale. */
function removedPlace(app: App, place: Place): StoredPlace {
  const { type: uid, documentId, locale } = place;
  if (app.model.contentTypes.get(uid)?.isLocalized && locale === undefined) return storedPlace(app, place);
  return { uid, documentId, locale: locale ?? "" };
}

const keyOf = ({ uid, documentId, locale }: StoredPlace): string => JSON.stringify([uid, documentId, locale]);
