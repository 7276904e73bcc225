/** The one comparison of rights: whether one grant allows all that another one does. */
import { isDeepStrictEqual } from "node:util";
import type { Ability } from "@plinth/core";
import { createAbility, DRAFT_ACTIONS, EVERYTHING, FIND_DRAFTS, type Grant } from "@plinth/core/access";

type Reach = ReturnType<Ability["reachOf"]>;

/** Whom rules are compared for: no account has these ids, so that no value of a rule is taken for a template of another one. */
const SOMEBODY = { user: { id: -7_318_281, documentId: "somebody who is nobody" }, kind: "admin", now: () => 0 };

/** Whether the first grant allows all that the second one does; the parameters are those of `findExcess`. */
export function covers(mine: Grant, theirs: Grant, actions: Iterable<string>, openDrafts = false): boolean {
  return findExcess(mine, theirs, actions, openDrafts) === undefined;
}

/** What one grant allows beyond another one. */
export interface Excess {
  readonly action: string;
  /** Whether the action itself is not more: the rule on it that limits others is left out. */
  readonly isRuleLeftOut: boolean;
}

/**
 * The first action that the second grant allows and the first one does not, or not for as many rows and fields; undefined: the first
 * grant covers the second. What will match patterns once there is more counts as well. A rule of the first grant that the second one
 * leaves out counts where another action reaches more without it.
 *
 * @param actions - every action that there is now.
 * @param openDrafts - whether a caller who may find documents reads their drafts, unless a rule says which.
 */
export function findExcess(
  mine: Grant,
  theirs: Grant,
  actions: Iterable<string>,
  openDrafts = false,
): Excess | undefined {
  if (mine === "all") return undefined;
  const [have, want] = [mine, theirs].map((grant) => createAbility(grant, SOMEBODY)) as [Ability, Ability];
  const named = [...itemsOf(mine), ...itemsOf(theirs)];
  const patterns = itemsOf(theirs).filter((action) => action.includes("*"));
  const wanted = [...new Set([...actions, ...named])].filter((action) => want.can(action));
  const left = itemsOf(mine).filter((action) => !want.can(action));
  const leaving = { want, isEmpty: itemsOf(theirs).length === 0, openDrafts };
  const action =
    // A `*` of the wanted pattern can only be matched by one of a pattern that has at least as much.
    patterns.find((pattern) => !have.can(pattern)) ??
    wanted.find((each) => !have.can(each) || !reaches(have.reachOf(each), want.reachOf(each)));
  if (action !== undefined) return { action, isRuleLeftOut: false };
  const rule = left.find((each) => !isKept(each, have.reachOf(each), leaving));
  return rule === undefined ? undefined : { action: rule, isRuleLeftOut: true };
}

/** A grant that leaves a rule of another one out. */
interface Leaving {
  readonly want: Ability;
  readonly isEmpty: boolean;
  readonly openDrafts: boolean;
}

const FILES = "plugin::upload.file";

/** The actions of routes that stand for one on files, and reach every file where no rule on that one says which. */
const ROUTES_ON_FILES: Readonly<Record<string, readonly string[]>> = {
  find: ["find", "findPage"],
  findOne: ["findOne", "findUses"],
  create: ["upload"],
  delete: ["destroy"],
};

/** Whether nothing that falls back from an action, which is not granted, reaches more than the rule on it that is left out. */
function isKept(action: string, rule: Reach, { want, isEmpty, openDrafts }: Leaving): boolean {
  const dot = action.lastIndexOf(".");
  const [uid, name] = [action.slice(0, dot), action.slice(dot + 1)];
  const granted = (names: readonly string[], owner = uid) =>
    names.map((each) => `${owner}.${each}`).filter((each) => want.can(each));
  // A rule on changing holds for drafts as a whole, also where it names fields.
  if (name === "update")
    return granted(DRAFT_ACTIONS).every((each) => reaches(rowsOf(rule), rowsOf(want.reachOf(each))));
  // Files that something links to are seen with it, unless a rule says which.
  const isLinked = action === `${FILES}.find` && !isEmpty;
  const openly = [
    ...(uid === FILES ? granted(ROUTES_ON_FILES[name] ?? [], "plugin::upload.content-api") : []),
    ...(name === FIND_DRAFTS && openDrafts ? granted(["find", "findOne"]) : []),
  ];
  return (!isLinked && openly.length === 0) || reaches(rule, EVERYTHING);
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

/** A reach without what it says of fields. */
const rowsOf = (reach: Reach): Reach =>
  reach.rows === "nothing" ? reach : { ...reach, fields: undefined, set: undefined };
