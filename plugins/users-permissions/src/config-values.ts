import { isRecord } from "./body/check-body.js";

/** Says what is wrong with a part of the configuration. */
export type Fail = (reason: string) => void;

/** The known keys of a part of the configuration; their values are the caller's to check. */
export function readKeys(value: unknown, known: readonly string[], fail: Fail): object {
  if (!isRecord(value)) {
    fail(`must be an object of ${known.join(", ")}`);
    return {};
  }
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0) fail(`knows ${known.join(", ")}, and not ${unknown.join(", ")}`);
  return Object.fromEntries(Object.entries(value).filter(([, given]) => given !== undefined));
}

/** Whether a value is a whole number from 1. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1;
}

/** Whether a value is an absolute web address. */
export function isUrl(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && /^https?:/i.test(value);
}
