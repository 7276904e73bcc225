import type { App } from "@plinth/core";
import { isSame } from "../callers.js";
import type { Caller } from "../contract.js";
import { groupKey, groupsOf, seenAmong, seesAll } from "../sight.js";
import type { StoredPlace } from "../places.js";
import type { StoredRelease } from "./release-store.js";

/** What of a release says who sees it. */
export interface Holding extends Pick<StoredRelease, "creator"> {
  readonly actions: readonly StoredPlace[];
}

/** What some documents of one type in one locale are for a caller. */
interface Sight {
  readonly seen: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
}

/**
 * The releases of which a caller sees every document: the others are not there for them. A document that is gone
 * hides a release from all but who made it, and who sees everything of its type.
 */
export async function seenReleases<Each extends Holding>(
  app: App,
  found: readonly Each[],
  caller: Caller,
): Promise<readonly Each[]> {
  const ability = caller.actor?.ability;
  const asked = found.flatMap(({ actions }) => actions).filter(({ uid }) => !seesAll(app, ability, uid));
  const sights = new Map<string, Sight>();
  for (const [key, actions] of groupsOf(asked)) sights.set(key, await lookAt(app, actions, caller));
  return found.filter(({ creator, actions }) =>
    actions.every((action) => {
      if (seesAll(app, ability, action.uid)) return true;
      const sight = sights.get(groupKey(action));
      return sight?.seen.has(action.documentId) || (sight?.gone.has(action.documentId) && isSame(creator, caller));
    }),
  );
}

async function lookAt(app: App, actions: readonly StoredPlace[], { actor }: Caller): Promise<Sight> {
  const [first] = actions;
  if (!first) return { seen: new Set(), gone: new Set() };
  const documentIds = [...new Set(actions.map(({ documentId }) => documentId))];
  const seen = await seenAmong(app, first, documentIds, actor?.ability);
  const others = documentIds.filter((id) => !seen.has(id));
  const hidden = others.length === 0 ? new Set<string>() : await seenAmong(app, first, others);
  return { seen, gone: new Set(others.filter((id) => !hidden.has(id))) };
}
