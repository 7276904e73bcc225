import type { App, WriteActor } from "@plinth/core";
import type { Caller, Problem, ReleaseState } from "../contract.js";
import { viewOfAction } from "../releases/release-store.js";
import { type PageLimits, seenPages } from "../seen-pages.js";
import { seenPlaces } from "../sight.js";
import { type CalendarPlan, plansBetween, type Span } from "./past-and-planned.js";
import { type CalendarRelease, releasesBetween, seenOfCalendar } from "./releases-between.js";
import { type Planner, plannersOf } from "./planners.js";

/** What a calendar shows of a document. Times are ISO 8601. */
export interface DocumentEntry {
  readonly kind: "document";
  readonly type: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly action: CalendarPlan["action"];
  readonly at: string;
  readonly state: CalendarPlan["state"];
  readonly endedAt: string | null;
  readonly by: Planner | null;
  readonly problems: readonly Problem[];
}

/** What it shows of a release. */
export interface ReleaseEntry {
  readonly kind: "release";
  readonly id: number;
  readonly name: string;
  readonly at: string;
  readonly state: ReleaseState;
  readonly endedAt: string | null;
  readonly by: Planner | null;
  readonly documents: number;
}

/** A span of time as a caller sees it. */
export interface Calendar {
  /** By their times. */
  readonly entries: readonly (DocumentEntry | ReleaseEntry)[];
  /** Whether there are more documents or releases than are shown. */
  readonly isCut: boolean;
}

/** Documents, and releases, that are shown at most. */
const MOST = 500;
/** One more says that there are more. */
const LIMITS: PageLimits = { page: 250, pages: 40, enough: MOST + 1 };

/**
 * What is planned in a span of time, and what came of it: plans of documents that the caller sees, and releases of which they see
 * every document. What they do not see is not counted either.
 *
 * @param withReleases - whether the caller may look at releases.
 */
export async function readCalendar(app: App, span: Span, caller: Caller, withReleases: boolean): Promise<Calendar> {
  const plans = await seenPages(
    LIMITS,
    (limit, offset) => plansBetween(app, span, limit, offset),
    (found) => seenPlaces(app, found, caller.actor?.ability),
  );
  const ofType = ({ uids }: CalendarRelease) => span.type === undefined || uids.includes(span.type);
  const releases = withReleases
    ? await seenPages(
        LIMITS,
        (limit, offset) => releasesBetween(app, span, limit, offset),
        (found) => seenOfCalendar(app, found.filter(ofType), caller),
      )
    : [];
  const actors = [...plans, ...releases].map(({ actor }) => actor);
  const planner = await plannersOf(app, actors);
  const entries = [
    ...plans.slice(0, MOST).map((plan) => documentEntry(plan, planner)),
    ...releases.slice(0, MOST).map((release) => releaseEntry(release, planner)),
  ];
  const isCut = plans.length > MOST || releases.length > MOST;
  return { entries: entries.sort((one, other) => one.at.localeCompare(other.at)), isCut };
}

type PlannerOf = (actor: WriteActor | null) => Planner | null;

const documentEntry = (plan: CalendarPlan, planner: PlannerOf): DocumentEntry => ({
  ...{ kind: "document", ...viewOfAction(plan), state: plan.state, problems: plan.problems },
  ...{ at: plan.at.toISOString(), endedAt: plan.endedAt?.toISOString() ?? null, by: planner(plan.actor) },
});

const releaseEntry = (release: CalendarRelease, planner: PlannerOf): ReleaseEntry => ({
  ...{ kind: "release", id: release.id, name: release.name, state: release.state, documents: release.documents },
  at: release.at?.toISOString() ?? "",
  ...{ endedAt: release.endedAt?.toISOString() ?? null, by: planner(release.actor) },
});
