import type { Database, Statement } from "../database.js";
import type { Plan } from "./compile-query.js";

/** Statements of one form and equal values that run at the same time; who asks for another one waits for the next. */
const AT_ONCE = 2;

/** Statements of a plan with equal values. */
interface Flight<Row> {
  running: number;
  /** The one that starts when a running one ends. */
  next: Promise<readonly Row[]> | undefined;
  startNext: (() => void) | undefined;
}

/**
 * Reads that are alike and asked for at the same time share a statement: a page that many want at once costs what it
 * costs a few of them. Nobody gets an older answer for it: a statement is shared only by those who asked before it was
 * sent, so it sees every commit that they know of.
 */
export class SharedReads<Row extends object> {
  readonly #flights = new WeakMap<Plan, Map<string, Flight<Row>>>();

  constructor(private readonly db: Pick<Database, "query" | "isInTransaction" | "sharesReads">) {}

  /** The rows of a plan's statement; in a transaction, which sees what nobody else does, they are its own. */
  read(plan: Plan, statement: Statement): Promise<readonly Row[]> {
    const { db } = this;
    if (!db.sharesReads || db.isInTransaction) return db.query<Row>(statement);
    const flights = this.#flightsOf(plan);
    const key = JSON.stringify(statement.values);
    const flight = flights.get(key) ?? { running: 0, next: undefined, startNext: undefined };
    flights.set(key, flight);
    const start = () => {
      flight.running += 1;
      return db.query<Row>(statement).finally(() => {
        flight.running -= 1;
        if (flight.startNext) flight.startNext();
        else if (flight.running === 0) flights.delete(key);
      });
    };
    if (flight.running < AT_ONCE) return start();
    flight.next ??= new Promise((done) => {
      flight.startNext = () => {
        flight.next = undefined;
        flight.startNext = undefined;
        done(start());
      };
    });
    return flight.next;
  }

  #flightsOf(plan: Plan): Map<string, Flight<Row>> {
    const known = this.#flights.get(plan) ?? new Map<string, Flight<Row>>();
    this.#flights.set(plan, known);
    return known;
  }
}
