import type { Attribute, Component, ComponentAttribute, ContentModel, ZoneAttribute } from "../../schema/model.js";
import { componentsIn, componentUids } from "../layout/layout.js";
import { identifier, literal } from "../sql/sql.js";

/** Which attributes, of content-types and of their components, are not to be read. */
export type LeavesOut = (attribute: Attribute) => boolean;

type Structured = ComponentAttribute | ZoneAttribute;

/**
 * SQL of what a component or zone holds, as jsonb, without some attributes of its components at any depth.
 *
 * @param stored - SQL of the jsonb as it is stored.
 */
export function leaveOut(model: ContentModel, attribute: Structured, stored: string, leavesOut: LeavesOut): string {
  return new LeaveOut(model, leavesOut).of(attribute, stored, []);
}

class LeaveOut {
  #rows = 0;

  constructor(
    private readonly model: ContentModel,
    private readonly leavesOut: LeavesOut,
  ) {}

  /** @param above - uids of the components that this attribute is in. */
  of(attribute: Structured, stored: string, above: readonly string[]): string {
    if (!this.#componentsOf(attribute).some((component) => this.#isTouched(component))) return stored;
    this.#rows += 1;
    const row = `x${this.#rows}`;
    const isList = attribute.kind === "dynamiczone" || attribute.repeatable;
    const [type, kept] = isList
      ? ["array", this.#items(attribute, row, above)]
      : ["object", this.#one(attribute, `${row}.v`, above)];
    return `(select case jsonb_typeof(${row}.v) when '${type}' then ${kept} else ${row}.v end from (select ${stored} as v) ${row})`;
  }

  #items(attribute: Structured, row: string, above: readonly string[]): string {
    const item = `${row}i`;
    return `(select coalesce(jsonb_agg(${this.#one(attribute, `${item}.value`, above)} order by ${item}.ordinality), '[]'::jsonb) from jsonb_array_elements(${row}.v) with ordinality ${item})`;
  }

  #one(attribute: Structured, item: string, above: readonly string[]): string {
    const components = this.#componentsOf(attribute);
    if (attribute.kind === "component") return components.map((component) => this.#kept(component, item, above)).join();
    const cases = components.map(
      (component) => `when ${literal(component.uid)} then ${this.#kept(component, item, above)}`,
    );
    return `case ${item} ->> '__component' ${cases.join(" ")} else ${item} end`;
  }

  /** A component that is in itself cannot be followed to its end: where it may hold what is left out, it is left out. */
  #kept(component: Component, item: string, above: readonly string[]): string {
    const path = [...above, component.uid];
    const attributes = [...component.attributes.values()];
    const touched = attributes.filter(
      (attribute): attribute is Structured =>
        !this.leavesOut(attribute) &&
        (attribute.kind === "component" || attribute.kind === "dynamiczone") &&
        this.#componentsOf(attribute).some((inner) => this.#isTouched(inner)),
    );
    const isEndless = (attribute: Structured) => componentUids(attribute).some((uid) => path.includes(uid));
    const gone = [...attributes.filter(this.leavesOut), ...touched.filter(isEndless)].map(({ name }) => literal(name));
    const without = gone.length === 0 ? item : `(${item} - array[${gone.join(", ")}]::text[])`;
    const inner = touched
      .filter((attribute) => !isEndless(attribute))
      .map(
        (attribute) =>
          `${this.of(attribute, `${item} -> ${literal(attribute.name)}`, path)} as ${identifier(attribute.name)}`,
      );
    return inner.length === 0 ? without : `(${without} || (select to_jsonb(o) from (select ${inner.join(", ")}) o))`;
  }

  #componentsOf(attribute: Structured): readonly Component[] {
    return componentUids(attribute).flatMap((uid) => this.model.components.get(uid) ?? []);
  }

  #isTouched(component: Component): boolean {
    return [component, ...componentsIn(this.model, component)].some(({ attributes }) =>
      [...attributes.values()].some(this.leavesOut),
    );
  }
}
