/** Who planned something. @source plugins/schedule/src/calendar/planners.ts */
export interface Planner {
  /** `admin`, `user`, `api-token`, or a kind of the app's own. */
  readonly kind: string;
  /** Null where the account is gone, or is none of an administrator. */
  readonly name: string | null;
}

/** What is done with a document later. */
export type PlannedAction = "publish" | "unpublish";

/** Why something cannot be done, or was not. */
export interface PlanProblem {
  readonly code: string;
  readonly path: readonly string[];
  readonly message: string;
}

/** What is planned with a document. @source plugins/schedule/src/contract.ts */
export interface PlanView {
  readonly action: PlannedAction;
  readonly locale: string | null;
  readonly at: string;
  readonly state: "waiting" | "failed";
  readonly problems: readonly PlanProblem[];
  /** Null: code. */
  readonly by: Planner | null;
}

/** Body of a plan: null ends one, and what is left out stays. */
export interface PlanRequest {
  readonly publishAt?: string | null;
  readonly unpublishAt?: string | null;
  readonly locale?: string;
}

/** One document in one locale. */
export interface PlanPlace {
  readonly type: string;
  readonly documentId: string;
  readonly locale: string | null;
}

/** A document of a release. */
export interface ReleaseAction extends PlanPlace {
  readonly action: PlannedAction;
  readonly state: "waiting" | "done" | "failed";
  readonly problems: readonly PlanProblem[];
}

/** How it stands with a release. */
export type ReleaseState = "open" | "scheduled" | "running" | "done" | "failed";

/** Documents that are published and taken back together. */
export interface ReleaseView {
  readonly id: number;
  readonly name: string;
  readonly state: ReleaseState;
  readonly transaction: boolean;
  readonly at: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly actions: readonly ReleaseAction[];
  /** Of what it does, for `If-Match`. */
  readonly version: string;
}

/** Why a document of a release cannot be published or taken back. */
export interface ReleaseProblem extends PlanPlace, PlanProblem {
  readonly action: PlannedAction;
}

/** A release with who it is of, and what came of it. @source plugins/schedule/src/releases/release-story.ts */
export interface ReleaseStory extends ReleaseView {
  readonly createdBy: Planner | null;
  readonly by: Planner | null;
  readonly runs: readonly {
    readonly state: "done" | "failed";
    readonly startedAt: string | null;
    readonly endedAt: string;
    readonly by: Planner | null;
    readonly documents: number;
    readonly refused: number;
    readonly problems: readonly ReleaseProblem[];
  }[];
}

/** What would come of a release now. */
export interface ReleaseCheck {
  readonly problems: readonly ReleaseProblem[];
  readonly warnings: readonly (PlanPlace & {
    readonly path: readonly string[];
    readonly target: { readonly type: string; readonly documentId: string };
  })[];
}

/** A document that is added to a release. */
export interface NewReleaseAction {
  readonly type: string;
  readonly documentId: string;
  readonly locale?: string;
  readonly action: PlannedAction;
}

/** Something at a time. @source plugins/schedule/src/calendar/read-calendar.ts */
export type CalendarEntry =
  | (PlanPlace & {
      readonly kind: "document";
      readonly action: PlannedAction;
      readonly at: string;
      readonly state: "waiting" | "done" | "failed";
      readonly endedAt: string | null;
      readonly by: Planner | null;
      readonly problems: readonly PlanProblem[];
    })
  | {
      readonly kind: "release";
      readonly id: number;
      readonly name: string;
      readonly at: string;
      readonly state: ReleaseState;
      readonly endedAt: string | null;
      readonly by: Planner | null;
      readonly documents: number;
    };

/** What happens in a span of time. */
export interface CalendarList {
  readonly data: readonly CalendarEntry[];
  readonly meta: { readonly isCut: boolean };
}
