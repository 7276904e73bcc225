import type { RequestInfo } from "@plinth/core/http";
import { allowed, noList, parseOptions, text } from "@plinth/core/options";
import { hasNul } from "@plinth/core/schema";
import * as v from "@plinth/core/valibot";
import { InvalidPlanError } from "../errors.js";
import { timeText } from "../time-text.js";

const LONGEST_NAME = 200;
const NAME = `a string of 1 to ${LONGEST_NAME} characters, none of them NUL`;

/** A time, as a date. */
export const time = v.pipe(
  timeText,
  v.transform((given) => new Date(given)),
  allowed("a time such as 2030-01-31T09:00:00Z"),
);

/** Body of a schedule. */
export const scheduleBody = v.strictObject({
  publishAt: v.optional(v.nullable(time)),
  unpublishAt: v.optional(v.nullable(time)),
  locale: v.optional(text()),
});

const actionBody = v.strictObject({
  type: text(),
  documentId: text(),
  locale: v.optional(text()),
  action: v.picklist(["publish", "unpublish"]),
});

/** Body of a new release. */
export const releaseBody = v.strictObject({
  name: v.pipe(
    text(),
    v.maxLength(LONGEST_NAME),
    v.check((given) => !hasNul(given)),
    allowed(NAME),
  ),
  actions: v.array(actionBody),
  transaction: v.optional(v.boolean()),
});

/** Body of a change of a release. */
export const releaseChanges = v.partial(releaseBody);

/** Body of what is added to a release and taken out of it. */
export const amendmentBody = v.strictObject({
  add: v.optional(v.array(actionBody)),
  remove: v.optional(v.array(v.strictObject({ type: text(), documentId: text(), locale: v.optional(text()) }))),
});

/** Body of the time of a release. */
export const timeBody = v.strictObject({ at: time });

/**
 * Reads the JSON body of a request, in the envelope `data` or without.
 *
 * @throws PLINTH_SCHEDULE_INVALID (400)
 */
export function readBody<T>(schema: v.GenericSchema<unknown, T>, { body }: RequestInfo): T {
  const inner = isRecord(body) && isRecord(body["data"]) ? body["data"] : body;
  const { value, problems } = parseOptions(noList(schema), inner, "");
  if (problems) throw new InvalidPlanError({ errors: problems });
  return value as T;
}

/** A parameter of the query that is one text. @throws PLINTH_SCHEDULE_INVALID (400) */
export function textParam({ query }: RequestInfo, path: string): string | undefined {
  const value = query[path];
  if (value === undefined || typeof value === "string") return value || undefined;
  throw new InvalidPlanError({ errors: [{ path, message: "must be one text" }] });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
