import { isVirtual } from "../../schema/build-relation.js";
import type { Attribute, Component, ContentModel, ContentType, ScalarAttribute, Shape } from "../../schema/model.js";

/**
 * Writes the members of `ContentTypes` and `Components`, in the order of their uids, each with its attributes in the order
 * of the schema file.
 *
 * @returns lines, indented to stand in a `declare module`.
 */
export function declareShapes({ contentTypes, components }: ContentModel): readonly string[] {
  return [
    ...declareInterface("ContentTypes", [...contentTypes.values()].flatMap(declareType)),
    ...declareInterface("Components", [...components.values()].flatMap(declareComponent)),
  ];
}

/** An interface that is merged into; nothing where it has no members. */
export function declareInterface(name: string, members: readonly Member[]): readonly string[] {
  if (members.length === 0) return [];
  const sorted = [...members].sort((a, b) => (a.key < b.key ? -1 : 1));
  return [`  interface ${name} {`, ...sorted.flatMap(({ lines }) => lines), "  }"];
}

/** One member of an interface. */
export interface Member {
  readonly key: string;
  readonly lines: readonly string[];
}

function declareType(type: ContentType): Member {
  return declareShape(type, [`kind: "${type.kind}";`, `drafts: ${type.hasDrafts};`, `localized: ${type.isLocalized};`]);
}

function declareComponent(component: Component): Member {
  return declareShape(component, []);
}

function declareShape({ uid, displayName, attributes }: Shape, facts: readonly string[]): Member {
  const members = [...attributes.values()].map(
    (attribute) => `        ${keyOf(attribute.name)}: ${declare(attribute)};`,
  );
  const list =
    members.length === 0
      ? ["      attributes: Record<never, never>;"]
      : ["      attributes: {", ...members, "      };"];
  const title = `    /** ${displayName.replaceAll("*/", "* /")} */`;
  return {
    key: uid,
    lines: [title, `    ${JSON.stringify(uid)}: {`, ...facts.map((fact) => `      ${fact}`), ...list, "    };"],
  };
}

/** A name as the key of a type: `title`, `"og:title"`. */
export function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function declare(attribute: Attribute): string {
  const marks = [...(attribute.required ? ["required: true"] : []), ...(attribute.isPrivate ? ["private: true"] : [])];
  const facts = [`kind: "${attribute.kind}"`, ...marks, ...factsOf(attribute)];
  return `{ ${facts.join("; ")} }`;
}

function factsOf(attribute: Attribute): readonly string[] {
  switch (attribute.kind) {
    case "relation":
    case "media":
      return [
        ...(attribute.target === undefined ? [] : [`target: ${JSON.stringify(attribute.target)}`]),
        ...(attribute.isMany ? ["many: true"] : []),
        ...(isVirtual(attribute) ? ["derived: true"] : []),
      ];
    case "component":
      return [`component: ${JSON.stringify(attribute.component)}`, ...(attribute.repeatable ? ["many: true"] : [])];
    case "dynamiczone":
      return [`components: ${unionOf(attribute.components)}`];
    default:
      return [
        ...(attribute.kind === "enumeration" ? [`values: ${unionOf(attribute.values)}`] : []),
        ...(isFilled(attribute) ? ["filled: true"] : []),
      ];
  }
}

/** Whether a creation may leave it out although it is required. */
function isFilled({ defaultValue, autoGenerate }: ScalarAttribute): boolean {
  return autoGenerate || (defaultValue !== undefined && defaultValue !== null);
}

function unionOf(texts: readonly string[]): string {
  return texts.length === 0 ? "never" : texts.map((text) => JSON.stringify(text)).join(" | ");
}
