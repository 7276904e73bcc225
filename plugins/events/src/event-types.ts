import type { ContentModel, ContentType } from "@plinth/core/schema";
import { InvalidTypeError, SubjectInvalidError } from "./errors.js";

const PART = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";
const SUBJECT = new RegExp(`^${PART}(?:\\.${PART})*$`);
const TYPE = new RegExp(`^${PART}(?:\\.${PART})+$`);
const WANTED = new RegExp(`^(?:\\*|${PART}(?:\\.${PART})*(?:\\.\\*)?)$`);

/** Whether a text is a type, or a pattern of types. */
export const isWantedType = (type: string): boolean => WANTED.test(type);

/** First parts of the types that the server itself writes. */
const OWN: ReadonlySet<string> = new Set(["entry", "media", "user"]);

/**
 * Checks the type of an event that somebody else publishes.
 *
 * @throws PLINTH_EVENTS_TYPE_INVALID (400)
 */
export function assertType(type: string): void {
  if (!TYPE.test(type)) throw new InvalidTypeError({ type, reason: "a type reads like shop.order-paid" });
  const [first = ""] = type.split(".");
  if (OWN.has(first))
    throw new InvalidTypeError({ type, reason: `what begins with "${first}." is written by the server` });
}

/**
 * Types that somebody wants, as patterns of LIKE; names have neither `_` nor `%` in them.
 *
 * @returns null for all
 * @throws PLINTH_EVENTS_TYPE_INVALID (400)
 */
export function typePatterns(types: readonly string[] | undefined): readonly string[] | null {
  if (types === undefined) return null;
  const wrong = types.find((type) => !isWantedType(type));
  if (wrong !== undefined)
    throw new InvalidTypeError({ type: wrong, reason: "what is wanted reads like entry.publish, entry.* or *" });
  return types.includes("*") ? null : types.map((type) => type.replace(/\*$/, "%"));
}

/** Whether a type is one of those that somebody wants. @throws PLINTH_EVENTS_TYPE_INVALID (400) */
export function wantedTypes(types: readonly string[] | undefined): (type: string) => boolean {
  const patterns = typePatterns(types);
  if (patterns === null) return () => true;
  const whole = new Set(patterns.filter((pattern) => !pattern.endsWith("%")));
  const beginnings = patterns.filter((pattern) => pattern.endsWith("%")).map((pattern) => pattern.slice(0, -1));
  return (type) => whole.has(type) || beginnings.some((beginning) => type.startsWith(beginning));
}

/** How the events of a content-type begin: `entry`, `media`, `user`; undefined where its documents are no content. */
export function subjectOf(model: ContentModel, { uid, options, pluginOptions }: ContentType): string | undefined {
  const own = pluginOptions["events"] as { readonly subject?: string } | false | undefined;
  if (own === false) return undefined;
  if (own?.subject !== undefined) return own.subject;
  if (uid === model.fileType) return "media";
  const { part = "content" } = (options["archive"] ?? {}) as { readonly part?: string };
  return part === "content" ? "entry" : undefined;
}

/** Checks what content-types say of their events. @throws PLINTH_EVENTS_SUBJECT_INVALID (500) */
export function assertSubjects({ contentTypes }: ContentModel): void {
  const problems = [...contentTypes.values()].flatMap(({ uid, pluginOptions }) => {
    const problem = problemOf(pluginOptions["events"], uid);
    return problem === undefined ? [] : [`pluginOptions.events of ${uid} ${problem}`];
  });
  if (problems.length > 0) throw new SubjectInvalidError({ problems });
}

/** Types of plugins may be the users and files of the server. */
function problemOf(own: unknown, uid: string): string | undefined {
  if (own === undefined || own === false) return undefined;
  const { subject, ...others } = Object(own) as { readonly subject?: unknown };
  if (typeof own !== "object" || Object.keys(others).length > 0 || typeof subject !== "string")
    return `must be false or { "subject": "product" }, and is ${JSON.stringify(own)}`;
  if (!SUBJECT.test(subject)) return `has the subject "${subject}"; a subject reads like product`;
  const [first = ""] = subject.split(".");
  if (OWN.has(first) && !uid.startsWith("plugin::"))
    return `has the subject "${subject}"; what begins with "${first}." is written by the server`;
  return undefined;
}
