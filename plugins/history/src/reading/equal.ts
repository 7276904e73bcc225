import { isDeepStrictEqual } from "node:util";

import { type ContentType, isScalarKind } from "@plinth/core/schema";

/** Nothing is nothing, however it is written. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

type Data = Readonly<Record<string, unknown>>;

/** The names of what differs between two views of a type without ids; null is one of nothing. */
export function differing(
  { attributes }: Pick<ContentType, "attributes">,
  a: Data | null,
  b: Data | null,
): readonly string[] {
  const [from, to] = [a ?? {}, b ?? {}];
  const names = [...new Set([...Object.keys(to), ...Object.keys(from)])];
  return names.filter((name) => {
    const isSameValue = isScalarKind(attributes.get(name)?.kind ?? "") ? isSameScalar : isSame;
    return !isSameValue(from[name], to[name]);
  });
}

/** To a json attribute an empty list is a value. */
const isSameScalar = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a ?? null, b ?? null);

/** Whether two values of views without ids are the same. */
export const isSame = (a: unknown, b: unknown): boolean => (isEmpty(a) && isEmpty(b)) || isDeepStrictEqual(a, b);
