import { snakeCase } from "../base/case.js";
import { attributeBase, checkOptions } from "./attribute-base.js";
import type { ComponentAttribute, ZoneAttribute } from "./model.js";
import { booleanOption, checkOrder, countOption, textOption, textsOption } from "./read-options.js";
import type { AttributeSource } from "./read-options.js";

/** Reads an attribute that holds one component, or a list of one kind of component. */
export function buildComponentAttribute(source: AttributeSource): ComponentAttribute {
  checkOptions(source, ["component", "repeatable", "min", "max"]);
  const component = textOption(source, "component");
  if (component === undefined) {
    source.report("component", "The component is missing.", 'Name it by category and file, such as "shared.seo".');
  }
  return Object.freeze({
    ...attributeBase(source),
    ...readCounts(source),
    kind: "component",
    component: component ?? "",
    repeatable: booleanOption(source, "repeatable"),
    column: snakeCase(source.name),
  });
}

/** Reads a dynamic zone: a list of components of several kinds. */
export function buildZone(source: AttributeSource): ZoneAttribute {
  checkOptions(source, ["components", "min", "max"]);
  const components = textsOption(source, "components");
  if (components.length === 0) {
    source.report("components", "A dynamic zone has no components.", 'List them: "components": ["sections.hero"].');
  }
  if (source.owner.shape === "component") {
    source.report(
      "type",
      "A component cannot hold a dynamic zone.",
      "Move the zone to the content-type, or use a repeatable component.",
    );
  }
  return Object.freeze({
    ...attributeBase(source),
    ...readCounts(source),
    kind: "dynamiczone",
    components,
    column: snakeCase(source.name),
  });
}

function readCounts(source: AttributeSource): Pick<ZoneAttribute, "min" | "max"> {
  checkOrder(source, ["min", "max"]);
  return { min: countOption(source, "min"), max: countOption(source, "max") };
}
