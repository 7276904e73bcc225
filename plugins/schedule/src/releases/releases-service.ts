import type { App } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";
import { nameToKeep } from "../callers.js";
import type {
  Caller,
  NewRelease,
  Release,
  ReleaseChanges,
  ReleaseCheck,
  ReleaseFilter,
  Releases,
  ReleaseState,
} from "../contract.js";
import { InvalidPlanError, ReleaseNotFoundError, ReleaseRefusedError, ReleaseStateError } from "../errors.js";
import { enqueueRelease } from "../jobs.js";
import { checkRelease } from "./check-release.js";
import { parseActions } from "./parse-actions.js";
import { ReleaseStore, type StoredRelease, viewOf } from "./release-store.js";
import { runRelease } from "./run-release.js";
import { seenReleases } from "./seen-releases.js";

const PAGE = 25;

/** Milliseconds after which a release that was run by hand is gone on with, where its process is gone. */
const RESCUE = 30_000;

/** In which states what is in it may change, and it may be run. */
const IDLE: readonly ReleaseState[] = ["open", "failed"];

/** Makes the service behind `releases`. */
export class ReleasesService implements Releases {
  readonly #store: ReleaseStore;

  constructor(
    private readonly app: App,
    private readonly jobs: Pick<Jobs, "enqueue">,
  ) {
    this.#store = new ReleaseStore(app);
  }

  async list(filter: ReleaseFilter = {}, caller: Caller = {}): Promise<readonly Release[]> {
    return (await seenReleases(this.app, await this.#store.list(filter, PAGE), caller)).map(viewOf);
  }

  async find(id: number, caller: Caller = {}): Promise<Release> {
    return viewOf(await this.#find(id, caller));
  }

  async create({ name, actions, transaction = true }: NewRelease, caller: Caller = {}): Promise<Release> {
    const parsed = await parseActions(this.app, actions, caller);
    const { actor } = caller;
    const creator = actor ? { kind: actor.kind, id: actor.user?.documentId ?? actor.id } : null;
    return viewOf(await this.#find(await this.#store.insert(name, transaction, creator, parsed), {}));
  }

  async change(id: number, changes: ReleaseChanges, caller: Caller = {}): Promise<Release> {
    const { name, actions, transaction } = changes;
    return await this.#inState(id, IDLE, caller, async (release) => {
      await this.#store.change(id, {
        name: name ?? release.name,
        transaction: transaction ?? release.transaction,
      });
      if (actions) await this.#store.replaceActions(id, await parseActions(this.app, actions, caller));
    });
  }

  async remove(id: number, caller: Caller = {}): Promise<void> {
    await this.app.db.transaction(async () => {
      assertState(await this.#lock(id, caller), ["open", "scheduled", "done", "failed"]);
      await this.#store.remove(id);
    });
  }

  async check(id: number, caller: Caller = {}): Promise<ReleaseCheck> {
    return await checkRelease(this.app, await this.#find(id, caller), caller);
  }

  async schedule(id: number, at: Date, caller: Caller = {}): Promise<Release> {
    if (!(at.getTime() > this.app.clock.now()))
      throw new InvalidPlanError({ errors: [{ path: "at", message: "must be a time that is not over" }] });
    const actor = await nameToKeep(this.app, caller);
    return await this.#inState(id, ["open", "failed", "scheduled"], caller, async (release) => {
      const { problems } = await checkRelease(this.app, release, caller);
      if (problems.length > 0) throw new ReleaseRefusedError({ errors: problems });
      await this.#store.setState(id, "scheduled", { at, actor });
      await enqueueRelease(this.jobs, id, at);
    });
  }

  async cancel(id: number, caller: Caller = {}): Promise<Release> {
    return await this.#inState(id, ["scheduled"], caller, () => this.#store.setState(id, "open", { at: null }));
  }

  async run(id: number, caller: Caller = {}): Promise<Release> {
    const actor = await nameToKeep(this.app, caller);
    await this.#inState(id, [...IDLE, "scheduled"], caller, async () => {
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

  async #lock(id: number, caller: Caller): Promise<StoredRelease> {
    return await this.#seen(await this.#store.lock(id), caller);
  }

  async #seen(release: StoredRelease | undefined, caller: Caller): Promise<StoredRelease> {
    const [seen] = release ? await seenReleases(this.app, [release], caller) : [];
    if (!seen) throw new ReleaseNotFoundError({});
    return seen;
  }

  /** @throws PLINTH_RELEASE_NOT_FOUND (404), PLINTH_RELEASE_STATE (409) */
  async #inState(
    id: number,
    allowed: readonly ReleaseState[],
    caller: Caller,
    work: (release: StoredRelease) => Promise<void>,
  ): Promise<Release> {
    return await this.app.db.transaction(async () => {
      const release = await this.#lock(id, caller);
      assertState(release, allowed);
      await work(release);
      return viewOf(await this.#find(id, {}));
    });
  }
}

/** @throws PLINTH_RELEASE_STATE (409) */
function assertState({ state }: StoredRelease, allowed: readonly ReleaseState[]): void {
  if (!allowed.includes(state)) throw new ReleaseStateError({ state, allowed });
}
