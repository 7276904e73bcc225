import * as v from "@plinth/core/valibot";
import { describeKnown } from "../suggest.js";
import { describeAllowed } from "./describe-allowed.js";
import {
  contentOf,
  isOption,
  keyOf,
  memberOf,
  metadataOf,
  nodeOf,
  type OptionsSchema,
  type SchemaNode,
} from "./schema-node.js";

/** One value that is wrong, and where it stands: `server.port`. */
export interface OptionProblem {
  readonly path: string;
  readonly message: string;
}

/** Options with their defaults filled in, or all their problems. */
export type ParsedOptions<T> =
  | { readonly value: T; readonly problems?: undefined }
  | { readonly value?: undefined; readonly problems: readonly OptionProblem[] };

/**
 * Checks what a user wrote against a schema. A key that is undefined counts as left out, and so does the whole.
 *
 * @param path - dotted path of the options: `database.pool`; "" where their keys stand alone.
 * @returns the value of the schema; or every problem, such as
 * `{ path: "server.port", message: 'must be a whole number from 0 to 65535, and is "abc"' }`, unknown keys first.
 */
export function parseOptions<T>(schema: OptionsSchema<T>, raw: unknown, path: string): ParsedOptions<T> {
  // Without words of the library's own: a message that is not empty is one that the schema gives.
  const parsed = v.safeParse(schema, raw === undefined ? {} : raw, { message: () => "" });
  if (parsed.success) return { value: parsed.output };
  const found = parsed.issues.flatMap((issue) => problemsOf(nodeOf(schema), issue, path));
  const problems = found.filter(({ path: at }, index) => found.findIndex((other) => other.path === at) === index);
  return { problems: [...problems.filter(isUnknown), ...problems.filter((problem) => !isUnknown(problem))] };
}

/** One line a problem, for messages: `  server.port must be ...`. */
export function describeProblems(problems: readonly OptionProblem[]): string {
  return problems.map(({ path, message }) => `  ${path} ${message}`).join("\n");
}

/** An error that takes problems, such as a class of createError. */
export type OptionsError = new (details: { readonly problems: readonly string[] }) => Error;

/**
 * Makes the function that a plugin gives as `config`, with an error of its own.
 *
 * @param path - what stands before the keys in messages.
 * @returns throws the error, with a line for each problem: `depthLimit must be a whole number from 1, and is 0`.
 */
export function optionsParser<T>(
  schema: OptionsSchema<T>,
  Failure: OptionsError,
  path = "",
): (raw: unknown) => Readonly<T> {
  return (raw) => {
    const { value, problems } = parseOptions(schema, raw, path);
    if (problems) throw new Failure({ problems: problems.map((problem) => `${problem.path} ${problem.message}`) });
    return value as Readonly<T>;
  };
}

const UNKNOWN = "is not known. ";
const isUnknown = ({ message }: OptionProblem): boolean => message.startsWith(UNKNOWN);

type Step = Pick<v.IssuePathItem, "key" | "input" | "origin">;

/** @param outer - the way to the value that the issue is about, where it is one inside an issue of a union. */
function problemsOf(
  schema: SchemaNode,
  issue: v.BaseIssue<unknown>,
  path: string,
  outer: readonly Step[] = [],
): readonly OptionProblem[] {
  const steps: readonly Step[] = [...outer, ...(issue.path ?? [])];
  // Of a union the issues inside its value are reported: the value itself is of a kind that the union takes.
  const inner = issue.issues?.filter((each) => each.path !== undefined) ?? [];
  if (inner.length > 0) return inner.flatMap((each) => problemsOf(schema, each, path, steps));
  const keys = steps.map(({ key }) => key);
  const parents = nodesTo(schema, steps.slice(0, -1));
  if (issue.type === "strict_object" && issue.expected === "never")
    return unknownKeys(parents.at(-1), steps.at(-1)?.input, pathTo(path, keys.slice(0, -1)));
  return [{ path: pathTo(path, keys) || "it", message: messageOf(nodesTo(schema, steps), issue) }];
}

/** The schema, and those of the members that the steps lead to. */
function nodesTo(schema: SchemaNode, steps: readonly Step[]): readonly SchemaNode[] {
  const nodes = [schema];
  for (const { key, input, origin } of steps) {
    const node = nodes.at(-1) ?? schema;
    const member = (origin === "key" ? keyOf(node) : undefined) ?? memberOf(node, key, input);
    if (!member) break;
    nodes.push(member);
  }
  return nodes;
}

function messageOf(nodes: readonly SchemaNode[], issue: v.BaseIssue<unknown>): string {
  const node = nodes.at(-1);
  if (issue.message !== "" || !node) return issue.message;
  const expected = `must be ${describeAllowed(node)}`;
  if (issue.input === undefined) return `is missing; it ${expected}`;
  const isSecret = nodes.some((each) => metadataOf(each)["secret"] === true);
  return isSecret ? expected : `${expected}, and is ${shown(issue.input)}`;
}

/** The library reports the first one only. */
function unknownKeys(node: SchemaNode | undefined, given: unknown, path: string): readonly OptionProblem[] {
  const known = node ? knownKeys(node, given) : [];
  const unknown = Object.keys(Object(given)).filter((key) => !known.includes(key));
  return unknown.map((key) => ({ path: pathTo(path, [key]), message: UNKNOWN + describeKnown(key, known) }));
}

function knownKeys(schema: SchemaNode, given: unknown): readonly string[] {
  const node = contentOf(schema);
  if (node.wrapped) return knownKeys(node.wrapped, given);
  if (node.entries) return Object.keys(node.entries);
  const options = (node.options ?? []) as readonly SchemaNode[];
  return options.filter((option) => isOption(node, option, given)).flatMap((option) => knownKeys(option, given));
}

/** `database.pool.max`, `types.allow[0]` */
function pathTo(path: string, keys: readonly unknown[]): string {
  return keys.reduce<string>(
    (before, key) => (typeof key === "number" ? `${before}[${key}]` : before === "" ? String(key) : `${before}.${key}`),
    path,
  );
}

/** A value as a message shows it; functions and the like have no JSON. */
const shown = (value: unknown): string => JSON.stringify(value) ?? String(value);
