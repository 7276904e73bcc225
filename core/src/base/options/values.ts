import * as v from "@plinth/core/valibot";

type Named = Readonly<Record<string, unknown>>;

const isNamed = (value: unknown): value is Named =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a schema of an object or of a record takes, but no list: valibot would read one as an object without keys. */
export const noList = <const Schema extends v.GenericSchema>(
  schema: Schema,
): v.SchemaWithPipe<readonly [v.CustomSchema<v.InferInput<Schema>, undefined>, Schema]> =>
  v.pipe(v.custom<v.InferInput<Schema>>(isNamed), schema);

/** An object of options: these keys and no others. */
export const options = <const Entries extends v.ObjectEntries>(entries: Entries) => noList(v.strictObject(entries));

/** A whole number in a range, ends included. */
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

/** A string that is not empty; `example` is for messages. */
export const text = (example?: string) =>
  v.pipe(v.string(), v.nonEmpty(), v.examples(example === undefined ? [] : [example]));

/** Completes "must be ..." in messages about a value, where the checks of its schema cannot. */
export const allowed = <Input>(words: string): v.MetadataAction<Input, { readonly allowed: string }> =>
  v.metadata({ allowed: words });

/** Marks a value that no message shows. */
export const secret = <Input>(): v.MetadataAction<Input, { readonly secret: true }> => v.metadata({ secret: true });

/** With one thing that was signed by it, a shorter secret can be guessed. */
const MIN_SECRET_LENGTH = 16;

/** Secrets that replace each other, as a list: the first signs, all are believed. One may be given by itself; empty ones are none. */
export const secretList = v.pipe(
  v.union([v.string(), v.pipe(v.array(v.string()), v.readonly())]),
  v.transform((given): readonly string[] => [given].flat().filter((each) => each !== "")),
  v.everyItem((each) => each.length >= MIN_SECRET_LENGTH),
  secret(),
  allowed(`a string of at least ${MIN_SECRET_LENGTH} characters, or a list of them of which the first signs`),
);

/** A schema with its description. */
type Described<Schema extends v.GenericSchema> = v.SchemaWithPipe<
  readonly [Schema, v.DescriptionAction<v.InferOutput<Schema>, string>]
>;

/**
 * A key that may be left out.
 *
 * @param description - for references: what it is, with its unit.
 * @param byDefault - the default value; default: undefined.
 */
export function option<const Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
): v.OptionalSchema<Described<Schema>, undefined>;
export function option<
  const Schema extends v.GenericSchema,
  const Value extends v.Default<Described<Schema>, undefined>,
>(schema: Schema, description: string, byDefault: Value): v.OptionalSchema<Described<Schema>, Value>;
export function option(schema: v.GenericSchema, description: string, byDefault?: unknown): v.GenericSchema {
  return v.optional(v.pipe(schema, v.description(description)), byDefault);
}

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
