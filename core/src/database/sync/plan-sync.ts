import type { ContentModel } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { buildLayouts, planCounters, planFoundation, planPluginTables } from "./plan-counters.js";
import { allowEmptyDrops } from "./allow-empty-drops.js";
import { type DatabaseState, introspect } from "./introspect.js";
import { planColumns } from "./plan-columns.js";
import { planComponents } from "./plan-components.js";
import {
  planCreations,
  planDrops,
  planIdentities,
  planIndexDrops,
  planIndexes,
  planReferences,
  planRenames,
} from "./plan-tables.js";
import { hashModel } from "./model-history.js";
import { planVersions } from "./plan-versions.js";
import { buildSnapshot, hashSnapshot, readSnapshot, type Snapshot, SNAPSHOT_TABLE } from "./snapshot.js";
import type { SyncPlan, SyncStep } from "./step.js";
import { matchTables, type TableMatch } from "./table-match.js";
import { buildTables, hasForm, rowColumnsOf } from "../layout/table-spec.js";
import { Carried } from "../layout/carried.js";

const EMPTY: Snapshot = { tables: {}, components: {} };

/** What a plan counts as a loss of content. */
export interface PlanOptions {
  /** Whether columns, links and tables without content may be dropped; meant for development. Default: false. */
  readonly dropsEmpty?: boolean;
}

/**
 * Compares the content model, the snapshot of the last synchronisation, and the tables; changes nothing. Costs four
 * statements, and one more for each content-type whose drafts or localisation is turned off.
 */
export async function planSync(
  db: Database,
  model: ContentModel,
  { dropsEmpty = false }: PlanOptions = {},
): Promise<SyncPlan> {
  const state = await introspect(db);
  const stored = state.tables.has(SNAPSHOT_TABLE) ? await readSnapshot(db) : undefined;
  const known = stored?.snapshot ?? EMPTY;
  const specs = buildTables(model);
  const matches = matchTables(specs, known, state);
  const layouts = buildLayouts(matches, model);
  const snapshot = buildSnapshot(model, specs, layouts);
  const versions = await Promise.all(matches.map((match) => planVersions(db, match, model.defaultLocale)));
  const content = [...planComponents(matches, known, model), ...versions.flat()];
  const countsAlong = db.engine === "citus";
  const planned = [
    ...planFoundation(state, db.engine),
    ...planPluginTables(state, model),
    ...planSteps(matches, known, state, content),
    ...(countsAlong ? [] : matches.flatMap((match) => planCounters(match, state))),
  ];
  const steps = dropsEmpty ? await allowEmptyDrops(db, planned, matches) : planned;
  const isUpToDate = steps.length === 0 && stored?.hash === hashSnapshot(snapshot);
  const layout = { model, tables: layouts, carried: new Carried(), countsAlong };
  const modelHash = hashModel(snapshot);
  const hasMore = matches.some(holdsMore) || lacksEmbedded(model, known);
  return { steps, snapshot, known: stored?.snapshot, modelHash, layout, hasMore, isUpToDate };
}

function holdsMore({ spec, columns, old, attributes }: TableMatch): boolean {
  const known = rowColumnsOf(spec);
  if (attributes.some((attribute) => attribute.old !== undefined && attribute.old.form !== attribute.form.form))
    return true;
  return [...(columns?.keys() ?? [])].some((name) => !known.has(name)) || (!spec.links && old?.links !== undefined);
}

/** Whether the last synchronisation knew of attributes of components that the model lacks, or has in another form. */
function lacksEmbedded(model: ContentModel, { components }: Snapshot): boolean {
  return Object.entries(components).some(([uid, attributes]) =>
    Object.entries(attributes).some(([name, { form }]) => !hasForm(model.components.get(uid), name, form)),
  );
}

/**
 * The steps in their order. Indexes go before the columns they are on, so that no step meets one that is to be dropped
 * anyway, and come last, when the content is in its final state; `content` steps find all columns there.
 */
function planSteps(
  matches: readonly TableMatch[],
  known: Snapshot,
  state: DatabaseState,
  content: readonly SyncStep[],
): readonly SyncStep[] {
  const columns = matches.flatMap((match) => (match.columns ? planColumns(match) : []));
  const indexDrops = matches.flatMap((match) => planIndexDrops(match, state, columns));
  const dropped = new Set(indexDrops.map(({ column }) => column ?? ""));
  return [
    ...indexDrops,
    ...matches.flatMap((match) => planRenames(match, state)),
    ...matches.flatMap((match) => planCreations(match, state)),
    ...columns,
    ...planDrops(matches, known, state),
    ...content,
    ...matches.flatMap((match) => planReferences(match, matches)),
    ...matches.flatMap((match) => planIndexes(match, state, dropped)),
    ...matches.flatMap((match) => planIdentities(match, state, dropped)),
  ];
}
