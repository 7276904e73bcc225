import { RecentMap } from "../../base/recent-map.js";

/** Characters of all that one cache keeps. */
const MOST = 16_000_000;

/** Keeps what was made from the form of a thing, under the JSON of that form. Bounded, because clients can mint forms. */
export class PlanCache<Form extends object, Plan extends object> {
  readonly #plans: RecentMap<string, Plan>;
  /** A form that is seen again as the same object need not be written out again. */
  readonly #keys = new WeakMap<Form, string>();

  /** @param sizeOf - characters of a plan. */
  constructor(
    capacity: number,
    private readonly make: (form: Form) => Plan,
    sizeOf: (plan: Plan) => number,
  ) {
    this.#plans = new RecentMap(capacity, { of: (key, plan) => key.length + sizeOf(plan), most: MOST });
  }

  get(form: Form): Plan {
    return this.#plans.getOrMake(this.#keyOf(form), () => this.make(form));
  }

  #keyOf(form: Form): string {
    const known = this.#keys.get(form);
    if (known !== undefined) return known;
    const key = JSON.stringify(form);
    this.#keys.set(form, key);
    return key;
  }
}
