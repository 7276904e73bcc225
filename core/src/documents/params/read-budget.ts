import { TooManyError, type ParamName, type Counted } from "./errors.js";

/** What one read may ask for and cost. Infinity lifts a limit. */
export interface ReadBudget {
  /** Entries of each list that is populated: relations, media, polymorphic relations. */
  readonly nestedLimit: number;
  /** To-many relations on one path of `populate`. */
  readonly toManySteps: number;
  /** To-many relations in one `sort`, all of its keys together. */
  readonly sortSteps: number;
  /** Conditions of all filters, and keys of all sorts. */
  readonly conditions: number;
  /** Values in the lists of conditions, such as those of `$in`. */
  readonly listValues: number;
  /** Attributes that are populated, at all levels together. */
  readonly populated: number;
  /** Points that it may cost by its form: about a microsecond of processor each, with 2,000 rows in every table. */
  readonly cost: number;
  /** Points from which on a read counts as expensive: it leaves room for others. */
  readonly expensive: number;
  /** Milliseconds that an expensive read may take in the database. */
  readonly expensiveTime: number;
  /** Bytes of the JSON that is returned. */
  readonly answerBytes: number;
}

/** What clients may ask for where the configuration says nothing. */
export const PUBLIC_BUDGET: ReadBudget = Object.freeze({
  nestedLimit: 100,
  toManySteps: 4,
  sortSteps: 1,
  conditions: 250,
  listValues: 5000,
  populated: 250,
  cost: 3_000_000,
  expensive: 100_000,
  expensiveTime: 1000,
  answerBytes: 8_000_000,
});

const NONE = Number.POSITIVE_INFINITY;

/** What code of the server may ask for: it knows what it does. */
export const CODE_BUDGET: ReadBudget = Object.freeze({
  nestedLimit: NONE,
  toManySteps: NONE,
  sortSteps: NONE,
  conditions: NONE,
  listValues: NONE,
  populated: NONE,
  cost: NONE,
  expensive: NONE,
  expensiveTime: NONE,
  answerBytes: NONE,
});

/** Counts what one read asks for while it is parsed, so that too much is refused before the rest is looked at. */
export class ReadMeter {
  readonly #counts: Record<Counted, number> = { conditions: 0, listValues: 0, populated: 0 };

  constructor(readonly budget: ReadBudget) {}

  /** @throws PLINTH_QUERY_TOO_MANY (400) */
  count(what: Counted, param: ParamName, number = 1): void {
    this.#counts[what] += number;
    const limit = this.budget[what];
    if (this.#counts[what] > limit) throw new TooManyError({ what, param, limit });
  }
}
