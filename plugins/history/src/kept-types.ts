import { parseOptions } from "@plinth/core/options";
import type { Attribute, ContentModel, ContentType } from "@plinth/core/schema";
import { type HistoryConfig, typeOptions } from "./config.js";
import { InvalidTypeOptionsError, NoHistoryError } from "./errors.js";

/** A content-type of which versions are kept. */
export interface KeptType {
  readonly type: ContentType;
  /** Versions of a document and locale. */
  readonly keep: number;
  /** Of a version that another took the place of. */
  readonly days: number;
  /** What is no part of versions. */
  leavesOut(attribute: Attribute): boolean;
}

/** The content-types of which versions are kept, by uid. */
export type KeptTypes = ReadonlyMap<string, KeptType>;

/**
 * Reads what content-types say of their history.
 *
 * @throws PLINTH_HISTORY_OPTIONS_INVALID (500) with the problems of all types
 */
export function readKeptTypes({ contentTypes }: ContentModel, config: HistoryConfig): KeptTypes {
  const problems: string[] = [];
  const kept = new Map<string, KeptType>();
  for (const type of contentTypes.values()) {
    const raw = type.pluginOptions["history"] ?? (config.types === "all" && type.uid.startsWith("api::"));
    if (raw === false) continue;
    const { value, problems: found } = parseOptions(typeOptions, raw === true ? {} : raw, "");
    const unknown = (value?.except ?? []).filter((name) => !type.attributes.has(name));
    problems.push(
      ...(found ?? []).map(({ path, message }) => `${[type.uid, path].filter(Boolean).join(" ")} ${message}`),
      ...unknown.map((name) => `${type.uid} has no attribute "${name}" to leave out`),
    );
    if (value) kept.set(type.uid, keptType(type, { ...config, ...dropUndefined(value) }));
  }
  if (problems.length > 0) throw new InvalidTypeOptionsError({ problems });
  return kept;
}

interface Keeping extends Pick<HistoryConfig, "keep" | "days"> {
  readonly except: readonly string[];
}

function keptType(type: ContentType, { keep, days, except }: Keeping): KeptType {
  const own = new Set(except.map((name) => type.attributes.get(name)));
  const isOfApp = type.uid.startsWith("api::");
  return { type, keep, days, leavesOut: (attribute) => own.has(attribute) || isSecret(attribute, isOfApp) };
}

/**
 * Passwords, and what is private and written by code alone, such as tokens. Plugins keep theirs in private attributes that
 * may be written, so of their types nothing private is kept.
 */
const isSecret = ({ kind, isPrivate, isWritable }: Attribute, isOfApp: boolean): boolean =>
  kind === "password" || (isPrivate && !(isOfApp && isWritable));

const dropUndefined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** The names of the attributes of a content-type that all locales of a document share; none where it has no locales. */
export function sharedIn({ attributes, isLocalized }: ContentType): ReadonlySet<string> {
  const names = [...attributes.values()].filter((attribute) => !attribute.isLocalized).map(({ name }) => name);
  return new Set(isLocalized ? names : []);
}

/** @throws PLINTH_HISTORY_NOT_KEPT (404) */
export function keptTypeOf(kept: KeptTypes, uid: string): KeptType {
  const found = kept.get(uid);
  if (!found) throw new NoHistoryError({ uid, known: [...kept.keys()] });
  return found;
}
