/** Says what is wrong with a part of the configuration. */
export type Fail = (reason: string) => void;

const MEBIBYTE = 1024 ** 2;

/** Whether a value is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: MEBIBYTE, gb: 1024 ** 3 };

/** Bytes, from a number of them or a text such as `200mb`. */
export function parseBytes(value: unknown, fail: Fail): number {
  const [, count, unit = "b"] = /^(\d{1,12})(b|kb|mb|gb)$/i.exec(typeof value === "string" ? value : "") ?? [];
  const bytes = count === undefined ? value : Number(count) * (UNITS[unit.toLowerCase()] ?? 1);
  if (typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  fail('must be a number of bytes from 1, or a string such as "200mb"');
  return 0;
}

/** A whole number from 1. */
export function parseCount(value: unknown, fail: Fail): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  fail("must be a whole number from 1");
  return 1;
}
