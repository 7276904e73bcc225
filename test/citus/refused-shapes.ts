/** Shapes of statements that Citus refuses where PostgreSQL runs them, found without a Citus. */
import { loadModule, parseSync } from "libpg-query";

/** A node of a parse tree: an object by its kind, a list of them, or a value. */
type Node = Readonly<Record<string, unknown>>;

/** Functions that may answer differently within one statement, and those that do not but depend on the session. */
const VOLATILE: ReadonlySet<string> = new Set([
  ...["clock_timestamp", "timeofday", "random", "gen_random_uuid", "nextval", "setval", "lastval", "set_config"],
  ...["pg_current_xact_id", "txid_current", "pg_notify", "pg_advisory_lock", "pg_advisory_xact_lock"],
]);
const STABLE: ReadonlySet<string> = new Set([
  ...["now", "transaction_timestamp", "statement_timestamp", "current_setting", "to_regclass", "current_schema"],
  ...[
    "concat",
    "concat_ws",
    "format",
    "to_timestamp",
    "pg_get_serial_sequence",
    "pg_current_snapshot",
    "pg_current_xact_id_if_assigned",
    "to_char",
    "age",
  ],
  ...["to_json", "to_jsonb", "json_build_array", "json_build_object", "jsonb_build_array", "jsonb_build_object"],
]);

interface Rule {
  /** What Citus says of it, or does. */
  readonly refusal: string;
  readonly instead: string;
  isBroken(statement: Statement): boolean;
}

/** The tree of a statement, and what rules ask of it most. */
interface Statement {
  /** `InsertStmt` and so on, and its node. */
  readonly kind: string;
  readonly node: Node;
  /** Statements of its own `with`. */
  readonly named: readonly (readonly [kind: string, node: Node])[];
}

const WRITES: ReadonlySet<string> = new Set(["InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"]);

const RULES: readonly Rule[] = [
  {
    refusal: "cannot execute a distributed query from a query on a shard",
    instead: "Name the insert in the `with`, too, and select behind it.",
    isBroken: ({ kind, node, named }) =>
      kind === "InsertStmt" && named.some(([of]) => WRITES.has(of)) && readsTable(node["selectStmt"], namesOf(node)),
  },
  {
    refusal: "recursive CTEs are only supported when they contain a filter on the distribution column",
    instead: "Put `with recursive` into a `with` of its own.",
    isBroken: ({ kind, node, named }) =>
      (node["withClause"] as Node | undefined)?.["recursive"] === true &&
      [kind, ...named.map(([of]) => of)].includes("InsertStmt"),
  },
  {
    refusal: "functions used in the DO UPDATE SET clause of INSERTs on distributed tables must be marked IMMUTABLE",
    instead: "Take the value from `excluded`, or a parameter.",
    isBroken: (statement) => writesOf(statement).some(({ node }) => calls(node["onConflictClause"], STABLE, VOLATILE)),
  },
  {
    refusal: "functions used in UPDATE queries, and in the WHERE of modifications, must not be VOLATILE",
    instead: "Use now(), or a parameter.",
    isBroken: (statement) =>
      writesOf(statement).some(
        ({ kind, node }) =>
          (kind === "UpdateStmt" && calls(node["targetList"], VOLATILE)) ||
          (kind !== "InsertStmt" && calls(node["whereClause"], VOLATILE)),
      ),
  },
  {
    refusal: "non-IMMUTABLE functions are not allowed in the RETURNING clause",
    instead: "Return the columns, and select from the statement in a `with`.",
    isBroken: (statement) =>
      writesOf(statement).some(({ node }) => calls(outside(node["returningList"]), STABLE, VOLATILE)),
  },
  {
    refusal: "could not determine data type of parameter",
    instead: "Put the insert into a `with`, and select from it.",
    isBroken: ({ kind, node }) =>
      kind === "InsertStmt" && has(node["selectStmt"], "RangeFunction") && has(node["onConflictClause"], "ParamRef"),
  },
  {
    refusal: "STABLE functions used in UPDATE queries cannot be called with column references",
    instead: "Give the value as a parameter, or use an operator or function that is immutable.",
    isBroken: (statement) =>
      writesOf(statement).some(
        ({ kind, node }) =>
          kind === "UpdateStmt" &&
          [movesTime, asksOfColumn].some((isRefused) => isRefused(outside(node["targetList"]))),
      ),
  },
  {
    refusal: "correlated subqueries are not supported when the FROM clause contains a subquery without FROM",
    instead: "Select it in a subquery with `offset 0`, and insert what that gives.",
    isBroken: (statement) =>
      writesOf(statement).some(({ kind, node }) => kind === "InsertStmt" && correlates(node["selectStmt"])),
  },
  {
    refusal: "subqueries are not supported within INSERT queries",
    instead: "Insert what a select gives.",
    isBroken: (statement) =>
      writesOf(statement).some(({ node }) =>
        has((node["selectStmt"] as Node | undefined)?.["SelectStmt"], "valuesLists", "SubLink"),
      ),
  },
  {
    refusal: "cannot add relation to publication: not supported for unlogged tables",
    instead: "Make a table with a log.",
    isBroken: ({ kind, node }) =>
      kind === "CreateStmt" && (node["relation"] as Node | undefined)?.["relpersistence"] === "u",
  },
  {
    refusal: "tables in a distributed schema cannot inherit or be inherited",
    instead: "Make a table of its own.",
    isBroken: ({ kind, node }) => kind === "CreateStmt" && node["inhRelations"] !== undefined && !node["partbound"],
  },
  {
    refusal: "triggers are not supported on distributed tables",
    instead: "Note changes in the statements that write.",
    isBroken: ({ kind }) => kind === "CreateTrigStmt",
  },
];

