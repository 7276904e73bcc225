import * as v from "@plinth/core/valibot";
import type { OptionsOf } from "../../base/options/schema-node.js";
import { allowed, option, options, whole } from "../../base/options/values.js";
import { TooManyError, type ParamName, type Counted } from "./errors.js";

const limit = (description: string, byDefault: number) =>
  option(
    v.pipe(
      v.union([whole(1), v.literal(-1)]),
      allowed("a whole number from 1, or -1 for none"),
      v.transform((value) => (value === -1 ? Number.POSITIVE_INFINITY : value)),
    ),
    description,
    byDefault,
  );

/** What config/api may hold under `reads`. -1 lifts a limit; from then on it is Infinity. */
export const readsConfig = options({
  nestedLimit: limit("Entries of each list that is populated: relations, media, polymorphic relations.", 100),
  toManySteps: limit("To-many relations on one path of `populate`.", 4),
  sortSteps: limit("To-many relations in one `sort`, all of its keys together.", 1),
  conditions: limit("Conditions of all filters, and keys of all sorts.", 250),
  listValues: limit("Values in the lists of conditions, such as those of `$in`.", 5000),
  populated: limit("Attributes that are populated, at all levels together.", 250),
  cost: limit(
    "Points that it may cost: about a microsecond of processor each, by its form and the rows that there are, 2,000 of a table at most.",
    3_000_000,
  ),
  expensive: limit(
    "Points from which on a read counts as expensive, by its form, and of tables with more than 10,000 rows by PostgreSQL's planner: it leaves room for others.",
    100_000,
  ),
  expensiveTime: limit("Milliseconds that an expensive read may take in the database.", 1000),
  answerBytes: limit("Bytes of the JSON that is returned.", 8_000_000),
});

/** The limits of one read. Infinity lifts a limit. */
export type ReadBudget = OptionsOf<typeof readsConfig>;

/** The default limits of clients. */
export const PUBLIC_BUDGET: ReadBudget = Object.freeze(v.parse(readsConfig, {}));

/** The limits of the server's own code, which is trusted. */
export const CODE_BUDGET: ReadBudget = Object.freeze(
  v.parse(readsConfig, Object.fromEntries(Object.keys(PUBLIC_BUDGET).map((key) => [key, -1]))),
);

/** Counts the parts of one read while it is parsed, so that too large ones are rejected before the rest is parsed. */
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
