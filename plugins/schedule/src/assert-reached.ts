import { type Ability, type App, ForbiddenError } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { type Limits, parseReadParams } from "@plinth/core/reads";
import type { StoredAction } from "./act.js";
import { type StoredPlace, typeOf } from "./places.js";
import { groupsOf } from "./sight.js";

/**
 * Asks whether a caller may do actions with documents by the rules on their rows, in a few statements for each type and locale.
 * Nothing is written, and no hook is called. As with the action itself, draft and published version have to be reached both, where
 * they are there.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403)
 */
export async function assertReached(app: App, actions: readonly StoredAction[], ability: Ability): Promise<void> {
  for (const group of groupsOf(actions).values())
    for (const action of new Set(group.map((each) => each.action)))
      await assertGroupReached(
        app,
        group.filter((each) => each.action === action),
        ability,
      );
}

/** @param group - one action with documents of one type in one locale. */
async function assertGroupReached(app: App, group: readonly StoredAction[], ability: Ability): Promise<void> {
  const [first] = group;
  if (!first) return;
  const { uid, locale, action } = first;
  // A rule on `update` limits publishing and taking back as well.
  const limited = [`${uid}.${action}`, ...(ability.can(`${uid}.update`) ? [`${uid}.update`] : [])].filter(
    (each) => ability.reachOf(each).rows !== "everything",
  );
  if (limited.length === 0) return;
  for (const status of ["draft", "published"] as const) {
    const search = { place: { uid, locale }, status };
    const ids = group.map(({ documentId }) => documentId);
    const there = await findIds(app, ids, { ...search, action: `${uid}.find`, ability: unlimited });
    const reader = withAllDrafts(ability, uid);
    for (const each of limited) {
      const reached = await findIds(app, [...there], { ...search, action: each, ability: reader });
      if (reached.size < there.size) throw new ForbiddenError({});
    }
  }
}

/** By whose rule on which action versions are looked for. */
interface Search {
  readonly place: Pick<StoredPlace, "uid" | "locale">;
  readonly action: string;
  readonly ability: Ability;
  readonly status: "draft" | "published";
}

/** Those of some documents that are found. */
async function findIds(app: App, ids: readonly string[], search: Search): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { place, action, ability, status } = search;
  const { uid, locale } = place;
  const filters = { documentId: { $in: ids } };
  const params = { filters, fallbackLocale: [], locale: locale === "" ? undefined : locale };
  const prepared = parseReadParams(app.model, typeOf(app, uid), params, {
    ...{ visibility: "code", kind: "list", defaultStatus: status, ability, action, limits: ALL },
    selection: { fields: [{ name: "documentId" }], populate: [] },
  });
  const rows = (await app.documents(uid).read(prepared)).rows();
  return new Set(rows.map(({ documentId }) => documentId));
}

const ALL: Limits = { defaultLimit: Number.POSITIVE_INFINITY, maxLimit: Number.POSITIVE_INFINITY, withCount: false };

/** Which drafts somebody may read is another question than which documents they may publish. */
const withAllDrafts = (ability: Ability, uid: string): Ability => ({
  key: `${ability.key}+all drafts of ${uid}`,
  values: ability.values,
  isAdmin: ability.isAdmin,
  can: (action) => action === `${uid}.findDrafts` || ability.can(action),
  reachOf: (action) => (action === `${uid}.findDrafts` ? unlimited : ability).reachOf(action),
});
