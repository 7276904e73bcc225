import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReplicasConfig } from "./config.js";
import type { GuardedClient } from "./guarded-client.js";
import { formatPosition, parsePosition, type Position, type ReadPoint } from "./position.js";
import { PrimaryLog } from "./primary-log.js";
import { Probe } from "./probe.js";
import { Replica } from "./replica.js";
import { TRACKINGS, type Tracking } from "./tracking.js";

/** Milliseconds after which a server that does not answer counts as silent. */
const SILENCE = 1_000;

/** Milliseconds after which a primary that is silent counts as gone. Until then it may only be slow: no statement is refused. */
const ABSENCE = 5_000;

/** Between two looks at what replicas have replayed, in milliseconds; they are asked every 50 ms. */
const PAUSE = 20;

/** A server, and connections to it. */
export interface ReplicaSource<Pool> {
  /** Closed with the replicas. */
  readonly pool: Pool;
  /** A client that is not connected yet. */
  readonly connect: () => GuardedClient;
  /** Ends the connections of the pool: reads that wait for an answer go elsewhere. */
  readonly cutOff: () => void;
}

/** Where it is said that there is no primary. */
interface WarningLog {
  warn(details: object, message: string): void;
}

/** What replicas are made of. */
export interface ReplicasOptions<Pool> {
  readonly config: ReplicasConfig;
  readonly sources: readonly ReplicaSource<Pool>[];
  /** A client of the primary that is not connected yet. */
  readonly connectPrimary: () => GuardedClient;
  /** Whether statements may be prepared. */
  readonly isNamed: boolean;
  readonly log: WarningLog;
}

/** A read that waits for a replica to come to its position. */
interface Waiting<Pool> {
  readonly point: Position;
  readonly since: number;
  readonly found: (replica: Replica<Pool> | undefined) => void;
}

/**
 * Servers that follow the primary, and which of them a read may use. What a replica said that it had replayed holds for
 * ever after, so no read asks: the choice is made in memory.
 */
export class Replicas<Pool extends { close(): Promise<void> }> {
  readonly config: ReplicasConfig;
  readonly #tracking: Tracking;
  readonly #replicas: readonly Replica<Pool>[];
  readonly #probes: readonly Probe[];
  readonly #primary: PrimaryLog;
  readonly #waiting = new Set<Waiting<Pool>>();
  /** How many could answer a read now. */
  get usable(): number {
    const now = performance.now();
    return this.#replicas.filter((replica) => this.#isUsable(replica, now)).length;
  }

  /** How old what each shows may be, in milliseconds; Infinity where it is not known. */
  get lags(): readonly number[] {
    const now = this.#aloneSince ?? performance.now();
    return this.#replicas.map(({ position }) => this.#lagOf(position, now));
  }

  /** The end of the latest write of this process. */
  #written: Position | undefined;
  #writtenText: string | undefined;
  /** Whether the primary refused to say its position. */
  #isUntold = false;
  /** As of `performance.now()`. */
  #blindUntil = Number.NEGATIVE_INFINITY;
  /** Since when there has been no primary, as of `performance.now()`. */
  #aloneSince: number | undefined;
  /** Whether the primary gave no answer, in place of one that it is none or cannot be reached. */
  #isSilent = false;

