import { type App, ForbiddenError, NotFoundError } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import type { OptionProblem } from "@plinth/core/options";
import type { Jobs } from "@plinth/plugin-jobs";
import { act, isPublished, problemsOf } from "../act.js";
import { assertReached } from "../assert-reached.js";
import { actingAs, nameToKeep } from "../callers.js";
import type {
  Caller,
  Place,
  PlannedAction,
  Planned,
  Problem,
  Schedule,
  ScheduleChanges,
  Schedules,
} from "../contract.js";
import { InvalidPlanError } from "../errors.js";
import { cancelSchedules, enqueueSchedule } from "../jobs.js";
import { type StoredPlace, storedPlace } from "../places.js";
import { rolledBack } from "../rolled-back.js";
import { isSeen } from "../sight.js";
import { isTime, problemOfTime } from "../time-text.js";
import { type PlanVerb, tellPlanAct } from "../tell-acts.js";
import { ScheduleStore, type StoredSchedule, viewOf } from "./schedule-store.js";

/** Makes the service behind `schedules`. */
export class SchedulesService implements Schedules {
  readonly #store: ScheduleStore;

  constructor(
    private readonly app: App,
    private readonly jobs: Pick<Jobs, "enqueue" | "cancel">,
  ) {
    this.#store = new ScheduleStore(app);
  }

  async plan(named: Place, changes: ScheduleChanges, caller: Caller = {}): Promise<Planned> {
    const times = timesOf(changes, this.app.clock.now());
    const place = storedPlace(this.app, named);
    this.#assertMay(place, [...times.keys()], caller);
    const actor = await nameToKeep(this.app, caller);
    return await this.app.db.transaction(async () => {
      // A deletion that is under way takes the plans along, or this does not find the document.
      await this.app.documents(place.uid).lock(place.documentId);
      await this.#assertSeen(place, caller);
      const problems: Problem[] = [];
      for (const [action, at] of times) {
        await this.#assertReached(place, [action], caller);
        if (at === null) await this.#cancel(place, [action], caller);
        else {
          problems.push(...(await this.#tryOut(place, action, caller)));
          const id = await this.#store.plan({ ...place, action }, at, actor);
          await enqueueSchedule(this.jobs, id, at);
          await this.#tell("schedule.plan", place, caller, { action, at: at.toISOString() });
        }
      }
      const planned = await this.#store.of(place);
      await assertOrder(this.app, place, planned, times);
      return { schedules: planned.map(viewOf), problems };
    });
  }

  async of(named: Place, caller: Caller = {}): Promise<readonly Schedule[]> {
    const place = storedPlace(this.app, named);
    if (place.locale !== "" && named.locale === undefined) return await this.#inAllLocales(place, caller);
    await this.#assertSeen(place, caller);
    return (await this.#store.of(place)).map(viewOf);
  }

  async cancel(named: Place, caller: Caller = {}): Promise<void> {
    const place = storedPlace(this.app, named);
    await this.app.db.transaction(async () => {
      // No other plan is made with it until what was read is forgotten.
      await this.app.documents(place.uid).lock(place.documentId);
      await this.#assertSeen(place, caller);
      const planned = (await this.#store.of(place)).map(({ action }) => action);
      this.#assertMay(place, planned, caller);
      await this.#assertReached(place, planned, caller);
      await this.#cancel(place, planned, caller);
    });
  }

  async #cancel(place: StoredPlace, actions: readonly PlannedAction[], caller: Caller): Promise<void> {
    const cancelled = await this.#store.cancel(place, actions);
    await cancelSchedules(
      this.jobs,
      cancelled.map(({ id }) => id),
    );
    for (const { action } of cancelled) await this.#tell("schedule.cancel", place, caller, { action });
  }

  #tell(action: PlanVerb, place: StoredPlace, caller: Caller, details: object): Promise<void> {
    return tellPlanAct(this.app, { action, place, origin: actingAs(caller).origin, details: { ...details } });
  }

  /** Locales of the document that the caller does not see are left out. */
  async #inAllLocales(place: StoredPlace, caller: Caller): Promise<readonly Schedule[]> {
    const seen: string[] = [];
    for (const locale of this.app.model.locales)
      if (await isSeen(this.app, { ...place, locale }, caller.actor?.ability)) seen.push(locale);
    if (seen.length === 0) throw new NotFoundError({});
    return (await this.#store.of({ ...place, locale: null })).filter(({ locale }) => seen.includes(locale)).map(viewOf);
  }

  /** @throws PLINTH_ACCESS_FORBIDDEN (403) */
  #assertMay({ uid }: StoredPlace, actions: readonly PlannedAction[], { actor }: Caller): void {
    if (actor)
      assertCan(
        actor.ability,
        actions.map((action) => `${uid}.${action}`),
      );
  }

  /** A plan takes the place of another, and ends it: neither is for who could not do it now. @throws PLINTH_ACCESS_FORBIDDEN (403) */
  async #assertReached(place: StoredPlace, actions: readonly PlannedAction[], { actor }: Caller): Promise<void> {
    if (!actor) return;
    const planned = actions.map((action) => ({ ...place, action }));
    await assertReached(this.app, planned, actor.ability);
  }

