/**
 * Keeps what was made from the form of a thing, under the JSON of that form. Bounded, because clients can mint forms:
 * the least recently used goes first.
 */
export class PlanCache<Form extends object, Plan> {
  readonly #plans = new Map<string, Plan>();
  /** A form that is seen again as the same object need not be written out again. */
  readonly #keys = new WeakMap<Form, string>();

  constructor(
    private readonly capacity: number,
    private readonly make: (form: Form) => Plan,
  ) {}

  get(form: Form): Plan {
    const key = this.#keyOf(form);
    const known = this.#plans.get(key);
    this.#plans.delete(key);
    const plan = known ?? this.make(form);
    this.#plans.set(key, plan);
    if (this.#plans.size > this.capacity) this.#plans.delete(this.#plans.keys().next().value as string);
    return plan;
  }

  get size(): number {
    return this.#plans.size;
  }

  #keyOf(form: Form): string {
    const known = this.#keys.get(form);
    if (known !== undefined) return known;
    const key = JSON.stringify(form);
    this.#keys.set(form, key);
    return key;
  }
}
