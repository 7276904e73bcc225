import { isScalarKind } from "../../schema/attribute.js";
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentModel,
  RelationAttribute,
  Shape,
  ZoneAttribute,
} from "../../schema/model.js";
import { messageOnly, UnrelatedComponentError } from "../errors.js";
import type { ComponentInput, RelationChange, StoredComponent, WriteInput } from "../input.js";
import { itemsOf } from "./embedded-links.js";
import type { ResolvedTargets } from "./resolve-targets.js";
import { changeList, type Target } from "./link-list.js";

/** What merging a body into stored components needs. */
export interface Merging {
  readonly model: ContentModel;
  readonly targets: ResolvedTargets;
  /** Ids for new components, as many as `countNewComponents` says. */
  readonly ids: number[];
}

type Structured = ComponentAttribute | ZoneAttribute;
type Given = ComponentInput | readonly ComponentInput[] | null;

/** How many components of a body are new. */
export function countNewComponents(input: WriteInput | ComponentInput): number {
  const given = [...input.components.values()].flatMap((value) =>
    value === null ? [] : ([value].flat() as ComponentInput[]),
  );
  return given.reduce((count, item) => count + (item.id === undefined ? 1 : 0) + countNewComponents(item), 0);
}

/**
 * What an attribute holds after a body: components with an id change the stored one, those without are new, and what
 * the body does not list is gone.
 *
 * @param stored - what the attribute holds, by preference: the draft's components, then those of the published version.
 * @throws PLINTH_DOCUMENT_UNRELATED_COMPONENT (400) details `{}` for an id that none of them has
 * @source plugins/content-api/WIRE.md#components-in-bodies
 */
export function mergeComponents(
  merging: Merging,
  attribute: Structured,
  given: Given,
  stored: readonly unknown[],
): unknown {
  if (given === null) return null;
  const known = stored.flatMap(itemsOf);
  const used = new Set<number>();
  const one = (input: ComponentInput): StoredComponent => {
    const isZone = attribute.kind === "dynamiczone";
    if (input.id === undefined) return mergeOne(merging, input, undefined, isZone);
    const old = known.filter((item) => item.id === input.id && (!isZone || item["__component"] === input.component));
    if (old.length === 0 || used.has(input.id))
      throw new UnrelatedComponentError({ [messageOnly]: { attribute: attribute.name } });
    used.add(input.id);
    return mergeOne(merging, input, old, isZone);
  };
  return Array.isArray(given) ? given.map(one) : one(given as ComponentInput);
}

function mergeOne(
  merging: Merging,
  input: ComponentInput,
  old: readonly StoredComponent[] | undefined,
  isZone: boolean,
): StoredComponent {
  const component = merging.model.components.get(input.component) as Component;
  const id = input.id ?? (merging.ids.shift() as number);
  const values = [...component.attributes.values()].map((attribute) => [
    attribute.name,
    mergeValue(merging, attribute, input, old),
  ]);
  const own = { ...(isZone ? { __component: component.uid } : {}), id, ...Object.fromEntries(values) };
  return old?.[0] === undefined ? own : { ...own, ...unknownIn(component, old[0]) };
}

/** What a newer version of the app keeps in a component, and this one does not know. */
function unknownIn({ attributes }: Component, stored: StoredComponent): Readonly<Record<string, unknown>> {
  const entries = Object.entries(stored);
  return Object.fromEntries(
    entries.filter(([name]) => name !== "id" && name !== "__component" && !attributes.has(name)),
  );
}

function mergeValue(
  merging: Merging,
  attribute: Attribute,
  input: ComponentInput,
  old: readonly StoredComponent[] = [],
): unknown {
  const present = old[0]?.[attribute.name] ?? emptyValue(attribute);
  if (isScalarKind(attribute.kind))
    return input.scalars.has(attribute.name) ? (input.scalars.get(attribute.name) ?? null) : present;
  if (attribute.kind === "component" || attribute.kind === "dynamiczone") {
    const given = input.components.get(attribute.name);
    return given === undefined
      ? present
      : mergeComponents(
          merging,
          attribute,
          given,
          old.map((item) => item[attribute.name]),
        );
  }
  const change = input.relations.get(attribute.name);
  return change === undefined ? present : mergeRelation(merging, attribute as RelationAttribute, change, present);
}

function mergeRelation(
  merging: Merging,
  attribute: RelationAttribute,
  change: RelationChange,
  present: unknown,
): unknown {
  const current = (Array.isArray(present) ? present : present === null ? [] : [present]).map(toTarget);
  const resolved = merging.targets.resolve(attribute, change);
  const list = changeList(attribute.isMany || !connects(change) ? current : [], resolved, attribute.name);
  const stored = list.map(({ documentId, type }) =>
    attribute.isPolymorphic ? { documentId, __type: type } : documentId,
  );
  return attribute.isMany ? stored : (stored[0] ?? null);
}

/** Connecting to a to-one relation replaces what it holds. */
export const connects = (change: RelationChange): boolean => "connect" in change && change.connect.length > 0;

function toTarget(stored: unknown): Target {
  if (typeof stored === "string") return { documentId: stored, type: "" };
  const { documentId, __type } = stored as { readonly documentId: string; readonly __type: string };
  return { documentId, type: __type };
}

function emptyValue(attribute: Shape["attributes"] extends ReadonlyMap<string, infer Value> ? Value : never): unknown {
  const isList =
    attribute.kind === "dynamiczone" ||
    (attribute.kind === "component" && attribute.repeatable) ||
    ((attribute.kind === "relation" || attribute.kind === "media") && attribute.isMany);
  return isList ? [] : null;
}
