import type { TokenKind, TokenRule, TokenView } from "../../../../src/wire/tokens.js";
import { ownZone } from "../../../fields/date/date-text.js";
import { clockAt } from "../../plans/zoned-time.js";
import type { TokenValues } from "./token-requests.js";

const DAY = 86_400_000;
const DAYS = { week: 7, month: 30, quarter: 90, year: 365 } as const;

/** Until when a token lives, as it is chosen; `date`: until a time of one's own. */
export const LIFE_SPANS = ["week", "month", "quarter", "year", "never", "date"] as const;

/** One of them. */
export type LifeSpan = (typeof LIFE_SPANS)[number];

/** A token as its form holds it. */
export interface TokenDraft {
  readonly name: string;
  readonly description: string;
  readonly type: TokenKind;
  /** Actions that are ticked. */
  readonly actions: ReadonlySet<string>;
  /** Rules, patterns and what no box stands for, as JSON. */
  readonly rules: string;
  readonly life: LifeSpan;
  /** As a field of dates and times has it, in the zone of the reader. */
  readonly endsAt: string;
}

/** The draft of a new token. */
export const NEW_TOKEN: TokenDraft = {
  ...{ name: "", description: "", type: "read-only", actions: new Set(), rules: "", life: "quarter", endsAt: "" },
};

/** The draft of one that is there. @param known - actions that boxes stand for */
export function draftOf(token: TokenView, known: ReadonlySet<string>): TokenDraft {
  const isTicked = (item: string | TokenRule): item is string => typeof item === "string" && known.has(item);
  const others = token.permissions.filter((item) => !isTicked(item));
  return {
    name: token.name,
    description: token.description ?? "",
    type: token.type,
    actions: new Set(token.permissions.filter(isTicked)),
    rules: others.length === 0 ? "" : JSON.stringify(others, undefined, 2),
    life: token.expiresAt === null ? "never" : "date",
    endsAt: token.expiresAt === null ? "" : clockAt(token.expiresAt, ownZone()),
  };
}

/** What is wrong with the JSON of rules: it is not a JSON text, or not a list. */
export type RulesProblem = "json" | "list";

/** The rules of a draft, read; nothing is an empty list. */
export function readRules(text: string): {
  readonly rules: readonly (string | TokenRule)[];
  readonly problem?: RulesProblem;
} {
  if (text.trim() === "") return { rules: [] };
  try {
    const rules: unknown = JSON.parse(text);
    return Array.isArray(rules) ? { rules } : { rules: [], problem: "list" };
  } catch {
    // Half a text is nothing wrong while it is typed.
    return { rules: [], problem: "json" };
  }
}

/**
 * What is sent of a draft.
 *
 * @param now - milliseconds since 1970
 * @param stored - the end of the token that is changed, which the form shows without its seconds
 */
export function valuesOf(
  { name, description, type, actions, rules, ...rest }: TokenDraft,
  now: number,
  stored: string | null = null,
): TokenValues {
  const hasPermissions = type === "custom" || type === "admin";
  return {
    ...{ name: name.trim(), description: description.trim() || null, type },
    permissions: hasPermissions ? [...[...actions].sort(), ...readRules(rules).rules] : [],
    expiresAt: endOf(rest, now, stored),
  };
}

function endOf(
  { life, endsAt }: Pick<TokenDraft, "life" | "endsAt">,
  now: number,
  stored: string | null,
): string | null {
  if (life === "never") return null;
  if (life === "date" && stored !== null && endsAt === clockAt(stored, ownZone())) return stored;
  if (life !== "date") return new Date(now + DAYS[life] * DAY).toISOString();
  const date = new Date(endsAt);
  // The server says what is wrong with it.
  return Number.isNaN(date.getTime()) ? endsAt : date.toISOString();
}

/** Actions that rules and patterns speak of, which boxes show as given. @param known - actions that boxes stand for */
export function coveredBy(rules: readonly (string | TokenRule)[], known: Iterable<string>): ReadonlySet<string> {
  const tests = rules.map((rule) => testOf(typeof rule === "string" ? rule : String(rule?.action)));
  return new Set([...known].filter((action) => tests.some((test) => test.test(action))));
}

/** A star stands for any text. */
const testOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
