import type { Database, DatabaseLog } from "./driver/database.js";

/** The time that all processes of an app agree on: that of the database. */
export interface Clock {
  /** In milliseconds since 1970. */
  now(): number;
  /** By how much the clock of this machine was behind that of the database when it was asked last, in milliseconds. */
  readonly offset: number;
}

/** The clock of one app. */
export interface AppClock extends Clock {
  /** Ends what it does by itself. */
  close?(): void;
}

/** How often the database is asked, in milliseconds. */
const MEASURE_INTERVAL = 60_000;
/** How often this machine's clock is looked at, in milliseconds: one that is set, or stands still, is measured again. */
const LOOK_INTERVAL = 1_000;
/** How far the clocks may be apart before that is worth a warning, in milliseconds. */
const MOST_APART = 500;
/** The median of so many answers: one that took long says little. */
const SAMPLES = 5;

const ASK = {
  text: "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
  values: [],
  isPlan: true,
  isUpkeep: true,
};

/** The clock of this process, where database and app are one. */
export const systemClock: AppClock = { now: () => Date.now(), offset: 0 };

/**
 * The clock of a database; the embedded one has that of this machine.
 *
 * @throws PLINTH_DATABASE_* when the server does not say its time
 */
export async function startClock(db: Pick<Database, "query" | "kind">, log: DatabaseLog): Promise<AppClock> {
  if (db.kind === "pglite") return systemClock;
  const clock = new ServerClock(db, log);
  try {
    await clock.measure();
    return clock;
  } catch (error) {
    clock.close();
    throw error;
  }
}

/**
 * The clock of a server. Between two measurements time passes as it does for this process, so that a clock of this machine
 * that is set in between moves nothing.
 *
 * @param log - gets a warning where the clocks are more than 500 ms apart.
 */
export class ServerClock implements AppClock {
  /** What to add to `performance.now()`. */
  #base = Date.now() - performance.now();
  /** The same of this machine's own clock, at the last measurement. */
  #ownBase = this.#base;
  #warnedOf = 0;
  #measuredAt = performance.now();
  #measuring: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly db: Pick<Database, "query">,
    private readonly log: DatabaseLog,
  ) {
    this.#timer = setInterval(() => this.#look(), LOOK_INTERVAL).unref();
  }

  now(): number {
    return Math.round(performance.now() + this.#base);
  }

  get offset(): number {
    return Math.round(this.#base - this.#ownBase);
  }

  /** Asks the server for its time. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #measure(): Promise<void> {
    const bases: number[] = [];
    for (let i = 0; i < SAMPLES; i++) {
      const sent = performance.now();
      const [row] = await this.db.query<{ now: number }>(ASK);
      bases.push(Number(row?.now) - (sent + performance.now()) / 2);
    }
    this.#base = bases.sort((a, b) => a - b)[Math.floor(SAMPLES / 2)] as number;
    this.#ownBase = Date.now() - performance.now();
    this.#measuredAt = performance.now();
    this.#warn();
  }

  #look(): void {
    const isSet = Math.abs(Date.now() - performance.now() - this.#ownBase) > MOST_APART;
    if (!isSet && performance.now() - this.#measuredAt < MEASURE_INTERVAL) return;
    // The time of the last measurement holds on; the next look tries again.
    this.measure().catch((err: unknown) => this.log.warn({ err }, "The time of the database could not be read"));
  }

  /** Once for each distance. */
  #warn(): void {
    const { offset } = this;
    if (Math.abs(offset) <= MOST_APART) this.#warnedOf = 0;
    else if (Math.abs(offset - this.#warnedOf) > MOST_APART) {
      this.#warnedOf = offset;
      this.log.warn(
        { offset },
        `The clock of this machine is ${offset} ms behind that of the database, whose time is used`,
      );
    }
  }
}
