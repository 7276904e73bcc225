import { type Actor, type ActorUser, NOTHING, type Reach, type SetValues, type Where } from "./ability.js";

/** A grant of one action on one content-type that reaches some rows, or some fields, only. */
export interface Rule {
  /** `<uid>.` and one of LIMITABLE, without `*`. */
  readonly action: string;
  /** Filter in the grammar of REST; `{{user.id}}`, `{{user.documentId}}` and `{{now}}` stand for values. Default: all rows. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** Names of the attributes that may be read or written. Default: all. */
  readonly fields?: readonly string[];
  /**
   * Of `create` and `update`: values that the write gets in place of those of its body; the templates of
   * `where` may stand in them: `{ owner: "{{user.id}}" }`.
   */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** Whose rules they are, and the source of the templates' values. */
export interface Variables {
  readonly user?: ActorUser;
  /** Kind of the actor: see `Ability.isAdmin`. */
  readonly kind?: Actor["kind"];
  /** Milliseconds since 1970, for `{{now}}`: of `app.clock`, so that all processes agree. Default: the clock of the machine. */
  readonly now?: () => number;
}

/** A rule prepared once, for every actor who has it. */
export interface PreparedRule {
  /** The same text for equal rules. */
  readonly key: string;
  readonly needsUser: boolean;
  /** Whether the rows that it reaches change with time. */
  readonly needsTime: boolean;
  reachFor(variables: Variables): Reach;
}

const TEMPLATE = /^\{\{\s*([\w.]*)\s*\}\}$/;
const OF_USER: ReadonlySet<string> = new Set(["user.id", "user.documentId"]);

/** Prepares a rule. A rule that names the user reaches no row for an actor that is not a user. */
export function prepareRule({ where, fields, set }: Rule): PreparedRule {
  const names = fields && new Set(fields);
  const templates = templatesOf(where);
  const needsTime = templates.includes("now");
  const needsUser = [...templates, ...templatesOf(set)].some((name) => OF_USER.has(name));
  return {
    key: JSON.stringify([
      sortedKeys(where) ?? null,
      names ? [...names].sort() : null,
      ...(set ? [sortedKeys(set)] : []),
    ]),
    needsUser,
    needsTime,
    reachFor: (variables) => {
      if (needsUser && !variables.user) return NOTHING;
      const timed = needsTime ? { isTimed: true as const } : {};
      const limits = { fields: names, ...timed, ...(set ? { set: fill(set, variables) as SetValues } : {}) };
      return where
        ? { ...limits, rows: "some", where: fill(where, variables) as Where }
        : { ...limits, rows: "everything" };
    },
  };
}

/** The names of the templates in a filter, and all that looks like one: `["user.id"]`. */
export function templatesOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes("{{") ? [TEMPLATE.exec(value)?.[1] ?? value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(templatesOf) : [];
}

/** Whether a text is a template of the caller's id. */
export const namesUser = (text: string): boolean => OF_USER.has(TEMPLATE.exec(text)?.[1] ?? "");

/** Whether a template is known. */
export function isTemplate(name: string): boolean {
  return name === "now" || OF_USER.has(name);
}

function fill(value: unknown, variables: Variables): unknown {
  if (typeof value === "string") return fillText(value, variables);
  if (Array.isArray(value)) return value.map((item) => fill(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, variables)]));
}

function fillText(text: string, { user, now = Date.now }: Variables): unknown {
  switch (TEMPLATE.exec(text)?.[1]) {
    case "user.id":
      return user?.id;
    case "user.documentId":
      return user?.documentId;
    case "now":
      return new Date(now()).toISOString();
    default:
      return text;
  }
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedKeys(inner)]));
}