/** Loads the parser; once, before `refusedShapes`. */
export const loadParser = (): Promise<void> => loadModule();

/**
 * What Citus would refuse in a text, each with what to write in its place.
 *
 * @throws what the parser says of a text that is not SQL
 */
export function refusedShapes(text: string): readonly string[] {
  const statements = statementsOf(text);
  return RULES.filter((rule) => statements.some((statement) => rule.isBroken(statement))).map(
    ({ refusal, instead }) => `${refusal}. ${instead}`,
  );
}

function statementsOf(text: string): readonly Statement[] {
  const { stmts = [] } = parseSync(text) as { readonly stmts?: readonly { readonly stmt?: unknown }[] };
  return stmts.flatMap(({ stmt }) => Object.entries(stmt as Node).map(([kind, node]) => read(kind, node as Node)));
}

function read(kind: string, node: Node): Statement {
  const entries = ((node["withClause"] as Node | undefined)?.["ctes"] ?? []) as readonly Node[];
  const named = entries.flatMap(({ CommonTableExpr }) =>
    Object.entries((CommonTableExpr as Node)["ctequery"] as Node).map(([of, query]) => [of, query as Node] as const),
  );
  return { kind, node, named };
}

/** The statement and those of its `with`, as far as they write. */
function writesOf({ kind, node, named }: Statement): readonly Pick<Statement, "kind" | "node">[] {
  return [[kind, node] as const, ...named].flatMap(([of, query]) =>
    WRITES.has(of) ? [{ kind: of, node: query }] : [],
  );
}

/** Names that a `with` gives. */
const namesOf = (node: Node): ReadonlySet<string> =>
  new Set(
    (((node["withClause"] as Node | undefined)?.["ctes"] ?? []) as readonly Node[]).map(({ CommonTableExpr }) =>
      String((CommonTableExpr as Node)["ctename"]),
    ),
  );

const readsTable = (node: unknown, names: ReadonlySet<string>): boolean =>
  find(node, (kind, of) => kind === "RangeVar" && !names.has(String(of["relname"])));

/** Whether functions are called in a part. */
const calls = (part: unknown, ...functions: readonly ReadonlySet<string>[]): boolean =>
  find(part, (kind, node) => {
    if (kind === "SQLValueFunction") return functions.includes(STABLE);
    return kind === "FuncCall" && functions.some((of) => of.has(nameOf(node)));
  });

function nameOf({ funcname }: Node): string {
  const [last] = (funcname as readonly { readonly String: { readonly sval: string } }[]).slice(-1);
  return last?.String.sval ?? "";
}

/** Whether nodes are in each other: `has(tree, "valuesLists", "SubLink")`. */
function has(tree: unknown, kind: string, ...inside: readonly string[]): boolean {
  const [next, ...rest] = inside;
  return find(tree, (of, node) => of === kind && (next === undefined || has(node, next, ...rest)));
}

/** Subqueries without `from` in the values of a select that reads a table; not those inside of what it reads. */
function correlates(select: unknown): boolean {
  const { targetList, whereClause, fromClause } = ((select as Node | undefined)?.["SelectStmt"] ?? {}) as Node;
  return (
    has(fromClause, "RangeVar") &&
    find([targetList, whereClause], (kind, node) => kind === "RangeSubselect" && isWithoutFrom(node["subquery"]))
  );
}

function isWithoutFrom(select: unknown): boolean {
  const { fromClause, valuesLists, larg } = ((select as Node)["SelectStmt"] ?? {}) as Node;
  return fromClause === undefined && valuesLists === undefined && larg === undefined;
}

/** A function that is stable, of a column. */
const asksOfColumn = (part: unknown): boolean =>
  find(part, (kind, node) => kind === "FuncCall" && STABLE.has(nameOf(node)) && has(node["args"], "ColumnRef"));

/** A part without the subqueries in it, which are not looked into there. */
function outside(part: unknown): unknown {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map(outside);
  return Object.fromEntries(
    Object.entries(part).flatMap(([kind, node]) => (kind === "SubLink" ? [] : [[kind, outside(node)]])),
  );
}

/** An interval that is added to a column, whose type makes that depend on the time zone. */
const movesTime = (part: unknown): boolean =>
  find(part, (kind, { lexpr, rexpr }) => {
    if (kind !== "A_Expr") return false;
    const isColumn = [lexpr, rexpr].some((side) => side !== undefined && "ColumnRef" in (side as Node));
    return isColumn && [lexpr, rexpr].some((side) => find(side, isInterval));
  });

const isInterval = (kind: string, { typeName }: Node): boolean =>
  kind === "TypeCast" && JSON.stringify(typeName).includes('"interval"');

/** Whether a node of a tree is as asked, by its kind and what it holds; lists count by the name that they have. */
function find(tree: unknown, test: (kind: string, node: Node) => boolean): boolean {
  if (typeof tree !== "object" || tree === null) return false;
  if (Array.isArray(tree)) return tree.some((item) => find(item, test));
  return Object.entries(tree).some(
    ([kind, node]) => typeof node === "object" && node !== null && (test(kind, node as Node) || find(node, test)),
  );
}
