import type { Database, Statement } from "../driver/database.js";
import type { Plan } from "./compile-query.js";

/** Statements of one form and equal values that run at the same time; a caller of another one waits for the next. */
const AT_ONCE = 2;

/** The statements of a plan with equal values. */
class Flight<Row> {
  #running = 0;
  /** The one that is sent when a running one ends. */
  #next: Promise<readonly Row[]> | undefined;
  #sendNext: ((rows: Promise<readonly Row[]>) => void) | undefined;

  /** @param over - told when nothing runs any more. */
  constructor(
    private readonly send: () => Promise<readonly Row[]>,
    private readonly over: () => void,
  ) {}

  read(): Promise<readonly Row[]> {
    if (this.#running < AT_ONCE) return this.#run();
    this.#next ??= new Promise((done) => {
      this.#sendNext = done;
    });
    return this.#next;
  }

  async #run(): Promise<readonly Row[]> {
    this.#running += 1;
    try {
      return await this.send();
    } finally {
      this.#running -= 1;
      this.#goOn();
    }
  }

  #goOn(): void {
    const sendNext = this.#sendNext;
    this.#next = undefined;
    this.#sendNext = undefined;
    if (sendNext) sendNext(this.#run());
    else if (this.#running === 0) this.over();
  }
}

/**
 * Reads that are alike and asked for at the same time share a statement: a page that many want at once costs what it
 * costs a few of them. Nobody gets an older answer for it: a statement is shared only by those who asked before it was
 * sent, so it sees every commit that they know of.
 */
export class SharedReads<Row extends object> {
  readonly #flights = new WeakMap<Plan, Map<string, Flight<Row>>>();

  constructor(private readonly db: Pick<Database, "query" | "isInTransaction" | "sharesReads">) {}

  /**
   * The rows of a plan's statement; in a transaction, which sees what nobody else does, they are its own.
   *
   * @param send - runs the statement; default: `query` of the database.
   */
  read(plan: Plan, statement: Statement, send?: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const { db } = this;
    if (db.isInTransaction) return db.query<Row>(statement);
    const run = send ?? (() => db.query<Row>(statement));
    if (!db.sharesReads) return run();
    const flights = this.#flightsOf(plan);
    const key = JSON.stringify(statement.values);
    let flight = flights.get(key);
    if (flight === undefined) {
      flight = new Flight(run, () => flights.delete(key));
      flights.set(key, flight);
    }
    return flight.read();
  }

  #flightsOf(plan: Plan): Map<string, Flight<Row>> {
    const known = this.#flights.get(plan) ?? new Map<string, Flight<Row>>();
    this.#flights.set(plan, known);
    return known;
  }
}
