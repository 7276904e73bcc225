import type { FieldRequest, PopulateNode, SelectionRequest } from "@plinth/core/reads";
import { type GraphQLField, getNamedType, isNonNullType, isUnionType } from "graphql";
import type { AttributePlan } from "../plan.js";
import type { HolderPlan, PlannedField, SelectionPlan } from "./plan-selection.js";

/**
 * Turns a plan that `isText` into the read whose JSON is the answer: keys, order and form of values are those that the
 * client asked for, so that the answer needs no transformation.
 *
 * @param required - gets the keys of the answer whose values must not be null.
 */
export function selectText({ type, fields }: SelectionPlan, required: Set<string>): SelectionRequest {
  const outputs: FieldRequest[] = [];
  const populate: PopulateNode[] = [];
  for (const { key, field, plan, holder } of fields) {
    if (field && plan && isNonNullType(field.type) && mayBeNull(plan)) required.add(key);
    if (!field || !plan) outputs.push({ constant: type.name, alias: key });
    else if (holder) populate.push(nodeOf(key, plan, holder, required));
    else outputs.push(scalarOf(key, plan, field));
  }
  return { fields: outputs, populate, order: keysOf(fields) };
}

const keysOf = (fields: readonly Pick<PlannedField, "key">[]) => fields.map(({ key }) => key);

/** Lists and document ids are never null. */
function mayBeNull({ attribute, form }: AttributePlan): boolean {
  return !(form === "list" || form === "connection" || attribute === "documentId" || attribute === "id");
}

function scalarOf(alias: string, { attribute: name }: AttributePlan, { type }: GraphQLField<unknown, unknown>) {
  const form = FORMS.get(getNamedType(type).name);
  return form ? { name, alias, form } : { name, alias };
}

/** The scalars whose values are in another form than over REST. */
const FORMS: ReadonlyMap<string, "text" | "long" | "time"> = new Map([
  ["ID", "text"],
  ["Long", "long"],
  ["Time", "time"],
]);

function nodeOf(alias: string, plan: AttributePlan, holder: HolderPlan, required: Set<string>): PopulateNode {
  const { attribute: name } = plan;
  const { type, list, entries, members } = holder;
  const select = (entry: SelectionPlan) => selectText(entry, required);
  if (isUnionType(type)) {
    const on = new Map(entries.map((entry) => [entry.shape?.uid ?? "", select(entry)]));
    return { name, alias, fields: [], populate: [], on, isBare: true };
  }
  if (!members) return { name, alias, ...list, ...select(entries[0] as SelectionPlan) };
  return {
    name: undefined,
    alias,
    fields: members.flatMap(({ key, entry }) => (entry ? [] : { constant: type.name, alias: key })),
    populate: members.flatMap(({ key, entry }) => (entry ? { name, alias: key, ...list, ...select(entry) } : [])),
    order: keysOf(members),
  };
}
