import { check, type OptionCheck } from "../base/check-options.js";

/** A number of bytes, or a text such as `1mb`. */
export type Size = string | number;

/** How a size is written: `500kb`, `1.5 MB`. */
const SIZE = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)$/i;

/** Checks a size of the configuration. */
export const checkSize: OptionCheck = check.either("bytes, or a size such as 1mb", check.whole(1), (value) =>
  typeof value === "string" && SIZE.test(value) ? undefined : "a size",
);

const POWERS: Readonly<Record<string, number>> = { b: 0, kb: 1, mb: 2, gb: 3 };

/** The bytes of a size; a kilobyte has 1,024. */
export function bytesOf(size: Size): number {
  if (typeof size === "number") return size;
  const [, count = "0", unit = "b"] = SIZE.exec(size) ?? [];
  return Math.floor(Number(count) * 1024 ** (POWERS[unit.toLowerCase()] ?? 0));
}
