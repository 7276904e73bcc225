// Whether the writer of a body may read all that it names.
import { unlimited } from "../../access/ability.js";
import type { Version } from "../../database/writes/version.js";
import type { Component, ContentType, RelationAttribute, Shape } from "../../schema/model.js";
import type { ComponentInput, WriteInput } from "../input.js";
import { isReadable, type Visibility } from "../params/parse-context.js";
import { reachOfRead } from "../params/visible-types.js";
import type { WriteScope } from "./write-scope.js";

/** A body of one row, and its writer. */
export interface WrittenInput {
  readonly row: Version;
  readonly input: WriteInput;
  readonly visibility: Visibility;
  /** Whether the row is published by the same write: then its values are those of the published row, or change it. */
  readonly publishes: boolean;
}

/**
 * Whether a writer may read, in the row of a body, all that the body names. Where they may not, an answer that shows
 * whether something was changed would tell whether a value was guessed.
 */
export async function isReadableInput(
  { layout, rules }: Pick<WriteScope, "layout" | "rules">,
  type: ContentType,
  { row, input, visibility, publishes }: WrittenInput,
): Promise<boolean> {
  const names = namesIn(input);
  const withPrivate = visibility !== "public";
  if (names.length === 0 || (withPrivate && rules.ability === unlimited)) return true;
  const reach = reachOfRead(rules.ability, type);
  if (!(publishes || rules.readsDrafts(type))) return false;
  if (reach.rows !== "nothing" && reach.fields && !names.every((name) => reach.fields?.has(name))) return false;
  const reads = (uid: string): boolean => {
    const target = layout.model.contentTypes.get(uid);
    return (
      target !== undefined && reachOfRead(rules.ability, target).rows === "everything" && rules.readsDrafts(target)
    );
  };
  const context = { components: layout.model.components, withPrivate, reads };
  return namesReadable(context, type, input) && (await rules.found(type.uid, [row.id])).size > 0;
}

/** What a writer may read. */
interface Sight {
  readonly components: ReadonlyMap<string, Component>;
  readonly withPrivate: boolean;
  /** Whether they may find every document of a type. */
  readonly reads: (uid: string) => boolean;
}

const namesIn = ({ scalars, relations, components }: WriteInput | ComponentInput): readonly string[] => [
  ...[scalars, relations, components].flatMap((part) => [...part.keys()]),
];

function namesReadable(sight: Sight, shape: Shape, input: WriteInput | ComponentInput): boolean {
  const isShown = (name: string) => {
    const attribute = shape.attributes.get(name);
    return attribute !== undefined && isReadable(attribute, sight.withPrivate);
  };
  const isFound = (name: string) => sight.reads((shape.attributes.get(name) as RelationAttribute).target ?? "");
  if (!namesIn(input).every(isShown) || ![...input.relations.keys()].every(isFound)) return false;
  const items = [...input.components.values()].flatMap((value) => value ?? []);
  return items.every((item) => {
    const component = sight.components.get(item.component);
    return component !== undefined && namesReadable(sight, component, item);
  });
}
