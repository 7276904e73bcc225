import type { Component, ContentModel } from "../../schema/model.js";
import { identifier, literal } from "../sql/sql.js";
import { componentsIn, componentUids } from "../layout/layout.js";
import type { EmbeddedSnapshot, Snapshot } from "./snapshot.js";
import { OF_BATCH, type SyncStep } from "./step.js";
import { embeddedForm } from "../layout/table-spec.js";
import { keptColumn, type TableMatch } from "./table-match.js";

/** What becomes of the keys of one stored component, by their old names. */
interface Rule {
  readonly rename: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
  /** Numbers and booleans that are texts now. */
  readonly texts: readonly string[];
  /** Single components that are lists now. */
  readonly lists: readonly string[];
  /** Keys that hold components, with the uid; `""` where each item says its own. */
  readonly nested: Readonly<Record<string, string>>;
}

/** Steps that rewrite stored components whose attributes were renamed, removed or changed: one per column that can hold one. */
export function planComponents(
  matches: readonly TableMatch[],
  snapshot: Snapshot,
  model: ContentModel,
): readonly SyncStep[] {
  const rules = new Map<string, Rule>();
  for (const component of model.components.values()) {
    const old = snapshot.components[component.uid];
    if (old) rules.set(component.uid, buildRule(component, old));
  }
  const changed = new Set([...rules].filter(([, rule]) => changesAnything(rule)).map(([uid]) => uid));
  if (changed.size === 0) return [];
  return matches.flatMap((match) => planTable(match, { rules, changed, model }));
}

interface Changes {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly changed: ReadonlySet<string>;
  readonly model: ContentModel;
}

function planTable(match: TableMatch, { rules, changed, model }: Changes): readonly SyncStep[] {
  const { type, table } = match.spec;
  if (!match.columns) return [];
  return [...type.attributes.values()].flatMap((attribute): SyncStep[] => {
    const direct = componentUids(attribute).flatMap((uid) => model.components.get(uid) ?? []);
    const reachable = new Set(
      direct.flatMap((component) => [component.uid, ...[...componentsIn(model, component)].map(({ uid }) => uid)]),
    );
    const touched = [...reachable].filter((uid) => changed.has(uid));
    if (touched.length === 0 || (attribute.kind !== "component" && attribute.kind !== "dynamiczone")) return [];
    const removed = touched.flatMap((uid) => (rules.get(uid)?.remove ?? []).map((name) => `${uid}.${name}`));
    const call = rewriteCall(attribute.kind === "component" ? attribute.component : "", rules);
    const why = `attributes of ${touched.join(", ")} have changed${removed.length > 0 ? `; the values of ${removed.join(", ")} are removed` : ""}`;
    const isRemoval = touched.every((uid) => onlyRemoves(rules.get(uid)));
    return [
      {
        ...(isRemoval ? { isRemoval } : {}),
        kind: "rewrite components",
        table,
        column: attribute.column,
        sql: [REWRITE_FUNCTION, rewriteSql(table, attribute.column, call), DROP_REWRITE],
        ...batchesOf(match, attribute.name, call),
        isDestructive: removed.length > 0,
        why,
      },
    ];
  });
}

function buildRule(component: Component, old: Readonly<Record<string, EmbeddedSnapshot>>): Rule {
  const rule = {
    rename: {} as Record<string, string>,
    remove: [] as string[],
    texts: [] as string[],
    lists: [] as string[],
    nested: {} as Record<string, string>,
  };
  const kept = new Set<string>();
  for (const attribute of component.attributes.values()) {
    const isRenamed =
      !old[attribute.name] && attribute.renamedFrom !== undefined && old[attribute.renamedFrom] !== undefined;
    const oldName = isRenamed ? (attribute.renamedFrom ?? "") : attribute.name;
    const former = old[oldName];
    if (!former) continue;
    const change = changeOf(former.form, embeddedForm(attribute));
    if (change === "remove") continue;
    kept.add(oldName);
    if (isRenamed) rule.rename[oldName] = attribute.name;
    if (change) rule[change].push(oldName);
    if (former.components.length > 0) rule.nested[oldName] = former.form === "zone" ? "" : (former.components[0] ?? "");
  }
  rule.remove.push(...Object.keys(old).filter((name) => !kept.has(name)));
  return rule;
}

