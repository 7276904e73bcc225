import { LRUCache } from "lru-cache";

/** Characters of all that one cache keeps: 16 MB, and twice as much where they are not Latin. */
const MOST = 16_000_000;

/**
 * Caches what was made from a form, by the JSON of that form. Bounded, because clients can send any number of forms.
 */
export class PlanCache<Form extends object, Plan extends object> {
  readonly #plans: LRUCache<string, Plan>;
  /** A form that is seen again as the same object need not be written out again. */
  readonly #keys = new WeakMap<Form, string>();

  /** @param sizeOf - characters of a plan. */
  constructor(
    capacity: number,
    private readonly make: (form: Form) => Plan,
    sizeOf: (plan: Plan) => number,
  ) {
    this.#plans = new LRUCache({
      max: capacity,
      maxSize: MOST,
      maxEntrySize: MOST / 8,
      sizeCalculation: (plan, key) => key.length + sizeOf(plan),
    });
  }

  get(form: Form): Plan {
    const key = this.#keyOf(form);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = this.make(form);
    this.#plans.set(key, plan);
    return plan;
  }

  #keyOf(form: Form): string {
    const known = this.#keys.get(form);
    if (known !== undefined) return known;
    const key = JSON.stringify(form);
    this.#keys.set(form, key);
    return key;
  }
}
