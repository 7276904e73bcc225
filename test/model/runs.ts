const DEFAULT_RUNS = 200;
const GREATEST_SEED = 2 ** 31;
const total = Number(process.env["PLINTH_MODEL_RUNS"] ?? DEFAULT_RUNS);

/** How many sequences each suite tries: PLINTH_MODEL_RUNS (200) are shared by two worlds on two databases. */
export const RUNS = Math.ceil(total / 4);

const PARALLEL_SHARE = 10;

/** How many times several clients write at once, in each suite: they wait for each other, so they are slower. */
export const PARALLEL_RUNS = Math.ceil(RUNS / PARALLEL_SHARE);

/** Where the random sequences start; PLINTH_MODEL_SEED repeats those of an earlier run. */
export const SEED = Number(process.env["PLINTH_MODEL_SEED"] ?? Math.trunc(Math.random() * GREATEST_SEED));
