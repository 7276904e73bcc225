import type { ContentModel } from "@plinth/core/schema";
import {
  type Attribute,
  type Component,
  type ComponentAttribute,
  isRelation,
  parseValue,
  type RelationAttribute,
  type ScalarAttribute,
  type ZoneAttribute,
} from "@plinth/core/schema";
import type { VersionProblem } from "../contract.js";
import { type Item, isList, isObject, itemsOf, storedOf } from "./items.js";
import type { Content } from "./kept-versions.js";
import { type KnowsTarget, targetsIn, type Target } from "./seen-targets.js";
import type { Sight } from "./sight.js";

/** What a viewer sees of a version. */
export interface View {
  /** By attribute, in the order of the schema. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly problems: readonly VersionProblem[];
}

/** What views are made of. */
export interface ViewParts {
  readonly model: ContentModel;
  readonly sight: Sight;
  readonly isSeen: KnowsTarget;
  readonly isGone: KnowsTarget;
  /** Whether components have their ids, which say nothing of what is in them. */
  readonly hasIds: boolean;
}

/** Shows a version as the model of today reads it; what that does not take is said, and left out. */
export function viewOf(parts: ViewParts, content: Content): View {
  return new Viewing(parts).of(content);
}

const NONE = Symbol("no value");

class Viewing {
  readonly #problems: VersionProblem[] = [];

  constructor(private readonly parts: ViewParts) {}

  of({ values, links }: Content): View {
    const { sight } = this.parts;
    const all = [...sight.type.attributes.values()];
    const data = Object.fromEntries(
      sight.attributes.flatMap((attribute) => {
        const name = [attribute.name, attribute.renamedFrom].find(
          (each) => each !== undefined && (each in values || each in links),
        );
        const value = name === undefined ? NONE : this.#top(attribute, values[name], links[name]);
        return value === NONE ? [] : [[attribute.name, value]];
      }),
    );
    const known = new Set(all.flatMap(({ name, renamedFrom }) => [name, renamedFrom]));
    if (sight.isWhole)
      for (const name of Object.keys({ ...values, ...links })) if (!known.has(name)) this.#say(name, "removed");
    return { data, problems: this.#problems };
  }

  #say(path: string, problem: VersionProblem["problem"]): typeof NONE {
    this.#problems.push({ path, problem });
    return NONE;
  }

  #top(attribute: Attribute, value: unknown, linked: unknown): unknown {
    if (!isRelation(attribute))
      return value === undefined ? this.#say(attribute.name, "changed") : this.#value(attribute, value, attribute.name);
    if (linked === undefined) return this.#say(attribute.name, "changed");
    return this.#linked(attribute, targetsIn(attribute, linked), attribute.name);
  }

  #linked(attribute: RelationAttribute, targets: readonly Target[], path: string): unknown {
    for (const target of targets) if (this.parts.isGone(target)) this.#say(path, "gone");
    const seen = targets
      .filter(this.parts.isSeen)
      .map(({ uid, documentId }) => (attribute.target === undefined ? { documentId, __type: uid } : { documentId }));
    return attribute.isMany ? seen : (seen[0] ?? null);
  }

  #value(attribute: Exclude<Attribute, RelationAttribute>, value: unknown, path: string): unknown {
    if (value === null) return null;
    if (attribute.kind === "component" || attribute.kind === "dynamiczone")
      return this.#components(attribute, value, path);
    return this.#scalar(attribute, value, path);
  }

  /** Digits that a number may lose are kept as texts; a decimal is a number for clients. */
  #scalar(attribute: ScalarAttribute, stored: unknown, path: string): unknown {
    const value = attribute.kind === "decimal" && typeof stored === "string" ? Number(stored) : stored;
    return parseValue(attribute, value, { path: [path], use: "body" }).problems ? this.#say(path, "changed") : value;
  }

  #components(attribute: ComponentAttribute | ZoneAttribute, value: unknown, path: string): unknown {
    if (Array.isArray(value) !== isList(attribute) || !(Array.isArray(value) || isObject(value)))
      return this.#say(path, "changed");
    const items = itemsOf(this.parts.model, attribute, value).flatMap((each, index) => {
      const shown = this.#item(each, isList(attribute) ? `${path}.${index}` : path);
      return shown === NONE ? [] : [shown];
    });
    return isList(attribute) ? items : (items[0] ?? null);
  }

  #item({ component, item }: Item, path: string): unknown {
    if (!component) return this.#say(path, "removed");
    const { hasIds, sight } = this.parts;
    const shown = [...component.attributes.values()].filter(sight.sees).flatMap((attribute) => {
      const value = this.#inner(attribute, item, `${path}.${attribute.name}`);
      return value === NONE ? [] : [[attribute.name, value] as const];
    });
    if (sight.isWhole) this.#sayGone(component, item, path);
    const { id, __component: kind } = item;
    return {
      ...(kind === undefined ? {} : { __component: kind }),
      ...(hasIds ? { id } : {}),
      ...Object.fromEntries(shown),
    };
  }

  #inner(attribute: Attribute, item: Item["item"], path: string): unknown {
    const value = storedOf(item, attribute);
    if (isRelation(attribute)) return this.#linked(attribute, targetsIn(attribute, value), path);
    return value === undefined ? NONE : this.#value(attribute, value, path);
  }

  #sayGone({ attributes }: Component, item: Item["item"], path: string): void {
    const known = new Set([...attributes.values()].flatMap(({ name, renamedFrom }) => [name, renamedFrom]));
    for (const name of Object.keys(item))
      if (!known.has(name) && name !== "id" && name !== "__component") this.#say(`${path}.${name}`, "removed");
  }
}
