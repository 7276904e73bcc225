import type { App, HeldLock } from "@plinth/core";
import type { AuditConfig } from "../config.js";
import type { Seals } from "./seals.js";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Milliseconds for which it may fail until that is an error: a failover takes less. */
export const LATE = 300 * SECOND;

/** Seals, and cuts what is too old: in one process of all, whichever it is. */
export class Sealer {
  #held: HeldLock | undefined;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #isOn = false;
  #cutAt = 0;
  /** Since when it fails, and whether the log has that as an error. */
  #failing: { readonly since: number; isLogged: boolean } | undefined;

  constructor(
    private readonly app: App,
    private readonly config: AuditConfig,
    private readonly seals: Seals,
  ) {}

  start(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#wait();
  }

  /** Seals what is settled by now, unless another process does. */
  async stop(): Promise<void> {
    if (!this.#isOn) return;
    this.#isOn = false;
    clearTimeout(this.#timer);
    await this.#working;
    await this.#work();
    await this.#held?.release();
    this.#held = undefined;
  }

  #wait(): void {
    if (!this.#isOn) return;
    this.#timer = setTimeout(() => {
      this.#working = this.#work().then(() => this.#wait());
    }, this.config.seal * SECOND).unref();
  }

  async #work(): Promise<void> {
    try {
      if (this.#held?.signal.aborted) this.#held = undefined;
      this.#held ??= await this.app.db.hold("audit sealer");
      if (!this.#held) return;
      await this.seal();
      await this.#cut();
      this.#failing = undefined;
    } catch (err) {
      this.#report(err);
    }
  }

  /** Once, and once more where it lasts, until it works again. */
  #report(err: unknown): void {
    const now = this.app.clock.now();
    if (!this.#failing) this.app.log.warn({ err }, "The audit log could not be sealed; it is tried again");
    this.#failing ??= { since: now, isLogged: false };
    const { since, isLogged } = this.#failing;
    if (isLogged || now - since < LATE) return;
    this.app.log.error(
      { err, since: new Date(since).toISOString() },
      "The audit log could not be sealed for minutes: entries are written, but nothing proves them. Look at the cause in `err`.",
    );
    this.#failing.isLogged = true;
  }

  /** @returns how many entries are sealed now that were not before */
  async seal(): Promise<number> {
    const { seals, entries } = await this.seals.add();
    if (this.config.announce)
      for (const { id, at, last, hash } of seals)
        this.app.log.info({ seal: id, at, last, hash }, `The audit log was sealed: ${id}:${hash}`);
    return entries;
  }

  async #cut(): Promise<void> {
    if (performance.now() < this.#cutAt) return;
    this.#cutAt = performance.now() + HOUR;
    try {
      await this.seals.cut(this.config.days);
    } catch (err) {
      this.app.log.error(
        { err },
        "The audit log could not be cut: entries that are older than `days` stay. Look at the cause in `err`; it is tried again in an hour.",
      );
    }
  }
}