/** What a stored value needs to go from one form to another. */
function changeOf(from: string, to: string): "texts" | "lists" | "remove" | undefined {
  if (from === to || WIDENED.has(`${from} > ${to}`)) return undefined;
  if (from.replace(/^component /, "components ") === to) return "lists";
  const isValue = from.startsWith("value ") && from !== "value jsonb";
  if (isValue && (to === "value text" || (from === "value integer" && to === "value bigint"))) return "texts";
  return "remove";
}

/** Numbers that stay the same number in JSON. */
const WIDENED = new Set([
  "value integer > value double precision",
  "value integer > value numeric(10,2)",
  "value numeric(10,2) > value double precision",
]);

const changesAnything = ({ rename, remove, texts, lists }: Rule): boolean =>
  Object.keys(rename).length + remove.length + texts.length + lists.length > 0;

const onlyRemoves = (rule: Rule | undefined): boolean =>
  rule === undefined || !changesAnything({ ...rule, remove: [] });

/** A function of the column's SQL: the call that rewrites what is in it. What it has rewritten it leaves as it is. */
function rewriteCall(component: string, rules: ReadonlyMap<string, Rule>): (column: string) => string {
  const given = `${literal(component)}, ${literal(JSON.stringify(Object.fromEntries(rules)))}::jsonb`;
  return (column) => `plinth_rewrite(${column}, ${given})`;
}

function rewriteSql(table: string, column: string, call: (column: string) => string): string {
  const c = identifier(column);
  return `update ${identifier(table)} set ${c} = ${call(c)} where ${c} is not null and ${c} is distinct from ${call(c)}`;
}

/** A column that is new, or made again, holds nothing that has to be rewritten. */
function batchesOf(match: TableMatch, attribute: string, call: (column: string) => string): Pick<SyncStep, "batches"> {
  const column = keptColumn(match, attribute);
  if (column === undefined) return {};
  const sql = `${rewriteSql(match.oldTable, column, call)} and ${OF_BATCH}`;
  return { batches: { table: match.oldTable, prepare: [REWRITE_FUNCTION], sql: [sql], finish: [DROP_REWRITE] } };
}

const DROP_REWRITE = "drop function if exists plinth_rewrite(jsonb, text, jsonb)";

/**
 * Rewrites a component, a list of them, or a zone, at any depth, by the rules; dropped in the transaction that makes it. Workers of
 * Citus run it: they have no temporary functions, take only immutable ones in an update, and search another path, by which it
 * would not find itself.
 */
const REWRITE_FUNCTION = `
create or replace function plinth_rewrite(stored jsonb, component text, rules jsonb) returns jsonb language plpgsql immutable set search_path from current as $body$
declare
  rule jsonb;
  item jsonb;
  entry record;
  value jsonb;
  result jsonb;
begin
  if jsonb_typeof(stored) = 'array' then
    result := '[]';
    for item in select jsonb_array_elements(stored) loop
      result := result || jsonb_build_array(plinth_rewrite(item, component, rules));
    end loop;
    return result;
  end if;
  rule := rules -> coalesce(nullif(component, ''), stored ->> '__component');
  if rule is null or jsonb_typeof(stored) <> 'object' then
    return stored;
  end if;
  result := '{}';
  for entry in select e.key as name, e.value as content from jsonb_each(stored) e loop
    continue when rule -> 'remove' ? entry.name;
    value := entry.content;
    if rule -> 'nested' ? entry.name then
      value := plinth_rewrite(value, rule -> 'nested' ->> entry.name, rules);
    end if;
    if rule -> 'texts' ? entry.name and jsonb_typeof(value) <> 'null' then
      value := to_jsonb(value #>> '{}');
    end if;
    if rule -> 'lists' ? entry.name and jsonb_typeof(value) = 'object' then
      value := jsonb_build_array(value);
    end if;
    result := result || jsonb_build_object(coalesce(rule -> 'rename' ->> entry.name, entry.name), value);
  end loop;
  return result;
end $body$`;
