import { type Ability, type App, ForbiddenError } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { parseReadParams } from "@plinth/core/reads";
import type { StoredAction } from "./act.js";
import { type StoredPlace, typeOf } from "./places.js";

/**
 * Asks whether somebody may do an action with a document by the rules on its rows. Nothing is written, and no hook is called. As
 * with the action itself, draft and published version have to be reached both, where they are there.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403)
 */
export async function assertReached(app: App, { action, ...place }: StoredAction, ability: Ability): Promise<void> {
  const { uid } = place;
  // A rule on `update` limits publishing and taking back as well.
  const actions = [`${uid}.${action}`, ...(ability.can(`${uid}.update`) ? [`${uid}.update`] : [])].filter(
    (each) => ability.reachOf(each).rows !== "everything",
  );
  if (actions.length === 0) return;
  for (const status of ["draft", "published"] as const) {
    if (!(await isFound(app, place, { action: `${uid}.find`, ability: unlimited, status }))) continue;
    const reader = withAllDrafts(ability, uid);
    for (const each of actions)
      if (!(await isFound(app, place, { action: each, ability: reader, status }))) throw new ForbiddenError({});
  }
}

/** By whose rule on which action a version is looked for. */
interface Search {
  readonly action: string;
  readonly ability: Ability;
  readonly status: "draft" | "published";
}

async function isFound(app: App, place: StoredPlace, { action, ability, status }: Search): Promise<boolean> {
  const { uid, documentId, locale } = place;
  const params = { fallbackLocale: [], locale: locale === "" ? undefined : locale };
  const prepared = parseReadParams(app.model, typeOf(app, uid), params, {
    ...{ visibility: "code", kind: "one", defaultStatus: status, ability, action, documentId },
    selection: { fields: [{ name: "id" }], populate: [] },
  });
  return (await app.documents(uid).read(prepared)).text !== "null";
}

/** Which drafts somebody may read is another question than which documents they may publish. */
const withAllDrafts = (ability: Ability, uid: string): Ability => ({
  key: `${ability.key}+all drafts of ${uid}`,
  values: ability.values,
  isAdmin: ability.isAdmin,
  can: (action) => action === `${uid}.findDrafts` || ability.can(action),
  reachOf: (action) => (action === `${uid}.findDrafts` ? unlimited : ability).reachOf(action),
});
