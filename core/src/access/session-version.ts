import { randomInt } from "node:crypto";

/** Above what an attribute of type integer takes. */
const END = 2 ** 31;

/**
 * A version for the sessions of an account: those that name another one have ended. Random and not counted up: of two changes
 * at once, each ends what was opened before it.
 */
export const newSessionVersion = (): number => randomInt(1, END);
