// How much a plan of PostgreSQL may cost, also where the planner's luck does not hold.

/** A node of what `explain (format json)` returns. @source https://www.postgresql.org/docs/current/sql-explain.html */
export interface PlanNode {
  readonly "Node Type": string;
  /** In units of the planner: 1 is a page that is read in order. The first is that until the first row. */
  readonly "Startup Cost": number;
  readonly "Total Cost": number;
  readonly "Plan Rows": number;
  readonly "Parent Relationship"?: string;
  readonly "Relation Name"?: string;
  readonly "Join Type"?: string;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  /** Conditions that are looked at for each row, in place of by an index. */
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** What a plan is judged with. */
export interface PlanQuestion {
  /** Whether the rows of the answer have to meet conditions of the caller or of rules. */
  readonly hasConditions: boolean;
  /** Rows from the first one to the end of the page, where that is known. */
  readonly pageEnd: number | undefined;
}

/** The most that a plan costs, in units of the planner. */
export interface PlanUnits {
  /** To find the rows of the answer, and to count them. */
  readonly finding: number;
  /** The rest: what the answer's rows look like, and what is looked up for each. */
  readonly answering: number;
  /** Tables that are read from one end to the other for conditions. */
  readonly scanned: readonly string[];
}

/**
 * The most units that a plan costs. The planner reckons with the rows until a limit is reached, by the share of rows that it
 * expects to match; of a text that is contained in another it knows nothing, and of a value that is nowhere all rows are
 * looked at. So where there are conditions, a limit counts only if no row below it is left out.
 */
export function unitsOf(plan: PlanNode, question: PlanQuestion): PlanUnits {
  const pages = outermostLimits(plan);
  const counts = allOf(plan).filter((node) => node["Parent Relationship"] === "InitPlan" && !holdsLimit(node));
  const rows = Math.max(1, ...pages.map((page) => page["Plan Rows"]));
  const found = sum(pages, (page) => pageUnits(page, question)) + sum(counts, totalOf);
  const inner = allOf(plan).filter((node) => isLimit(node) && !pages.includes(node));
  return {
    finding: found,
    answering:
      Math.max(0, totalOf(plan) - sum(pages, totalOf) - sum(counts, totalOf)) +
      rows * sum(inner, (node) => belowLimit(node) - totalOf(node)),
    scanned: allOf(plan)
      .filter(isScannedWhole)
      .flatMap((node) => node["Relation Name"] ?? []),
  };
}

/** Units of the tables that a plan for any values reads whole: such a plan is the one that runs. */
export const wholeTableUnits = (plan: PlanNode): number =>
  sum(
    allOf(plan).filter((node) => node["Node Type"] === "Seq Scan"),
    totalOf,
  );

function pageUnits(page: PlanNode, { hasConditions, pageEnd }: PlanQuestion): number {
  const [below] = page.Plans ?? [];
  if (!below) return totalOf(page);
  if (hasConditions) return belowLimit(page);
  if (pageEnd === undefined) return totalOf(page);
  const { "Startup Cost": startup, "Plan Rows": rows } = below;
  return startup + (totalOf(below) - startup) * Math.min(1, pageEnd / Math.max(1, rows));
}

/** Units of a limit; of all that is below it where rows are left out there. */
function belowLimit(limit: PlanNode): number {
  const [below] = limit.Plans ?? [];
  return below && leavesOut(below) ? totalOf(below) : totalOf(limit);
}

/** The first limits on the ways from the top: they cut the page. */
const outermostLimits = (node: PlanNode): readonly PlanNode[] =>
  isLimit(node) ? [node] : (node.Plans ?? []).filter((inner) => !isPerRow(inner)).flatMap(outermostLimits);

const isLimit = (node: PlanNode): boolean => node["Node Type"] === "Limit";
const holdsLimit = (node: PlanNode): boolean => allOf(node).some(isLimit);
const totalOf = (node: PlanNode): number => node["Total Cost"];
const sum = (nodes: readonly PlanNode[], unitsIn: (node: PlanNode) => number): number =>
  nodes.reduce((all, node) => all + unitsIn(node), 0);
const allOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(allOf)];

/** Whether rows are looked at that are not returned. */
function leavesOut(node: PlanNode): boolean {
  const { "Join Type": join, Plans = [] } = node;
  if (hasConditionsIn(node) || (join !== undefined && join !== "Left")) return true;
  return Plans.some((inner) => !isAside(inner) && leavesOut(inner));
}

/** Of a condition on the version alone, nearly all rows of a page are of that version. */
const VERSION = /\(?[\w.]*published_at IS (?:NOT )?NULL\)?|\bAND\b|[()\s]/g;
const hasConditionsIn = ({ Filter = "" }: PlanNode): boolean => Filter.replace(VERSION, "") !== "";

const isScannedWhole = (node: PlanNode): boolean =>
  hasConditionsIn(node) && node["Index Cond"] === undefined && node["Recheck Cond"] === undefined;

/** Whether a plan makes a value for each row of the one above. */
const isPerRow = ({ "Parent Relationship": place }: PlanNode): boolean => place === "SubPlan";
/** Whether a plan makes a value, and no rows of the one above. */
const isAside = (node: PlanNode): boolean => isPerRow(node) || node["Parent Relationship"] === "InitPlan";
