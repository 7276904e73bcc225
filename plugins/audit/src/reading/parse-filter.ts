import type { WorkResult } from "@plinth/core/telemetry";
import type { AuditFilter, KnownSeal } from "../contract.js";
import { InvalidSelectionError } from "../errors.js";

const RESULTS: readonly WorkResult[] = ["accepted", "refused", "limited", "failed"];
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOST = 1_000;
/** As the configuration has them. */
const MOST_DAYS = 36_500;

/** What a command or a request says of entries. */
export interface FilterText {
  readonly since?: unknown;
  readonly until?: unknown;
  readonly actor?: unknown;
  readonly action?: unknown;
  readonly result?: unknown;
  readonly uid?: unknown;
  readonly documentId?: unknown;
}

/** @param now - milliseconds since 1970. @throws PLINTH_AUDIT_SELECTION_INVALID (400) */
export function parseFilter(given: FilterText, now: number): AuditFilter {
  const text = (value: unknown) => (value === undefined ? undefined : parseText(String(value)));
  const { actor, uid, documentId } = given;
  const [since, until, action, result] = [given.since, given.until, given.action, given.result].map(text);
  return {
    since: since === undefined ? undefined : parseTime(since, now),
    until: until === undefined ? undefined : parseTime(until, now),
    action: action === undefined ? undefined : parseAction(action),
    result: result === undefined ? undefined : parseResult(result),
    ...{ actor: text(actor), uid: text(uid), documentId: text(documentId) },
  };
}

/** How many are listed. @throws PLINTH_AUDIT_SELECTION_INVALID (400) */
export const parseLimit = (text: unknown): number | undefined => parseCount("the limit", text, MOST);

/** For how many days entries were kept. @throws PLINTH_AUDIT_SELECTION_INVALID (400) */
export const parseDays = (text: unknown): number | undefined => parseCount("the number of days", text, MOST_DAYS);

function parseCount(what: string, text: unknown, most: number): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new InvalidSelectionError({ reason: `${what} "${String(text)}" is not a whole number from 1 to ${most}` });
}

/** `12:9f86d0...`, as `plinth audit verify` prints the latest. @throws PLINTH_AUDIT_SELECTION_INVALID (400) */
export function parseSeal(text: string): KnownSeal {
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || hash === undefined)
    throw new InvalidSelectionError({
      reason: `"${text}" is not a seal, its number and its hash, such as 12:9f86d0...`,
    });
  return { id: Number(id), hash };
}

/** PostgreSQL has no texts with NUL. */
function parseText(text: string): string {
  if (!text.includes("\0")) return text;
  throw new InvalidSelectionError({ reason: `${JSON.stringify(text)} has a NUL, which no entry has` });
}

function parseTime(text: string, now: number): Date {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const isDate = /^\d{4}-\d\d-\d\d/.test(text);
  const time = new Date(count === undefined ? (isDate ? text : Number.NaN) : now - Number(count) * (UNITS[unit] ?? 0));
  // The years that are written alike in JavaScript and PostgreSQL.
  if (time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9_999) return time;
  throw new InvalidSelectionError({ reason: `"${text}" is not a time, such as 90m, 12h, 3d or 2030-01-31` });
}

function parseAction(text: string): string {
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?:\.\*)?$/.test(text)) return text;
  throw new InvalidSelectionError({ reason: `"${text}" is not an action, such as document.update or auth.*` });
}

function parseResult(text: string): WorkResult {
  const found = RESULTS.find((result) => result === text);
  if (found) return found;
  throw new InvalidSelectionError({ reason: `there is no result "${text}", but ${RESULTS.join(", ")}` });
}
