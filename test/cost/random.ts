/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0, below `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True once in `times`. */
  once(times: number): boolean;
}

/**
 * @source https://en.wikipedia.org/wiki/Linear_congruential_generator, constants of Numerical Recipes, its high bits
 *   are used
 */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    once: (times) => below(times) === 0,
  };
}
