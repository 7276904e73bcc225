import type { Document } from "@plinth/core";
import { type PreparedRead, parseReadParams } from "@plinth/core/reads";
import type { Arguments } from "../contract.js";
import { requestOf } from "../graphql-context.js";
import type { AttributePlan } from "../plan.js";
import { listLimits } from "./limits.js";
import { argumentAliasesOf } from "./argument-aliases.js";
import { type OperationTools, typeOfPlan } from "./operation-tools.js";
import { reasonsOf } from "./missing-reasons.js";
import { planField, shapeOf } from "./plan-selection.js";
import { type Call, planningOf } from "./read-root.js";
import { versionOf } from "./request-version.js";
import { selectField } from "./select-rows.js";

/** A field that is read for a parent that lacks it. */
export interface MissingAttribute {
  readonly plan: AttributePlan;
  /** Content-type of the parent. */
  readonly uid: string;
  readonly parent: Readonly<Record<string, unknown>>;
  readonly documentId: string;
  readonly args: Arguments;
  readonly call: Call;
}

/** Parents that need the same field: they are read in one statement. */
interface Batch {
  readonly ids: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Document>>;
}

const batches = new WeakMap<object, Map<string, Batch>>();

/**
 * Reads one attribute of documents that are not from the root field's statement: one statement for all
 * parents that ask within one turn of the event loop.
 *
 * @returns null for documents that the actor may not find.
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for an attribute that the actor may not see, PLINTH_QUERY_* (400) for wrong arguments
 */
export async function loadAttribute(tools: OperationTools, missing: MissingAttribute): Promise<unknown> {
  const { plan, args, call, documentId } = missing;
  const row = (await batchOf(tools, missing).rows).get(documentId);
  if (!row) return null;
  const key = plan.form === "scalar" ? plan.attribute : argumentAliasesOf(call.context.state).keyOf(plan, args);
  return row[key];
}

function batchOf(tools: OperationTools, missing: MissingAttribute): Batch {
  const { context, info } = missing.call;
  const group = batches.get(context) ?? new Map<string, Batch>();
  batches.set(context, group);
  const { locale } = versionOfParent(missing);
  const node = info.fieldNodes[0]?.loc?.start ?? 0;
  const key = JSON.stringify([missing.uid, info.fieldName, node, missing.args, statusOf(missing), locale]);
  const known = group.get(key) ?? openBatch(tools, missing, () => group.delete(key));
  group.set(key, known);
  known.ids.add(missing.documentId);
  return known;
}

function openBatch(tools: OperationTools, missing: MissingAttribute, close: () => void): Batch {
  const ids = new Set<string>();
  const rows = new Promise((resolve) => setImmediate(resolve)).then(async () => {
    close();
    const prepared = prepare(tools, missing, [...ids]);
    const found = await requestOf(missing.call.context).allowance.read(tools.app.documents(missing.uid), prepared);
    return new Map(found.rows().map((row) => [row.documentId, row]));
  });
  return { ids, rows };
}

/** @throws PLINTH_ACCESS_FORBIDDEN (403), PLINTH_QUERY_* (400) */
function prepare(tools: OperationTools, missing: MissingAttribute, ids: readonly string[]): PreparedRead {
  const { args, call, uid } = missing;
  const type = typeOfPlan(tools, { uid });
  const { parentType, fieldNodes } = call.info;
  const planning = planningOf(tools, call);
  const field = planField(planning, parentType, fieldNodes, args);
  const selection = selectField(
    { app: tools.app, keys: argumentAliasesOf(call.context.state) },
    shapeOf(planning, parentType),
    field,
  );
  const { locale } = versionOfParent(missing);
  const params = { filters: { documentId: { $in: ids } }, status: statusOf(missing), ...(locale ? { locale } : {}) };
  const prepared = parseReadParams(tools.app.model, type, params, {
    visibility: "public",
    // The ids are ours, and so many rows are wanted.
    budget: { ...tools.app.readBudget, listValues: Number.POSITIVE_INFINITY },
    limits: { defaultLimit: ids.length, maxLimit: ids.length, withCount: false },
    ability: call.context.ability,
    kind: "list",
    defaultStatus: "published",
    selection: { ...selection, limits: listLimits(tools.config, false), leavesOutFaults: true },
  });
  const asked = [...selection.fields, ...selection.populate].at(-1);
  const reason = asked && prepared.deniedFields.get(asked);
  if (reason) throw reason;
  reasonsOf(call.context.state).note(prepared.deniedFields);
  return prepared;
}

/** A parent with `publishedAt` has that version; else it is of the version that the root field reads. */
function statusOf({ parent, call }: MissingAttribute) {
  if (parent["publishedAt"] === null) return "draft";
  return versionOf(call.context.state, call.info);
}

function versionOfParent({ parent }: MissingAttribute): { readonly locale?: string } {
  const { locale } = parent;
  return typeof locale === "string" && locale !== "" ? { locale } : {};
}
