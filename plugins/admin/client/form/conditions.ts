/** A rule of JSON Logic: one operator with its arguments. @source https://jsonlogic.com/operations.html */
type Rule = unknown;

type Values = (name: string) => unknown;
type Operation = (args: readonly Rule[], values: Values) => unknown;

/** Operators that conditions of schema files use. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  var: ([name], values) => values(String(name)),
  "==": ([a, b], values) => loose(run(a, values), run(b, values)),
  "!=": ([a, b], values) => !loose(run(a, values), run(b, values)),
  "===": ([a, b], values) => run(a, values) === run(b, values),
  "!==": ([a, b], values) => run(a, values) !== run(b, values),
  "!": ([a], values) => !run(a, values),
  "!!": ([a], values) => Boolean(run(a, values)),
  and: (args, values) => args.every((rule) => Boolean(run(rule, values))),
  or: (args, values) => args.some((rule) => Boolean(run(rule, values))),
  ">": ([a, b], values) => Number(run(a, values)) > Number(run(b, values)),
  ">=": ([a, b], values) => Number(run(a, values)) >= Number(run(b, values)),
  "<": ([a, b], values) => Number(run(a, values)) < Number(run(b, values)),
  "<=": ([a, b], values) => Number(run(a, values)) <= Number(run(b, values)),
  in: ([a, b], values) => includes(run(b, values), run(a, values)),
};

/**
 * Whether a condition of a schema file holds.
 *
 * @param values - reads the value of an attribute beside the one that has the condition
 * @returns true for a condition that has an unknown operator: a field is rather shown than lost
 */
export function holds(condition: unknown, values: Values): boolean {
  return isKnown(condition) ? Boolean(run(condition, values)) : true;
}

/** Names of the attributes that a condition reads. */
export function namesIn(condition: unknown): readonly string[] {
  if (Array.isArray(condition)) return condition.flatMap(namesIn);
  if (typeof condition !== "object" || condition === null) return [];
  return Object.entries(condition).flatMap(([operator, args]) =>
    operator === "var" ? [String(Array.isArray(args) ? args[0] : args)] : namesIn(args),
  );
}

function isKnown(rule: Rule): boolean {
  if (Array.isArray(rule)) return rule.every(isKnown);
  if (typeof rule !== "object" || rule === null) return true;
  const entries = Object.entries(rule);
  return (
    entries.length === 1 && entries.every(([operator, args]) => OPERATIONS[operator] !== undefined && isKnown(args))
  );
}

function run(rule: Rule, values: Values): unknown {
  if (typeof rule !== "object" || rule === null) return rule;
  if (Array.isArray(rule)) return rule.map((part) => run(part, values));
  const [operator = "", args] = Object.entries(rule)[0] ?? [];
  return OPERATIONS[operator]?.(Array.isArray(args) ? args : [args], values);
}

/** As `==` of JavaScript has it, for values of JSON. */
const loose = (a: unknown, b: unknown): boolean =>
  a === b || (a ?? null) === (b ?? null) || (typeof a !== "object" && typeof b !== "object" && String(a) === String(b));

const includes = (list: unknown, value: unknown): boolean =>
  Array.isArray(list) ? list.includes(value) : typeof list === "string" && list.includes(String(value));
