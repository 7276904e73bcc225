import type { App } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";
import { actingAs, nameToKeep } from "../callers.js";
import type {
  Caller,
  LookedAt,
  NewRelease,
  Release,
  ReleaseAmendment,
  ReleaseChanges,
  ReleaseCheck,
  ReleaseFilter,
  Releases,
  ReleaseState,
} from "../contract.js";
import { InvalidPlanError, ReleaseNotFoundError, ReleaseRefusedError, ReleaseStateError } from "../errors.js";
import { amendmentForm, changesForm, parseForm, releaseForm } from "../forms.js";
import { cancelRelease, enqueueRelease } from "../jobs.js";
import { checkRelease } from "./check-release.js";
import { amendedActions } from "./amended-actions.js";
import { parseActions } from "./parse-actions.js";
import { ReleaseStore, type StoredRelease, viewOf } from "./release-store.js";
import { assertLookedAt } from "./release-version.js";
import { runRelease } from "./run-release.js";
import { problemOfTime } from "../time-text.js";
import { type PlanVerb, tellPlanAct } from "../tell-acts.js";
import { seenReleases } from "./seen-releases.js";

const PAGE = 25;
/** How many pages of releases are looked through for those that a caller sees. */
const MOST_PAGES = 40;

/** Milliseconds after which a release that was run by hand is gone on with, where its process is gone. */
const RESCUE = 30_000;

/** In which states what is in it may change, and it may be run. */
const IDLE: readonly ReleaseState[] = ["open", "failed"];

/** Who changes which release, in which states. */
interface Change {
  readonly id: number;
  readonly allowed: readonly ReleaseState[];
  readonly caller: Caller;
  /** When it is going to run. */
  readonly at?: Date;
  readonly seen?: LookedAt;
}

/** Makes the service behind `releases`. */
export class ReleasesService implements Releases {
  readonly #store: ReleaseStore;

  constructor(
    private readonly app: App,
    private readonly jobs: Pick<Jobs, "enqueue" | "cancel">,
  ) {
    this.#store = new ReleaseStore(app);
  }

  async list(filter: ReleaseFilter = {}, caller: Caller = {}): Promise<readonly Release[]> {
    const seen: StoredRelease[] = [];
    let before = filter.before;
    for (let page = 0; page < MOST_PAGES && seen.length < PAGE; page += 1) {
      const found = await this.#store.list({ ...filter, before }, PAGE);
      seen.push(...(await seenReleases(this.app, found, caller)));
      before = found.at(-1)?.id;
      if (found.length < PAGE) break;
    }
    return seen.slice(0, PAGE).map(viewOf);
  }

