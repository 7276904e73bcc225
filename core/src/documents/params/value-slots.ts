import type { Slot } from "../../database/reads/query.js";

/** The values of one read, in the order in which the parser meets them. Slot 0 is the default locale. */
export class ValueSlots {
  readonly #values: unknown[];

  constructor(defaultLocale: string) {
    this.#values = [defaultLocale];
  }

  /**
   * Adds a value and returns its slot. Equal values get slots of their own, so that the form of a Query does not depend
   * on values.
   */
  add(value: unknown): Slot {
    return this.#values.push(value) - 1;
  }

  /** Whether a locale is the one in slot 0. */
  isDefaultLocale(locale: string): boolean {
    return this.#values[0] === locale;
  }

  /** All values, by slot. */
  all(): readonly unknown[] {
    return [...this.#values];
  }
}
