import type {
  CalendarList,
  NewReleaseAction,
  PlanPlace,
  PlanProblem,
  PlanRequest,
  PlanView,
  ReleaseCheck,
  ReleaseState,
  ReleaseStory,
  ReleaseView,
} from "../../../src/wire/plans.js";
import type { TypeView } from "../../../src/wire/model.js";
import { api } from "../../app/api.js";
import type { Session } from "../../app/session.js";

/** The action of the routes of releases. @source plugins/schedule/src/rest/release-routes.ts */
export const RELEASES_ACTION = "plugin::schedule.releases";

/** Names of what is read about plans; a change of one may change all. */
export const PLANS_KEY = "plans";

/** Whether somebody may use releases. */
export const mayRelease = ({ plugins, actions }: Session): boolean =>
  plugins.includes("schedule") && actions.includes(RELEASES_ACTION);

/** Whether documents of a type are planned, by this account or by others. */
export const isPlanned = ({ plugins }: Session, type: TypeView): boolean =>
  plugins.includes("schedule") && type.hasDrafts;

interface Body<Data> {
  readonly data: Data;
}

const pathOf = (uid: string, documentId: string): string => `/schedule/${uid}/${encodeURIComponent(documentId)}`;

/** What is planned with a document, in all its languages. @throws ApiError */
export const readPlans = async (uid: string, documentId: string, signal: AbortSignal): Promise<readonly PlanView[]> =>
  (await api<Body<readonly PlanView[]>>(pathOf(uid, documentId), { signal })).data;

/** Plans something, or ends a plan. @returns what publishing would be refused for today @throws ApiError */
export async function sendPlan(uid: string, documentId: string, body: PlanRequest): Promise<readonly PlanProblem[]> {
  const path = pathOf(uid, documentId);
  return (await api<{ readonly meta: { readonly problems: readonly PlanProblem[] } }>(path, { method: "POST", body }))
    .meta.problems;
}

/** What happens in a span of time. @throws ApiError */
export const readCalendar = (
  span: { readonly from: string; readonly to: string; readonly type?: string | undefined },
  signal: AbortSignal,
): Promise<CalendarList> => {
  const { from, to, type } = span;
  return api<CalendarList>(`/schedule?${new URLSearchParams({ from, to, ...(type ? { type } : {}) })}`, { signal });
};

/** Which releases are listed. */
export interface ReleaseQuery {
  readonly state?: ReleaseState | undefined;
  readonly before?: number | undefined;
  readonly of?: Pick<PlanPlace, "type" | "documentId"> | undefined;
}

/** The newest releases. @throws ApiError */
export async function listReleases(
  { state, before, of }: ReleaseQuery,
  signal: AbortSignal,
): Promise<readonly ReleaseView[]> {
  const query = new URLSearchParams({
    ...(state ? { state } : {}),
    ...(before === undefined ? {} : { before: String(before) }),
    ...of,
  });
  return (await api<Body<readonly ReleaseView[]>>(`/releases?${query}`, { signal })).data;
}

/** One of them, with what came of it. @throws ApiError */
export const readRelease = async (id: string, signal: AbortSignal): Promise<ReleaseStory> =>
  (await api<Body<ReleaseStory>>(`/releases/${id}`, { signal })).data;

/** Makes a release. @throws ApiError */
export const createRelease = async (
  name: string,
  actions: readonly NewReleaseAction[],
  transaction = true,
): Promise<ReleaseView> =>
  (await api<Body<ReleaseView>>("/releases", { method: "POST", body: { name, actions, transaction } })).data;

/** Changes its name, or whether it is whole. @throws ApiError */
export const changeRelease = (
  id: number,
  body: { readonly name?: string; readonly transaction?: boolean },
): Promise<unknown> => api(`/releases/${id}`, { method: "PUT", body });

/** Adds documents, and takes others out. @throws ApiError */
export const amendRelease = (
  id: number,
  body: { readonly add?: readonly NewReleaseAction[]; readonly remove?: readonly Omit<NewReleaseAction, "action">[] },
): Promise<unknown> => api(`/releases/${id}/documents`, { method: "POST", body });

/** What would come of it now. @throws ApiError */
export const checkRelease = async (id: number): Promise<ReleaseCheck> =>
  (await api<Body<ReleaseCheck>>(`/releases/${id}/check`, { method: "POST" })).data;

/** A release as somebody looked at it, and no other. */
type SeenRelease = Pick<ReleaseView, "id" | "version">;

const ifSeen = ({ version }: SeenRelease) => ({ headers: { "If-Match": version } });

/** Has it run at a time. @throws ApiError PLINTH_RELEASE_REFUSED with all problems, PLINTH_RELEASE_CHANGED */
export const scheduleRelease = (seen: SeenRelease, at: string): Promise<unknown> =>
  api(`/releases/${seen.id}/schedule`, { method: "POST", body: { at }, ...ifSeen(seen) });

/** Takes its time back. @throws ApiError */
export const cancelRelease = (id: number): Promise<unknown> => api(`/releases/${id}/cancel`, { method: "POST" });

/** Runs it now. @throws ApiError PLINTH_RELEASE_CHANGED */
export const runRelease = async (seen: SeenRelease): Promise<ReleaseView> =>
  (await api<Body<ReleaseView>>(`/releases/${seen.id}/run`, { method: "POST", ...ifSeen(seen) })).data;

/** Deletes it. @throws ApiError */
export const deleteRelease = (id: number): Promise<unknown> => api(`/releases/${id}`, { method: "DELETE" });

/** A place as a request names it. */
export const placeBody = ({ type, documentId, locale }: PlanPlace) => ({
  ...{ type, documentId },
  ...(locale === null ? {} : { locale }),
});
