import { type App, type ServiceRef, serviceRef } from "@plinth/core";
import type { RequestInfo } from "@plinth/core/http";
import type { Names } from "@plinth/plugin-admin";
import { type Release, releases } from "../contract.js";
import { ReleaseStore, viewOf } from "../releases/release-store.js";
import { seenReleases } from "../releases/seen-releases.js";
import { RELEASES_ACTION } from "../rest/release-routes.js";
import { type PageLimits, seenPages } from "../seen-pages.js";
import { failedSchedules, type HomeSchedule, nextSchedules } from "./home-store.js";

/** The admin page's names of documents, by the name of the service alone: the page need not be installed. */
const names: ServiceRef<Names> = serviceRef<Names>("plugin::admin.names");

/** What a list has. */
const MOST = 10;

/** What is looked through: plans, and releases, which have up to 1,000 documents each. */
const PLANS: PageLimits = { page: 100, pages: 100, enough: MOST };
const RELEASES: PageLimits = { page: 25, pages: 40, enough: MOST };

/** What is planned, or has failed, for the home screen. */
export interface HomePlan {
  readonly kind: "document" | "release";
  readonly action: "publish" | "unpublish" | "release";
  /** ISO 8601. */
  readonly at: string;
  readonly title: string;
  readonly document: {
    readonly uid: string;
    readonly documentId: string;
    readonly locale: string | null;
    readonly state: string;
  } | null;
  readonly release: { readonly id: number; readonly documents: number } | null;
  /** Of what has failed: why. */
  readonly reason?: string;
}

/** What is done next with documents that the caller sees, and with releases where their role has them. */
export async function nextPlans(app: App, request: RequestInfo): Promise<readonly HomePlan[]> {
  const documents = await seenPages(
    PLANS,
    (limit, start) => nextSchedules(app, limit, start),
    (found) => seenPlans(app, request, found),
  );
  const store = new ReleaseStore(app);
  const whole = mayUseReleases(request)
    ? await seenPages(
        RELEASES,
        (limit, start) => store.next(limit, start),
        (found) => seenReleases(app, found, request),
      )
    : [];
  return firstOf([...documents, ...whole.map(viewOf).map(planOfRelease)], (one, other) =>
    one.at.localeCompare(other.at),
  );
}

/** What was tried and has changed nothing, until it is planned again or forgotten. */
export async function failedPlans(app: App, request: RequestInfo): Promise<readonly HomePlan[]> {
  const documents = await seenPages(
    PLANS,
    (limit, start) => failedSchedules(app, limit, start),
    (found) => seenPlans(app, request, found),
  );
  const failed = mayUseReleases(request) ? await app.service(releases).list({ state: "failed" }, request) : [];
  return firstOf([...documents, ...failed.map(planOfRelease)], (one, other) => other.at.localeCompare(one.at));
}

const firstOf = (plans: readonly HomePlan[], order: (one: HomePlan, other: HomePlan) => number): readonly HomePlan[] =>
  plans.toSorted(order).slice(0, MOST);

const mayUseReleases = ({ actor }: RequestInfo): boolean => actor.ability.can(RELEASES_ACTION);

/** Those whose documents the caller sees. */
async function seenPlans(
  app: App,
  { actor }: RequestInfo,
  stored: readonly HomeSchedule[],
): Promise<readonly HomePlan[]> {
  const named = await app.service(names).documents(actor.ability, stored);
  return stored.flatMap(({ action, at, problems }, index): readonly HomePlan[] => {
    const entry = named[index];
    if (!entry) return [];
    const { uid, documentId, locale, state, title } = entry;
    const document = { uid, documentId, locale, state };
    const reason = problems[0]?.message;
    return [
      {
        ...{ kind: "document", action, at: at.toISOString(), title, document, release: null },
        ...(reason === undefined ? {} : { reason }),
      },
    ];
  });
}

function planOfRelease({ id, name, at, createdAt, actions }: Release): HomePlan {
  const reason = actions.flatMap(({ problems }) => problems)[0]?.message;
  return {
    ...{ kind: "release", action: "release", at: at ?? createdAt, title: name, document: null },
    release: { id, documents: actions.length },
    ...(reason === undefined ? {} : { reason }),
  };
}
