import type { App } from "@plinth/core";
import { actOnAll } from "../act.js";
import { actingAs } from "../callers.js";
import type { Caller, ReleaseCheck, ReleaseWarning } from "../contract.js";
import { rolledBack } from "../rolled-back.js";
import { type StoredRelease, viewOfAction } from "./release-store.js";
import { unpublishedTargets } from "./unpublished-targets.js";

/** Tries a release in a transaction that is rolled back: what it would be refused for, of all documents at once. */
export async function checkRelease(app: App, { actions }: StoredRelease, caller: Caller): Promise<ReleaseCheck> {
  return await rolledBack(app.db, async () => {
    const waiting = actions.filter(({ state }) => state !== "done");
    const outcomes = await actOnAll(app, waiting, actingAs(caller), true);
    const problems = outcomes.flatMap(({ of, problems: own }) =>
      own.map((problem) => ({ ...viewOfAction(of), ...problem })),
    );
    const published = outcomes.filter(({ of, problems: own }) => of.action === "publish" && own.length === 0);
    const warnings: ReleaseWarning[] = [];
    for (const { of } of published) warnings.push(...(await unpublishedTargets(app, of, caller)));
    return { problems, warnings };
  });
}