  /** @throws PLINTH_HTTP_NOT_FOUND (404) */
  async #assertSeen(place: StoredPlace, { actor }: Caller): Promise<void> {
    if (!(await isSeen(this.app, place, actor?.ability))) throw new NotFoundError({});
  }

  /** @returns what the document would be refused for. @throws PLINTH_ACCESS_FORBIDDEN (403) for one that a rule leaves out */
  async #tryOut(place: StoredPlace, action: PlannedAction, caller: Caller): Promise<readonly Problem[]> {
    return await rolledBack(this.app.db, async () => {
      try {
        await act(this.app, { ...place, action }, actingAs(caller), true);
        return [];
      } catch (error) {
        if (ForbiddenError.is(error)) throw error;
        return problemsOf(error);
      }
    });
  }
}

/** Which of the two would happen last, and so stay, would be chance. */
const SAME_TIME: Readonly<Record<PlannedAction, OptionProblem>> = {
  publish: { path: "publishAt", message: "must be another time than the planned unpublishAt" },
  unpublish: { path: "unpublishAt", message: "must be another time than publishAt" },
};

/** There would be nothing to take back. */
const BACK_FIRST: Readonly<Record<PlannedAction, OptionProblem>> = {
  publish: {
    path: "publishAt",
    message: "must be earlier than the planned unpublishAt, which null ends: the document is not published now",
  },
  unpublish: { path: "unpublishAt", message: "must be later than publishAt: the document is not published now" },
};

/** What is to be planned, and what is to be forgotten. @throws PLINTH_SCHEDULE_INVALID (400) */
function timesOf({ publishAt, unpublishAt }: ScheduleChanges, now: number): ReadonlyMap<PlannedAction, Date | null> {
  const times = new Map<PlannedAction, Date | null>();
  if (publishAt !== undefined) times.set("publish", publishAt);
  if (unpublishAt !== undefined) times.set("unpublish", unpublishAt);
  const errors: OptionProblem[] = [];
  for (const [action, at] of times) {
    const message = at === null ? undefined : problemOfTime(at, now);
    if (message !== undefined) errors.push({ path: `${action}At`, message });
  }
  if (times.size === 0) errors.push({ path: "publishAt", message: "or unpublishAt is needed: a time, or null" });
  if (isTime(publishAt) && isTime(unpublishAt) && publishAt.getTime() === unpublishAt.getTime())
    errors.push(SAME_TIME.unpublish);
  if (errors.length > 0) throw new InvalidPlanError({ errors });
  return times;
}

/**
 * @param times - those that are asked for now.
 * @throws PLINTH_SCHEDULE_INVALID (400) where a document would be taken back as it is published, or before it is published at all
 */
async function assertOrder(
  app: App,
  place: StoredPlace,
  planned: readonly StoredSchedule[],
  times: ReadonlyMap<PlannedAction, unknown>,
): Promise<void> {
  const timeOf = (wanted: PlannedAction) =>
    planned.find(({ action, hasFailed }) => action === wanted && !hasFailed)?.at.getTime();
  const [out, back] = [timeOf("publish"), timeOf("unpublish")];
  if (out === undefined || back === undefined || out < back) return;
  const asked = times.has("unpublish") ? "unpublish" : "publish";
  if (out === back) throw new InvalidPlanError({ errors: [SAME_TIME[asked]] });
  if (!(await isPublished(app, place))) throw new InvalidPlanError({ errors: [BACK_FIRST[asked]] });
}
