import { type App, type ServiceRef, serviceRef } from "@plinth/core";
import type { RequestInfo } from "@plinth/core/http";
import type { Names } from "@plinth/plugin-admin";
import { type Release, releases } from "../contract.js";
import { ReleaseNotFoundError } from "../errors.js";
import { RELEASES_ACTION } from "../rest/release-routes.js";
import { failedSchedules, type HomeSchedule, nextReleases, nextSchedules } from "./home-store.js";

/** The admin page's names of documents, by the name of the service alone: the page need not be installed. */
const names: ServiceRef<Names> = serviceRef<Names>("plugin::admin.names");

/** What a list has. */
const MOST = 10;

/** Plans that are looked at in one go, and how often, for those that the caller sees. */
const PAGE = 50;
const MOST_PAGES = 4;

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
  const found: HomePlan[] = [];
  for (let page = 0; page < MOST_PAGES && found.length < MOST; page += 1) {
    const stored = await nextSchedules(app, PAGE, page * PAGE);
    found.push(...(await seenPlans(app, request, stored)));
    if (stored.length < PAGE) break;
  }
  const ids = mayUseReleases(request) ? await nextReleases(app, PAGE) : [];
  const seen = await seenReleases(app, request, ids);
  return [...found.slice(0, MOST), ...seen].toSorted((a, b) => a.at.localeCompare(b.at)).slice(0, MOST);
}

/** What was tried and has changed nothing, until it is planned again or forgotten. */
export async function failedPlans(app: App, request: RequestInfo): Promise<readonly HomePlan[]> {
  const schedules = await seenPlans(app, request, await failedSchedules(app, PAGE));
  const failed = mayUseReleases(request) ? await app.service(releases).list({ state: "failed" }, request) : [];
  return [...schedules, ...failed.map(planOfRelease)].toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MOST);
}

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

/** A release that has a document which the caller does not see is not there for them. */
async function seenReleases(app: App, request: RequestInfo, ids: readonly number[]): Promise<readonly HomePlan[]> {
  const seen: HomePlan[] = [];
  for (const id of ids) {
    if (seen.length === MOST) break;
    try {
      seen.push(planOfRelease(await app.service(releases).find(id, request)));
    } catch (error) {
      if (!ReleaseNotFoundError.is(error)) throw error;
    }
  }
  return seen;
}

function planOfRelease({ id, name, at, createdAt, actions }: Release): HomePlan {
  const reason = actions.flatMap(({ problems }) => problems)[0]?.message;
  return {
    ...{ kind: "release", action: "release", at: at ?? createdAt, title: name, document: null },
    release: { id, documents: actions.length },
    ...(reason === undefined ? {} : { reason }),
  };
}
