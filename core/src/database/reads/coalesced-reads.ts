import { AsyncResource } from "node:async_hooks";
import { channels } from "../../base/telemetry.js";
import type { Database, Statement } from "../driver/database.js";

/** Equal statements that run at the same time; further callers share the next one. */
const MAX_CONCURRENT = 2;

/** Coalesces the callers of one plan with equal values. */
class SingleFlight<Row> {
  #running = 0;
  /** Sent when a running one ends. */
  #next: Promise<readonly Row[]> | undefined;
  #sendNext: (() => void) | undefined;

  /** @param onIdle - called when no statement runs any more. */
  constructor(
    private readonly send: () => Promise<readonly Row[]>,
    private readonly onIdle: () => void,
  ) {}

  /** Whether the next caller shares the statement of another one. */
  get isShared(): boolean {
    return this.#running >= MAX_CONCURRENT && this.#next !== undefined;
  }

  read(): Promise<readonly Row[]> {
    if (this.#running < MAX_CONCURRENT) return this.#run();
    this.#next ??= new Promise((done) => {
      // In the async context of the first that waits, and not in that of the statement before it.
      this.#sendNext = AsyncResource.bind(() => done(this.#run()));
    });
    return this.#next;
  }

  async #run(): Promise<readonly Row[]> {
    this.#running += 1;
    try {
      return await this.send();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  #startNext(): void {
    const sendNext = this.#sendNext;
    this.#next = undefined;
    this.#sendNext = undefined;
    if (sendNext) sendNext();
    else if (this.#running === 0) this.onIdle();
  }
}

/**
 * Request coalescing: equal reads at the same time share a statement, so a popular page costs what a few requests cost.
 * No answer is older for it: a statement is shared only by callers that came before it was sent, so it sees every
 * commit that they know of.
 */
export class CoalescedReads<Row extends object> {
  readonly #flights = new WeakMap<object, Map<string, SingleFlight<Row>>>();

  constructor(private readonly db: Pick<Database, "query" | "isInTransaction" | "sharesReads" | "knex">) {}

  /**
   * The rows of a plan's statement. Inside a transaction it is never shared: a transaction sees rows that others do
   * not.
   *
   * @param plan - the same object for statements of one text.
   * @param send - runs the statement; default: `query` of the database.
   */
  read(plan: object, statement: Statement, send?: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const { db } = this;
    if (db.isInTransaction) return db.query<Row>(statement);
    const run = send ?? (() => db.query<Row>(statement));
    if (!db.sharesReads) return run();
    const flights = this.#flightsOf(plan);
    const key = JSON.stringify(statement.values);
    let flight = flights.get(key);
    if (flight === undefined) {
      flight = new SingleFlight(run, () => flights.delete(key));
      flights.set(key, flight);
    }
    if (channels.sharedRead.hasSubscribers)
      channels.sharedRead.publish({ pool: db.knex, how: flight.isShared ? "joined" : "led" });
    return flight.read();
  }

  #flightsOf(plan: object): Map<string, SingleFlight<Row>> {
    const known = this.#flights.get(plan) ?? new Map<string, SingleFlight<Row>>();
    this.#flights.set(plan, known);
    return known;
  }
}
