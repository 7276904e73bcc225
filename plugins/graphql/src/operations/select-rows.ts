import type { App } from "@plinth/core";
import type { PopulateNode, SelectionRequest } from "@plinth/core/reads";
import { isUnionType } from "graphql";
import type { AttributePlan } from "../plan.js";
import type { ArgumentAliases } from "./argument-aliases.js";
import { addNeeded, declaredNeeds, neededBy, unite, uniteNodes } from "./needed-values.js";
import type { HolderPlan, PlannedField, SelectionPlan } from "./plan-selection.js";

/** What rows are selected with. */
export interface RowContext {
  readonly app: Pick<App, "model">;
  readonly keys: ArgumentAliases;
}

/**
 * Turns a plan into what a read has to return for resolvers: rows keyed by attributes, so that a resolver that gets a
 * row as its parent finds a document. Aliases of one attribute with equal arguments are one list; see ArgumentAliases
 * for others.
 */
export function selectRows(context: RowContext, { shape, fields }: SelectionPlan): SelectionRequest {
  const asked = fields.flatMap(({ field, plan }) => (field ? [{ field, plan }] : []));
  const needs = asked.flatMap(({ field, plan }) => (plan ? (declaredNeeds(field) ?? []) : neededBy(field, shape)));
  const values = new Set(idsOf(shape));
  for (const { plan, holder } of fields) if (plan && !holder) values.add(plan.attribute);
  const holders = fields.flatMap(({ plan, holder }) =>
    plan && holder ? { plan, holder, key: context.keys.keyOf(plan, holder.args) } : [],
  );
  const populate = new Map<string, PopulateNode>();
  for (const { key, plan, holder } of holders) {
    const node = nodeOf(context, plan, holder, key);
    const known = populate.get(key);
    populate.set(key, known ? uniteNodes(known, node) : node);
  }
  const request = { fields: [...values].map((name) => ({ name })), populate: [...populate.values()] };
  return addNeeded(context.app.model, shape, request, needs);
}

/** What one field needs, for a parent that was read without it. */
export function selectField(
  context: RowContext,
  shape: SelectionPlan["shape"],
  { plan, holder }: PlannedField,
): SelectionRequest {
  const fields = idsOf(shape).map((name) => ({ name }));
  if (!plan) return { fields, populate: [] };
  if (!holder) return { fields: [...fields, { name: plan.attribute }], populate: [] };
  return { fields, populate: [nodeOf(context, plan, holder, context.keys.keyOf(plan, holder.args))] };
}

function nodeOf(context: RowContext, plan: AttributePlan, holder: HolderPlan, key: string): PopulateNode {
  const { attribute: name } = plan;
  const { type, list, entries } = holder;
  const base = { name, ...(key === name ? {} : { alias: key }) };
  const requests = entries.map((entry) => [entry.shape?.uid ?? "", selectRows(context, entry)] as const);
  if (isUnionType(type)) return { ...base, ...NOTHING, on: new Map(requests) };
  const [first = NOTHING, ...more] = requests.map(([, request]) => request);
  return { ...base, ...list, ...more.reduce(unite, first) };
}

const NOTHING: SelectionRequest = Object.freeze({ fields: [], populate: [] });

/** What identifies a row, for later reads of it. */
function idsOf(shape: SelectionPlan["shape"]): readonly string[] {
  if (shape?.shape !== "content-type") return [];
  return shape.isLocalized ? ["documentId", "locale"] : ["documentId"];
}
