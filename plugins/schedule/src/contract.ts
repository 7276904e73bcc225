import { type Actor, type ServiceRef, serviceRef } from "@plinth/core";

/** What can be done with a document later. */
export type PlannedAction = "publish" | "unpublish";

/** One document in one locale. */
export interface Place {
  /** Uid of its content-type, which has drafts: `api::article.article`. */
  readonly type: string;
  readonly documentId: string;
  /** Default: the default locale; on types that are not localised it says nothing. */
  readonly locale?: string | undefined;
}

/** Why something cannot be done, or was not. */
export interface Problem {
  /** Of the catalogue of errors. */
  readonly code: string;
  /** Of the attribute, `["seo", "title"]`; empty where it is about the whole document. */
  readonly path: readonly string[];
  readonly message: string;
}

/** On whose behalf something is done. */
export interface Caller {
  /** Default: code that the server trusts, which may do everything. */
  readonly actor?: Actor | undefined;
}

/** What is going to be done with a document, or was tried. */
export interface Schedule {
  readonly action: PlannedAction;
  /** Null on types that are not localised. */
  readonly locale: string | null;
  /** ISO 8601, by the clock of the database. */
  readonly at: string;
  /** `failed`: it was tried, and nothing has changed. */
  readonly state: "waiting" | "failed";
  /** Why it failed. */
  readonly problems: readonly Problem[];
}

/**
 * When a document is to be published and taken back: null ends a plan, and what is left out stays as it is. It is not taken back at
 * the time at which it is published, and before that only where it is published now.
 */
export interface ScheduleChanges {
  readonly publishAt?: Date | null | undefined;
  readonly unpublishAt?: Date | null | undefined;
}

/** What was planned, and what would stand against it now. */
export interface Planned {
  readonly schedules: readonly Schedule[];
  /** What publishing would be refused for today. It is a hint: the draft may be finished until then. */
  readonly problems: readonly Problem[];
}

/** Publishes documents and takes them back at a time. */
export interface Schedules {
  /**
   * Plans what is to be done with a document.
   *
   * @throws PLINTH_HTTP_NOT_FOUND (404) for a document that is not there, or that the caller does not see
   * @throws PLINTH_ACCESS_FORBIDDEN (403) where the caller may not do it now, also where a plan is ended
   * @throws PLINTH_SCHEDULE_INVALID (400), PLINTH_SCHEDULE_NO_DRAFTS (400), PLINTH_SCHEDULE_NOBODY (400)
   */
  plan(place: Place, changes: ScheduleChanges, caller?: Caller): Promise<Planned>;
  /** What is planned with a document, in the locale, or in all. @throws PLINTH_HTTP_NOT_FOUND (404) */
  of(place: Place, caller?: Caller): Promise<readonly Schedule[]>;
  /**
   * Forgets all of it, in one locale.
   *
   * @throws PLINTH_HTTP_NOT_FOUND (404)
   * @throws PLINTH_ACCESS_FORBIDDEN (403) where the caller may not do now what is forgotten
   */
  cancel(place: Place, caller?: Caller): Promise<void>;
}

/** `running`: a process works on it, or another one is going to go on. */
export type ReleaseState = "open" | "scheduled" | "running" | "done" | "failed";

/** One document of a release, and what is done with it. */
export interface NewReleaseAction extends Place {
  readonly action: PlannedAction;
}

/** The same, with what came of it. */
export interface ReleaseAction {
  readonly type: string;
  readonly documentId: string;
  /** Null on types that are not localised. */
  readonly locale: string | null;
  readonly action: PlannedAction;
  /** `waiting`: not yet, or not at all because of others. */
  readonly state: "waiting" | "done" | "failed";
  readonly problems: readonly Problem[];
}

/** Documents that are published and taken back together. */
export interface Release {
  readonly id: number;
  readonly name: string;
  readonly state: ReleaseState;
  /** Whether all of it happens, or nothing; else each action by itself. */
  readonly transaction: boolean;
  /** ISO 8601: when it is run, or was to be; null: by hand. */
  readonly at: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly actions: readonly ReleaseAction[];
  /** An entity tag of what it does: its documents, what is done with each, and whether all happens or nothing. */
  readonly version: string;
}

/** A release to be made. */
export interface NewRelease {
  readonly name: string;
  /** 1 to 1,000; a document once in each locale. */
  readonly actions: readonly NewReleaseAction[];
  /** Default: true. */
  readonly transaction?: boolean | undefined;
}

/** The release that a caller looked at. */
export interface LookedAt {
  /** Its `version`, or `If-Match` as it came. Default: the release as it is now. */
  readonly version?: string | undefined;
}

