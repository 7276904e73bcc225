import { PAGE_SIZES } from "../../../app/list-search.js";

/** Which users are shown, by what holds for them. */
export const USER_STATES = ["active", "unconfirmed", "blocked"] as const;

/** What the address of the list of users says. */
export interface UsersSearch {
  readonly q?: string;
  /** documentId of a role. */
  readonly role?: string;
  readonly state?: (typeof USER_STATES)[number];
  readonly size?: number;
  readonly cursor?: string;
}

/** Reads the address; what it does not understand is left out. */
export function parseUsersSearch({ q, role, state, size, cursor }: Record<string, unknown>): UsersSearch {
  const known = USER_STATES.find((each) => each === state);
  return {
    ...(typeof q === "string" && q !== "" ? { q } : {}),
    ...(typeof role === "string" && role !== "" ? { role } : {}),
    ...(known ? { state: known } : {}),
    ...(PAGE_SIZES.some((each) => each === size) ? { size: Number(size) } : {}),
    ...(typeof cursor === "string" ? { cursor } : {}),
  };
}
