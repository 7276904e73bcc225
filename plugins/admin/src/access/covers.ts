import { isDeepStrictEqual } from "node:util";
import type { Ability } from "@plinth/core";
import { createAbility, type Grant } from "@plinth/core/access";

type Reach = ReturnType<Ability["reachOf"]>;

/** Whom rules are compared for: no account has these ids, so that no value of a rule is taken for a template of another one. */
const SOMEBODY = { user: { id: -7_318_281, documentId: "somebody who is nobody" }, kind: "admin", now: () => 0 };

/**
 * Whether who has the first grant may do all that the second one allows: each action, its rows, its fields, and what will match
 * its patterns once there is more.
 *
 * @param actions - every action that there is now.
 */
export function covers(mine: Grant, theirs: Grant, actions: Iterable<string>): boolean {
  if (mine === "all") return true;
  const [have, want] = [mine, theirs].map((grant) => createAbility(grant, SOMEBODY)) as [Ability, Ability];
  const named = [...itemsOf(mine), ...itemsOf(theirs)];
  const patterns = itemsOf(theirs).filter((action) => action.includes("*"));
  // A `*` of the wanted pattern can only be matched by one of a pattern that has at least as much.
  if (!patterns.every((pattern) => have.can(pattern))) return false;
  return [...new Set([...actions, ...named])]
    .filter((action) => want.can(action))
    .every((action) => have.can(action) && reaches(have.reachOf(action), want.reachOf(action)));
}

function itemsOf(grant: Grant): readonly string[] {
  if (grant === "none") return [];
  if (grant === "all") return ["*"];
  if (grant === "read") return ["*.find", "*.findOne"];
  return grant.map((item) => (typeof item === "string" ? item : item.action));
}

/** Rows by equal rules only: whether one filter is within another cannot be decided in general. */
function reaches(mine: Reach, theirs: Reach): boolean {
  if (theirs.rows === "nothing") return true;
  if (mine.rows === "nothing") return false;
  const areRows = mine.rows === "everything" || isDeepStrictEqual(mine, { ...mine, ...whereOf(theirs) });
  const areFields =
    mine.fields === undefined ||
    (theirs.fields !== undefined && [...theirs.fields].every((name) => mine.fields?.has(name)));
  const areSet = mine.set === undefined || isDeepStrictEqual(mine.set, theirs.set);
  // What the other one's writes set, mine could write as well only where no field is kept from it.
  const maySet = theirs.set === undefined || mine.fields === undefined || isDeepStrictEqual(mine.set, theirs.set);
  return areRows && areFields && areSet && maySet;
}

const whereOf = (reach: Reach) => ({ rows: reach.rows, ...(reach.rows === "some" ? { where: reach.where } : {}) });