  async find(id: number, caller: Caller = {}): Promise<Release> {
    return viewOf(await this.#find(id, caller));
  }

  async create(release: NewRelease, caller: Caller = {}): Promise<Release> {
    const { name, actions, transaction = true } = parseForm(releaseForm, release);
    const parsed = await parseActions(this.app, actions, caller);
    const { actor } = caller;
    const creator = actor ? { kind: actor.kind, id: actor.user?.documentId ?? actor.id } : null;
    return await this.app.db.transaction(async () => {
      const id = await this.#store.insert(name, transaction, creator, parsed);
      await this.#tell("release.create", id, caller, { documents: parsed.length });
      return viewOf(await this.#find(id, {}));
    });
  }

  async change(id: number, changes: ReleaseChanges, caller: Caller = {}): Promise<Release> {
    const { name, actions, transaction } = parseForm(changesForm, changes);
    return await this.#inState("release.change", { id, allowed: IDLE, caller }, async (release) => {
      await this.#store.change(id, {
        name: name ?? release.name,
        transaction: transaction ?? release.transaction,
      });
      if (actions)
        await this.#store.replaceActions(
          id,
          await parseActions(this.app, actions, caller, { present: release.actions }),
        );
    });
  }

  async amend(id: number, given: ReleaseAmendment, caller: Caller = {}): Promise<Release> {
    const amendment = parseForm(amendmentForm, given);
    return await this.#inState("release.change", { id, allowed: IDLE, caller }, async (release) => {
      const actions = await amendedActions(this.app, release.actions, amendment, caller);
      await this.#store.change(id, release);
      await this.#store.replaceActions(id, actions);
    });
  }

  async remove(id: number, caller: Caller = {}): Promise<void> {
    await this.app.db.transaction(async () => {
      await this.#lock(id, caller, ["open", "scheduled", "done", "failed"]);
      await this.#store.remove(id);
      await cancelRelease(this.jobs, id);
      await this.#tell("release.remove", id, caller);
    });
  }

  async check(id: number, caller: Caller = {}): Promise<ReleaseCheck> {
    return await checkRelease(this.app, await this.#find(id, caller), caller);
  }

  async schedule(id: number, at: Date, caller: Caller = {}, seen: LookedAt = {}): Promise<Release> {
    const message = problemOfTime(at, this.app.clock.now());
    if (message !== undefined) throw new InvalidPlanError({ errors: [{ path: "at", message }] });
    const actor = await nameToKeep(this.app, caller);
    return await this.#inState(
      "release.schedule",
      { id, allowed: [...IDLE, "scheduled"], caller, at, seen },
      async (release) => {
        const { problems } = await checkRelease(this.app, release, caller);
        if (problems.length > 0) throw new ReleaseRefusedError({ errors: problems });
        await this.#store.resetFailed(id);
        await this.#store.setState(id, "scheduled", { at, actor });
        await enqueueRelease(this.jobs, id, at);
      },
    );
  }

  async cancel(id: number, caller: Caller = {}): Promise<Release> {
    const cancelled = { id, allowed: ["scheduled"], caller } as const;
    return await this.#inState("release.cancel", cancelled, async () => {
      await this.#store.setState(id, "open", { at: null });
      await cancelRelease(this.jobs, id);
    });
  }

  async run(id: number, caller: Caller = {}, seen: LookedAt = {}): Promise<Release> {
    const actor = await nameToKeep(this.app, caller);
    await this.#inState("release.start", { id, allowed: [...IDLE, "scheduled"], caller, seen }, async () => {
      const now = this.app.clock.now();
      await this.#store.resetFailed(id);
      await this.#store.setState(id, "running", { at: new Date(now), actor });
      await enqueueRelease(this.jobs, id, new Date(now + RESCUE));
    });
    await runRelease(this.app, id, { attempt: Number.POSITIVE_INFINITY });
    return viewOf(await this.#find(id, {}));
  }

  /** @throws PLINTH_RELEASE_NOT_FOUND (404) */
  async #find(id: number, caller: Caller): Promise<StoredRelease> {
    return await this.#seen(await this.#store.find(id), caller);
  }

  /**
   * Locks a release that is in one of some states, and reads it then.
   *
   * @throws PLINTH_RELEASE_NOT_FOUND (404), PLINTH_RELEASE_STATE (409)
   */
  async #lock(id: number, caller: Caller, allowed: readonly ReleaseState[]): Promise<StoredRelease> {
    // Who runs it has its lock, maybe for minutes: that it runs is said without waiting for them.
    assertState(await this.#find(id, caller), allowed);
    const release = await this.#seen(await this.#store.lock(id), caller);
    assertState(release, allowed);
    return release;
  }

  async #seen(release: StoredRelease | undefined, caller: Caller): Promise<StoredRelease> {
    const [seen] = release ? await seenReleases(this.app, [release], caller) : [];
    if (!seen) throw new ReleaseNotFoundError({});
    return seen;
  }

  /** @throws PLINTH_RELEASE_NOT_FOUND (404), PLINTH_RELEASE_STATE (409), PLINTH_RELEASE_CHANGED (412) */
  async #inState(
    action: PlanVerb,
    { id, allowed, caller, at, seen = {} }: Change,
    work: (release: StoredRelease) => Promise<void>,
  ): Promise<Release> {
    return await this.app.db.transaction(async () => {
      const release = await this.#lock(id, caller, allowed);
      assertLookedAt(release, seen);
      await work(release);
      await this.#tell(action, id, caller, at && { at: at.toISOString() });
      return viewOf(await this.#find(id, {}));
    });
  }

  #tell(action: PlanVerb, release: number, caller: Caller, details: object = {}): Promise<void> {
    return tellPlanAct(this.app, { action, origin: actingAs(caller).origin, details: { release, ...details } });
  }
}

/** @throws PLINTH_RELEASE_STATE (409) */
function assertState({ state }: StoredRelease, allowed: readonly ReleaseState[]): void {
  if (!allowed.includes(state)) throw new ReleaseStateError({ state, allowed });
}
