import type { DeliveryFilter, DeliveryState } from "./contract.js";
import { InvalidSelectionError } from "./errors.js";

const STATES: readonly DeliveryState[] = ["waiting", "delivered", "dead", "dropped"];
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What a command or a request says of deliveries. */
export interface SelectionText {
  readonly endpoint?: unknown;
  readonly event?: unknown;
  readonly since?: unknown;
  readonly state?: unknown;
}

/** @param now - milliseconds since 1970. @throws PLINTH_WEBHOOKS_SELECTION_INVALID (400) */
export function parseSelection({ endpoint, event, since, state }: SelectionText, now: number): DeliveryFilter {
  return {
    endpoint: endpoint === undefined ? undefined : String(endpoint),
    event: event === undefined ? undefined : String(event),
    since: since === undefined ? undefined : parseSince(String(since), now),
    state: state === undefined ? undefined : parseState(String(state)),
  };
}

/** How many are listed. @throws PLINTH_WEBHOOKS_SELECTION_INVALID (400) */
export function parseLimit(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit;
  throw new InvalidSelectionError({ reason: `the limit "${String(text)}" is not a whole number from 1 to 1000` });
}

function parseSince(text: string, now: number): Date {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * (UNITS[unit] ?? 0));
  const isDate = /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
  if (isDate) return new Date(text);
  throw new InvalidSelectionError({ reason: `"${text}" is not a time, such as 90m, 12h, 3d or 2030-01-31` });
}

function parseState(text: string): DeliveryState {
  const found = STATES.find((state) => state === text);
  if (found) return found;
  throw new InvalidSelectionError({ reason: `there is no state "${text}", but ${STATES.join(", ")}` });
}
