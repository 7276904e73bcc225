import { positionColumn, typeColumn } from "../../database/layout/layout.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { RelationAttribute, ScalarAttribute } from "../../schema/model.js";
import type { WriteInput } from "../input.js";
import { changeList, keyOf, type ListChange, type Target } from "./link-list.js";
import { connects, countNewComponents, mergeComponents } from "./merge-components.js";
import { type Link, presentLinks } from "./present-links.js";
import { resolveTargets } from "./resolve-targets.js";
import type { WriteScope } from "./write-scope.js";

/** What a body changes of one row, ready to be written. */
export interface RowChange {
  /** New values by column. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Changes of to-many relations in the row's link table, by attribute name. */
  readonly lists: ReadonlyMap<string, ListChange>;
  /** The links of the row that the change is about, as they are. */
  readonly links: readonly Link[];
  /** Changes of relations that the other side keeps, by attribute name. */
  readonly inverses: ReadonlyMap<string, ListChange>;
  readonly touchesComponents: boolean;
  /** Whether all locales get a part of the change. */
  readonly touchesShared: boolean;
}

/**
 * Computes what a body changes.
 *
 * @param stored - versions of the document in this locale whose components the body may name by id; the first is the
 * row to be changed. Empty for a new row.
 */
export async function buildRow(
  scope: WriteScope,
  plan: WritePlan,
  input: WriteInput,
  stored: readonly Version[],
): Promise<RowChange> {
  const targets = await resolveTargets(scope, plan.type, input);
  const ids = await scope.componentIds.take(countNewComponents(input));
  const links = stored[0] ? await presentLinks(scope, plan, stored[0], input) : [];
  const merging = { model: scope.layout.model, targets, ids };
  const record: Record<string, unknown> = {};
  const lists = new Map<string, ListChange>();
  const inverses = new Map<string, ListChange>();
  for (const [name, value] of input.scalars) record[(plan.type.attributes.get(name) as ScalarAttribute).column] = value;
  for (const attribute of plan.components) {
    const given = input.components.get(attribute.name);
    if (given === undefined) continue;
    record[attribute.column] = mergeComponents(
      merging,
      attribute,
      given,
      stored.map(({ content }) => content[attribute.name]),
    );
  }
  for (const [name, change] of input.relations) {
    const attribute = plan.type.attributes.get(name) as RelationAttribute;
    const resolved = targets.resolve(attribute, change);
    if (attribute.storage === "links") lists.set(name, resolved);
    else if (attribute.storage === "inverse") inverses.set(name, resolved);
    else
      Object.assign(
        record,
        toOneColumns(attribute, resolved, {
          present: stored[0]?.content[name],
          replaces: connects(change),
          now: scope.now,
        }),
      );
  }
  const named = [...input.scalars.keys(), ...input.components.keys(), ...input.relations.keys()];
  return {
    record,
    lists,
    links,
    inverses,
    touchesComponents: input.components.size > 0,
    touchesShared: named.some((name) => plan.shared.has(name)),
  };
}

interface Present {
  readonly present: unknown;
  readonly replaces: boolean;
  readonly now: number;
}

/** Columns of a to-one relation after a change; none if its target is unchanged. */
function toOneColumns(
  attribute: RelationAttribute,
  change: ListChange,
  { present, replaces, now }: Present,
): Readonly<Record<string, unknown>> {
  const current = (present ?? undefined) as Target | undefined;
  const [target] = changeList(current && !replaces ? [current] : [], change, attribute.name);
  if (current && target && keyOf(current) === keyOf(target)) return {};
  const others = [
    ...typeColumn(attribute).map((column) => [column, target?.type ?? null]),
    ...positionColumn(attribute).map((column) => [column, target ? now : null]),
  ];
  return { [attribute.column ?? ""]: target?.documentId ?? null, ...Object.fromEntries(others) };
}
