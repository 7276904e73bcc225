import * as v from "../valibot.js";
import { allowed, whole } from "./values.js";

/** A number of bytes, or a text such as `1mb`. */
export type Size = string | number;

/** How a size is written: `500kb`, `1.5 MB`. */
const SIZE = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)$/i;

/** A size of the configuration. */
export const byteSize = v.pipe(
  v.union([whole(1), v.pipe(v.string(), v.regex(SIZE))]),
  allowed("bytes, or a size such as 1mb"),
);

const POWERS: Readonly<Record<string, number>> = { b: 0, kb: 1, mb: 2, gb: 3 };

/** The bytes of a size; a kilobyte has 1,024. */
export function bytesOf(size: Size): number {
  if (typeof size === "number") return size;
  const [, count = "0", unit = "b"] = SIZE.exec(size) ?? [];
  return Math.floor(Number(count) * 1024 ** (POWERS[unit.toLowerCase()] ?? 0));
}
