import type { App } from "@plinth/core";
import type { Release, ReleaseProblem } from "../contract.js";
import { type Planner, plannersOf } from "../calendar/planners.js";
import { ReleaseStore, viewOfAction } from "./release-store.js";

/** What came of a release, once. Times are ISO 8601. */
export interface ReleaseRun {
  readonly state: "done" | "failed";
  readonly startedAt: string | null;
  readonly endedAt: string;
  readonly by: Planner | null;
  /** How many documents it held. */
  readonly documents: number;
  /** How many of them were refused. */
  readonly refused: number;
  /** Why, of those that are still in it: who sees the release need not see the others. */
  readonly problems: readonly ReleaseProblem[];
}

/** Who a release is of, and what came of it. */
export interface ReleaseStory {
  readonly createdBy: Planner | null;
  /** As whom it runs, or ran last; null where no person has said that it should, and for code. */
  readonly by: Planner | null;
  /** The latest first. */
  readonly runs: readonly ReleaseRun[];
}

/** Runs that are shown. */
const RUNS = 20;

/** Reads it, for who sees the release. */
export async function storyOf(app: App, { id, actions }: Release): Promise<ReleaseStory> {
  const store = new ReleaseStore(app);
  const [stored, runs] = [await store.find(id), await store.runs(id, RUNS)];
  const [creator, actor] = [stored?.creator ?? null, stored?.actor ?? null];
  const planner = await plannersOf(app, [creator, actor, ...runs.map((run) => run.actor)]);
  const isIn = ({ type, documentId, locale }: Pick<ReleaseProblem, "type" | "documentId" | "locale">) =>
    actions.some((each) => each.type === type && each.documentId === documentId && each.locale === locale);
  return {
    createdBy: planner(creator),
    by: planner(actor),
    runs: runs.map(({ state, startedAt, endedAt, documents, outcomes, ...run }) => ({
      ...{ state, documents, startedAt: startedAt?.toISOString() ?? null, endedAt: endedAt.toISOString() },
      ...{ by: planner(run.actor), refused: outcomes.length },
      problems: outcomes
        .map(({ problems, ...action }) => ({ ...viewOfAction(action), problems }))
        .filter(isIn)
        .flatMap(({ problems, ...action }) => problems.map((problem) => ({ ...action, ...problem }))),
    })),
  };
}
