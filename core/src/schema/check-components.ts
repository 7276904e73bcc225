import { describeKnown } from "../base/suggest.js";
import type { Component, ContentType } from "./model.js";
import type { Report } from "./schema-problem.js";

type Components = ReadonlyMap<string, Component>;

/** Checks that the components which a content-type or component uses exist. */
export function checkComponents(shape: ContentType | Component, components: Components, report: Report): void {
  for (const attribute of shape.attributes.values()) {
    const uids =
      attribute.kind === "component"
        ? [attribute.component]
        : attribute.kind === "dynamiczone"
          ? attribute.components
          : [];
    const option = attribute.kind === "component" ? "component" : "components";
    for (const uid of uids.filter((uid) => uid !== "" && !components.has(uid))) {
      report(
        `attributes.${attribute.name}.${option}`,
        `There is no component "${uid}".`,
        describeKnown(uid, [...components.keys()]),
      );
    }
  }
}

/**
 * Reports components that cannot be written because each of them needs another of the cycle. Reported
 * once per cycle, at its first component by name.
 */
export function checkCycles(components: Components, reportOf: (component: Component) => Report): void {
  for (const component of components.values()) {
    const cycle = findCycle(component.uid, [], components);
    if (!cycle || cycle.some((uid) => uid < component.uid)) continue;
    const message = `It needs itself without end: ${[...cycle, component.uid].join(" -> ")}.`;
    reportOf(component)("attributes", message, "Make one of these attributes optional.");
  }
}

/** Follows needs from the last of `trail`; the cycle that leads back to where it began. */
function findCycle(uid: string, trail: readonly string[], components: Components): readonly string[] | undefined {
  if (trail[0] === uid) return trail;
  if (trail.includes(uid)) return undefined;
  for (const needed of neededBy(components.get(uid))) {
    const cycle = findCycle(needed, [...trail, uid], components);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Components without which this one cannot be written: required single ones, and lists that may not be empty. */
function neededBy(component: Component | undefined): readonly string[] {
  return [...(component?.attributes.values() ?? [])].flatMap((attribute) =>
    attribute.kind === "component" && attribute.required && (!attribute.repeatable || (attribute.min ?? 0) > 0)
      ? [attribute.component]
      : [],
  );
}