/** What changes of a release. */
export type ReleaseChanges = { readonly [Key in keyof NewRelease]?: NewRelease[Key] | undefined };

/** A relation that would lead to nothing: its target is not published. */
export interface ReleaseWarning {
  readonly type: string;
  readonly documentId: string;
  readonly locale: string | null;
  /** Of the relation: `["author"]`. */
  readonly path: readonly string[];
  readonly target: { readonly type: string; readonly documentId: string };
}

/** Why an action of a release cannot be done. */
export interface ReleaseProblem extends Omit<ReleaseAction, "state" | "problems">, Problem {}

/** What would come of a release now. */
export interface ReleaseCheck {
  readonly problems: readonly ReleaseProblem[];
  readonly warnings: readonly ReleaseWarning[];
}

/** What changes of the documents of a release; the rest of them stays. */
export interface ReleaseAmendment {
  /** One that is in it already gets the action that is named here. */
  readonly add?: readonly NewReleaseAction[] | undefined;
  readonly remove?: readonly Place[] | undefined;
}

/** Which releases a list has. */
export interface ReleaseFilter {
  readonly state?: ReleaseState | undefined;
  /** Those that hold a document, in any locale. */
  readonly document?: Pick<Place, "type" | "documentId"> | undefined;
  /** The newest below this id. */
  readonly before?: number | undefined;
}

/**
 * Releases. One is there for a caller who sees every document of it, and for no other: neither its name nor that it exists.
 * All throw PLINTH_RELEASE_NOT_FOUND (404) then.
 */
export interface Releases {
  /** The newest 25 that the caller sees, of at most 1,000 below `before`. */
  list(filter?: ReleaseFilter, caller?: Caller): Promise<readonly Release[]>;
  find(id: number, caller?: Caller): Promise<Release>;
  /**
   * @throws PLINTH_SCHEDULE_INVALID (400), also for documents that the caller does not see
   * @throws PLINTH_ACCESS_FORBIDDEN (403) where the caller may not do now what is to be done with a document
   */
  create(release: NewRelease, caller?: Caller): Promise<Release>;
  /**
   * Only while it is open or has failed; then it is open. What is left out stays as it is, and a document that is done stays
   * done unless its action is another one.
   *
   * @throws PLINTH_SCHEDULE_INVALID (400), PLINTH_RELEASE_STATE (409), and for what is new in it as `create`
   */
  change(id: number, changes: ReleaseChanges, caller?: Caller): Promise<Release>;
  /**
   * Adds documents and takes others out, also while others do the same; in the states in which it can be changed. It
   * holds one document at least. What is done stays done, as with `change`.
   *
   * @throws PLINTH_SCHEDULE_INVALID (400), PLINTH_RELEASE_STATE (409), and for what is added as `create`
   */
  amend(id: number, amendment: ReleaseAmendment, caller?: Caller): Promise<Release>;
  /** Not while it runs. @throws PLINTH_RELEASE_STATE (409) */
  remove(id: number, caller?: Caller): Promise<void>;
  /** Tries it and takes everything back: all problems of all documents at once. */
  check(id: number, caller?: Caller): Promise<ReleaseCheck>;
  /**
   * Has it run at a time, as the caller then.
   *
   * @throws PLINTH_RELEASE_REFUSED (400) with all problems, PLINTH_SCHEDULE_INVALID (400) for a time that is over,
   * PLINTH_RELEASE_STATE (409), PLINTH_SCHEDULE_NOBODY (400), PLINTH_RELEASE_CHANGED (412) where it is not what was looked at
   */
  schedule(id: number, at: Date, caller?: Caller, seen?: LookedAt): Promise<Release>;
  /** A release that waits for its time is open again. @throws PLINTH_RELEASE_STATE (409) */
  cancel(id: number, caller?: Caller): Promise<Release>;
  /**
   * Runs it now. What it was refused for is in the result: it is `done` or `failed`.
   *
   * @throws PLINTH_RELEASE_STATE (409), PLINTH_RELEASE_CHANGED (412) where it is not what was looked at
   */
  run(id: number, caller?: Caller, seen?: LookedAt): Promise<Release>;
}

/** The service behind schedules. */
export const schedules: ServiceRef<Schedules> = serviceRef<Schedules>("plugin::schedule.schedules");

/** The service behind releases. */
export const releases: ServiceRef<Releases> = serviceRef<Releases>("plugin::schedule.releases");

declare module "@plinth/core" {
  interface Services {
    "plugin::schedule.schedules": Schedules;
    "plugin::schedule.releases": Releases;
  }
}
