import * as v from "@plinth/core/valibot";

/** A schema of valibot that makes a `T` of what a user wrote. */
export type OptionsSchema<T> = v.GenericSchema<unknown, T>;

/** What a schema makes: the configuration with its defaults filled in. */
export type OptionsOf<Schema extends v.GenericSchema> = Readonly<v.InferOutput<Schema>>;

/** What is read of a schema: valibot's schemas are plain objects, and each kind has some of these. */
export interface SchemaNode {
  readonly type: string;
  /** Checks, transformations and metadata that follow the schema; the schema itself comes first. */
  readonly pipe?: readonly (SchemaNode | SchemaPart)[];
  /** Of an object. */
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  /** Of an optional or nullable value. */
  readonly wrapped?: SchemaNode;
  /** What stands for an optional value that is left out. */
  readonly default?: unknown;
  /** Of a list. */
  readonly item?: SchemaNode;
  /** Of an object with keys of any name: the schema of the values. Of a variant: the key that decides. */
  readonly value?: SchemaNode;
  readonly key?: unknown;
  /** Of a union or variant: schemas. Of a picklist: the values. */
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
}

/** A check and the like. */
export interface SchemaPart {
  readonly type: string;
  readonly requirement?: unknown;
}

/** The same schema, to be read. */
export const nodeOf = (schema: v.GenericSchema): SchemaNode => schema as unknown as SchemaNode;

/** The actions after a schema, those of shared schemas included. */
export function partsOf({ pipe = [] }: SchemaNode): readonly SchemaPart[] {
  return pipe.flatMap((part) => ("pipe" in part && part.pipe ? partsOf(part) : [part]));
}

/** The last schema of a pipe: `options()` checks its input before an object's schema does. */
export function contentOf(node: SchemaNode): SchemaNode {
  const schemas = schemasOf(node);
  return schemas.length > 1 ? (schemas.at(-1) ?? node) : node;
}

function schemasOf(node: SchemaNode): readonly SchemaNode[] {
  if (!node.pipe) return [node];
  return node.pipe.flatMap((part) => ("kind" in part && part.kind === "schema" ? schemasOf(part as SchemaNode) : []));
}

/** What metadata says of a schema; that of an optional value is that of the value. */
export function metadataOf(node: SchemaNode): Readonly<Record<string, unknown>> {
  const schema = node as unknown as v.GenericSchema;
  const examples = v.getExamples(schema);
  const own = { description: v.getDescription(schema), ...(examples.length > 0 ? { examples } : {}) };
  return { ...(node.wrapped ? metadataOf(node.wrapped) : {}), ...withoutUndefined(own), ...v.getMetadata(schema) };
}

const withoutUndefined = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/**
 * The schema of a member of an object or list, where the schema of the whole names one.
 *
 * @param whole - the object or list that is checked; it decides between the options of a variant.
 */
export function memberOf(schema: SchemaNode, key: unknown, whole: unknown): SchemaNode | undefined {
  const node = contentOf(schema);
  if (node.wrapped) return memberOf(node.wrapped, key, whole);
  if (node.entries) return Object.hasOwn(node.entries, String(key)) ? node.entries[String(key)] : undefined;
  if (node.type === "union" || node.type === "variant") return memberOfOptions(node, key, whole);
  return node.item ?? node.value;
}

/** The schema of the names of a record's keys. */
export function keyOf(schema: SchemaNode): SchemaNode | undefined {
  const { type, wrapped, key } = contentOf(schema);
  if (wrapped) return keyOf(wrapped);
  return type === "record" ? (key as SchemaNode) : undefined;
}

function memberOfOptions(node: SchemaNode, key: unknown, whole: unknown): SchemaNode | undefined {
  const options = (node.options ?? []) as readonly SchemaNode[];
  const found = options.filter((option) => isOption(node, option, whole)).map((option) => memberOf(option, key, whole));
  const members = found.filter((member) => member !== undefined);
  if (members.length > 0 || node.type === "union") return members[0];
  // No option matches: the key that decides has none of the known values.
  return { type: "union", options: options.flatMap((option) => memberOf(option, key, whole) ?? []) };
}

/** Whether an option of a union or variant is the one that a value is checked by. */
export function isOption(node: SchemaNode, option: SchemaNode, whole: unknown): boolean {
  if (node.type !== "variant") return true;
  const decides = memberOf(option, node.key, whole);
  return (
    decides !== undefined && decides.literal === (Object(whole) as Readonly<Record<string, unknown>>)[String(node.key)]
  );
}
