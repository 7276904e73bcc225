import { allowed, noList, parseOptions, text } from "@plinth/core/options";
import { hasNul } from "@plinth/core/schema";
import * as v from "@plinth/core/valibot";
import { InvalidPlanError } from "./errors.js";
import { timeText } from "./time-text.js";

const LONGEST_NAME = 200;
const NAME = `a string of 1 to ${LONGEST_NAME} characters, none of them NUL`;

const storable = v.check((given: string) => !hasNul(given));

/** A time, as a date. */
export const time = v.pipe(
  timeText,
  v.transform((given) => new Date(given)),
  allowed("a time such as 2030-01-31T09:00:00Z"),
);

const place = {
  type: text(),
  documentId: v.pipe(text(), storable, allowed("a string that is not empty, without NUL")),
  locale: v.optional(text()),
};

const action = v.strictObject({ ...place, action: v.picklist(["publish", "unpublish"]) });

/** Times of a document, and in which locale. */
export const scheduleForm = v.strictObject({
  publishAt: v.optional(v.nullable(time)),
  unpublishAt: v.optional(v.nullable(time)),
  locale: v.optional(text()),
});

/** A new release. */
export const releaseForm = v.strictObject({
  name: v.pipe(text(), v.maxLength(LONGEST_NAME), storable, allowed(NAME)),
  actions: v.array(action),
  transaction: v.optional(v.boolean()),
});

/** A change of a release. */
export const changesForm = v.partial(releaseForm);

/** What is added to a release and taken out of it. */
export const amendmentForm = v.strictObject({
  add: v.optional(v.array(action)),
  remove: v.optional(v.array(v.strictObject(place))),
});

/** The time of a release. */
export const timeForm = v.strictObject({ at: time });

/**
 * Checks what a request or code gives.
 *
 * @throws PLINTH_SCHEDULE_INVALID (400) with all problems
 */
export function parseForm<T>(schema: v.GenericSchema<unknown, T>, given: unknown): T {
  const { value, problems } = parseOptions(noList(schema), given, "");
  if (problems) throw new InvalidPlanError({ errors: problems });
  return value as T;
}
