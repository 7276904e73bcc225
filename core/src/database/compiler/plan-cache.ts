import { RecentMap } from "../../base/recent-map.js";

/** Keeps what was made from the form of a thing, under the JSON of that form. Bounded, because clients can mint forms. */
export class PlanCache<Form extends object, Plan extends object> {
  readonly #plans: RecentMap<string, Plan>;
  /** A form that is seen again as the same object need not be written out again. */
  readonly #keys = new WeakMap<Form, string>();

  constructor(
    capacity: number,
    private readonly make: (form: Form) => Plan,
  ) {
    this.#plans = new RecentMap(capacity);
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