  constructor({ config, sources, connectPrimary, isNamed, log }: ReplicasOptions<Pool>) {
    this.config = config;
    this.#tracking = TRACKINGS[config.position];
    this.#primary = new PrimaryLog(config.maxLag);
    this.#replicas = sources.map(({ pool }) => new Replica(pool));
    const name = isNamed ? `plinth_probe_${randomBytes(6).toString("hex")}` : undefined;
    const ofPrimary = new Probe({
      ...{ connect: connectPrimary, text: this.#tracking.primary, name },
      answered: (position, asked) => this.#notePrimary(position, asked, log),
      failed: (error, isSilent) => this.#noteFailure(error, isSilent, log),
    });
    const ofReplicas = sources.map(
      ({ connect, cutOff }, i) =>
        new Probe({
          ...{ connect, text: this.#tracking.replica, name },
          answered: (position, asked) => this.#noteReplica(this.#replicas[i] as Replica<Pool>, position, asked),
          failed: () => {
            this.#noteReplica(this.#replicas[i] as Replica<Pool>, undefined, Number.NEGATIVE_INFINITY);
            cutOff();
          },
        }),
    );
    this.#probes = [ofPrimary, ...ofReplicas];
    for (const probe of this.#probes) probe.start();
  }

  /** One of each. */
  get pools(): readonly Pool[] {
    return this.#replicas.map(({ pool }) => pool);
  }

  /** The statement that goes along with each commit; its column `position` is for `wrote`. Undefined: none. */
  get commitText(): string | undefined {
    return this.#tracking.commit;
  }

  /** Whether there is no primary: nothing can be written, and nothing changes. */
  get isAlone(): boolean {
    if (this.#aloneSince === undefined) return false;
    return !this.#isSilent || performance.now() - this.#aloneSince > ABSENCE;
  }

  /** The end of the latest write of this process, in the form of `Plinth-Position`. */
  get written(): string | undefined {
    return this.#writtenText;
  }

  /**
   * Notes that a write was committed.
   *
   * @param text - its position; undefined where it is not known: no replica is used for `maxLag` then.
   */
  readonly wrote = (text: string | undefined): void => {
    if (text === undefined) this.#blindUntil = performance.now() + this.config.maxLag;
    const position = this.#read(text, Date.now());
    if (position === undefined) return;
    this.#primary.raise(position);
    const { timeline = 0, lsn = -1 } = this.#written ?? {};
    if (position.timeline < timeline || (position.timeline === timeline && position.lsn <= lsn)) return;
    this.#written = position;
    this.#writtenText = text ?? formatPosition(position);
  };

  /**
   * The least busy replica that is at a point or beyond; where there is none yet, it waits for one for `wait` ms.
   *
   * @returns undefined: the primary has to be asked.
   */
  choose({ position }: ReadPoint): Replica<Pool> | undefined | Promise<Replica<Pool> | undefined> {
    const now = performance.now();
    if (now < this.#blindUntil) return undefined;
    const found = this.#find(position && this.#lsnOf(position, now), now);
    if (found || position === undefined || !this.#isWorthWaiting(now)) return found;
    return this.#wait(position, now);
  }

  /**
   * Waits until every replica in use shows what was committed up to a position, at most `maxLag`: reads from then on see it.
   *
   * @param text - as `commitText` gives it; undefined where positions are times: then it is the whole `maxLag`.
   */
  async allAt(text: string | undefined): Promise<void> {
    const end = performance.now() + this.config.maxLag;
    const position = this.#tracking.commit === undefined ? undefined : this.#read(text, 0);
    for (let now = performance.now(); now < end; now = performance.now()) {
      const behind = this.#replicas.some(
        (replica) => this.#isUsable(replica, now) && (replica.position as Position).lsn < (position?.lsn ?? Infinity),
      );
      if (!behind) return;
      await sleep(PAUSE);
    }
  }

  async close(): Promise<void> {
    for (const { found } of this.#waiting) found(undefined);
    await Promise.all(this.#probes.map((probe) => probe.close()));
    await Promise.all(this.#replicas.map(({ pool }) => pool.close()));
  }

  #find(lsn: number | undefined, now: number): Replica<Pool> | undefined {
    let best: Replica<Pool> | undefined;
    for (const replica of this.#replicas) {
      if (best && best.busy <= replica.busy) continue;
      if (this.#isUsable(replica, now) && (lsn === undefined || (replica.position as Position).lsn >= lsn))
        best = replica;
    }
    return best;
  }

  #lagOf(position: Position | undefined, now: number): number {
    const isOfOurs = position !== undefined && position.timeline === this.#primary.position?.timeline;
    return isOfOurs ? this.#primary.lagOf(position, now) : Number.POSITIVE_INFINITY;
  }

  #isUsable({ position, askedAt }: Replica<Pool>, now: number): boolean {
    const primary = this.#primary.position;
    if (!position || !primary || now - askedAt > SILENCE || position.timeline !== primary.timeline) return false;
    if (this.#aloneSince !== undefined && now - this.#aloneSince > this.config.alone) return false;
    if (this.#tracking.commit === undefined) return true;
    // Without a primary nothing gets older.
    return this.#primary.lagOf(position, this.#aloneSince ?? now) <= this.config.maxLag;
  }

  /**
   * How far a replica has to be for a position. One beyond the primary's own, as the primary said after the read came, is
   * none of ours: the primary's stands for it.
   */
  #lsnOf({ timeline, lsn }: Position, since: number): number {
    const { position, askedAt } = this.#primary;
    if (position === undefined) return Number.POSITIVE_INFINITY;
    const isBeyond = timeline > position.timeline || (lsn > position.lsn && timeline === position.timeline);
    if (askedAt >= since && (isBeyond || lsn > position.lsn)) return position.lsn;
    return timeline > position.timeline ? Number.POSITIVE_INFINITY : lsn;
  }

  #isWorthWaiting(now: number): boolean {
    if (this.config.wait === 0 || this.#tracking.commit === undefined) return false;
    return this.#replicas.some((replica) => this.#isUsable(replica, now));
  }

  #wait(point: Position, since: number): Promise<Replica<Pool> | undefined> {
    return new Promise((resolve) => {
      const found = (replica: Replica<Pool> | undefined): void => {
        clearTimeout(limit);
        this.#waiting.delete(waiting);
        resolve(replica);
      };
      const limit = setTimeout(() => found(undefined), this.config.wait);
      const waiting: Waiting<Pool> = { point, since, found };
      this.#waiting.add(waiting);
    });
  }

  #lookAgain(): void {
    if (this.#waiting.size === 0) return;
    const now = performance.now();
    for (const { point, since, found } of this.#waiting) {
      const replica = this.#find(this.#lsnOf(point, since), now);
      if (replica) found(replica);
    }
  }

  #noteReplica(replica: Replica<Pool>, text: string | null | undefined, asked: number): void {
    replica.askedAt = asked;
    replica.position = text === undefined ? undefined : this.#read(text, Date.now() - this.config.maxLag);
    this.#lookAgain();
  }

  #notePrimary(text: string | null | undefined, asked: number, log: WarningLog): void {
    const position = text === undefined ? undefined : this.#read(text, Date.now());
    if (position === undefined) {
      this.#noteAlone("it is no primary", log);
      return;
    }
    if (this.#aloneSince !== undefined) log.warn({}, "The primary answers again");
    this.#aloneSince = undefined;
    this.#primary.add(position, asked);
    this.#lookAgain();
  }

  #noteFailure(error: unknown, isSilent: boolean, log: WarningLog): void {
    if (!isOfPrimary(error)) this.#noteAlone(error, log, isSilent);
    else if (!this.#isUntold) log.warn({ err: error }, "The primary does not say its position: no replica is used");
    this.#isUntold = isOfPrimary(error);
  }

  #noteAlone(err: unknown, log: WarningLog, isSilent = false): void {
    const isKnown = this.#aloneSince !== undefined && (isSilent || !this.#isSilent);
    if (isKnown) return;
    this.#aloneSince ??= performance.now();
    this.#isSilent = isSilent;
    const reads = `the public reads from replicas for ${this.config.alone} ms`;
    if (isSilent)
      log.warn({ err }, `The primary does not answer: ${reads}, writes wait, and are refused after ${ABSENCE} ms`);
    else log.warn({ err }, `There is no primary: ${reads}, nothing is written`);
  }

  #read(text: string | null | undefined, time: number): Position | undefined {
    if (this.#tracking.commit === undefined) return timePosition(time);
    return text ? parsePosition(text) : undefined;
  }
}

/** A time in milliseconds as a position. */
const timePosition = (time: number): Position => ({ timeline: 1, lsn: time });

/** 55000 of pg_current_wal_flush_lsn: a standby; 57P0x and 08*: stopping, starting, or cut off. Any other is a server that works. */
const NO_PRIMARY = /^(?:55000|25006|57P0[1-5]|08...)$/;

function isOfPrimary(error: unknown): boolean {
  return error instanceof Error && "severity" in error && "code" in error && !NO_PRIMARY.test(String(error.code));
}
