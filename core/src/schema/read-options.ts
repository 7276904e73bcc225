import type { RawAttribute } from "./raw.js";
import type { Report } from "./errors.js";

/** One attribute of a schema file while it is being read. */
export interface AttributeSource {
  readonly name: string;
  readonly raw: RawAttribute;
  readonly owner: OwnerSource;
  /** Reports a problem of this attribute; paths are options of it, such as `min`. */
  readonly report: Report;
}

/** What an attribute has to know of the content-type or component it belongs to. */
export interface OwnerSource {
  readonly uid: string;
  readonly shape: "content-type" | "component";
  readonly isLocalized: boolean;
  /** Names that `options.privateAttributes` of the type lists. */
  readonly privateNames: readonly unknown[];
  /** Uid of the content-type that media attributes lead to. */
  readonly fileType: string;
}

/** Whether a value of a schema file is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** An option that is true or false; absent means false. */
export function booleanOption(source: AttributeSource, key: string): boolean {
  const value = source.raw[key] ?? false;
  if (typeof value === "boolean") return value;
  source.report(
    key,
    `${JSON.stringify(value)} is neither true nor false.`,
    "Write true or false without quotes, or remove it.",
  );
  return false;
}

/** An option that is a text with something in it. */
export function textOption(source: AttributeSource, key: string): string | undefined {
  const value = source.raw[key] ?? undefined;
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  source.report(key, `${JSON.stringify(value)} is not a string.`, "Write a string in quotes, or remove it.");
  return undefined;
}

/** An option that counts something: characters, entries. */
export function countOption(source: AttributeSource, key: string): number | undefined {
  const value = source.raw[key] ?? undefined;
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)) return value as number | undefined;
  source.report(key, `${JSON.stringify(value)} is not a count.`, "Write a whole number from 0, or remove it.");
  return undefined;
}

/** An option that is a list of distinct, non-empty texts. */
export function textsOption(source: AttributeSource, key: string): readonly string[] {
  const value = source.raw[key] ?? [];
  if (!Array.isArray(value)) {
    source.report(key, `${JSON.stringify(value)} is not a list.`, "Write a list of texts in square brackets.");
    return [];
  }
  const texts = value.filter((item) => typeof item === "string" && item !== "" && !item.includes("\u0000"));
  for (const item of value.filter((item) => !texts.includes(item))) {
    source.report(
      key,
      `${JSON.stringify(item)} cannot be an item.`,
      "Every item is a string in quotes with at least one character.",
    );
  }
  for (const twice of new Set(texts.filter((item, index) => texts.indexOf(item) !== index))) {
    source.report(key, `"${twice}" is listed twice.`, "Remove one of the two.");
  }
  return Object.freeze([...new Set<string>(texts)]);
}

/** Two options of which the first must not be greater: `min` and `max`. Other pairs pass. */
export function checkOrder(source: AttributeSource, keys: readonly [string, string]): void {
  const [low, high] = keys.map((key) => source.raw[key] ?? undefined);
  if (low === undefined || high === undefined) return;
  if (typeof low === "string" || typeof high === "string" ? toBig(low) <= toBig(high) : Number(low) <= Number(high))
    return;
  source.report(keys[0], `${low} is greater than the ${keys[1]} of ${high}.`, `Lower ${keys[0]} or raise ${keys[1]}.`);
}

function toBig(value: unknown): bigint {
  return /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : 0n;
}
