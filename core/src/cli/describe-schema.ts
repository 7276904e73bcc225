import type { Attribute, Component, ContentModel, ContentType } from "../schema/model.js";
import { TypeUnknownError } from "./errors.js";
import { table } from "./terminal.js";

/**
 * The content-types and components of a model, or the one that is asked for.
 *
 * @throws PLINTH_CLI_TYPE_UNKNOWN
 */
export function pickShapes({ contentTypes, components }: ContentModel, uid: string | undefined): readonly AnyShape[] {
  const all: readonly AnyShape[] = [...contentTypes.values(), ...components.values()];
  const picked = all.filter((shape) => uid === undefined || shape.uid === uid);
  if (uid !== undefined && picked.length === 0)
    throw new TypeUnknownError({ uid, known: ["plan", "apply", ...all.map((shape) => shape.uid)] });
  return picked;
}

/** Two tables: content-types and components, then their attributes. */
export function describeSchema(shapes: readonly AnyShape[]): string {
  const attributes = shapes.flatMap((shape) =>
    [...shape.attributes.values()].map((attribute) => [
      shape.uid,
      attribute.name,
      attribute.kind,
      detailsOf(attribute, shape).join(", "),
    ]),
  );
  return [
    table(["TYPE", "KIND", "TABLE", "DRAFTS", "LOCALES"], shapes.map(describeShape)),
    table(["TYPE", "ATTRIBUTE", "KIND", "WHAT"], attributes),
  ].join("\n\n");
}

/** The same as data: lists of what the model keeps by name. */
export function schemaAsJson(shapes: readonly AnyShape[]): object {
  return shapes.map((shape) => {
    const { attributes, file: _, ...facts } = shape;
    const own = "systemFields" in facts ? { ...facts, systemFields: [...facts.systemFields.keys()] } : facts;
    return { ...own, attributes: [...attributes.values()] };
  });
}

type AnyShape = ContentType | Component;

function describeShape(shape: AnyShape): readonly string[] {
  if (shape.shape === "component") return [shape.uid, "component", "-", "-", "-"];
  const { uid, kind, table: name, hasDrafts, isLocalized } = shape;
  return [uid, kind, name, hasDrafts ? "yes" : "-", isLocalized ? "yes" : "-"];
}

function detailsOf(attribute: Attribute, shape: AnyShape): readonly string[] {
  const isOfLocale = shape.shape === "content-type" && shape.isLocalized && attribute.isLocalized;
  const common = [
    ...(attribute.required ? ["required"] : []),
    ...(attribute.isPrivate ? ["private"] : []),
    ...(isOfLocale ? ["localised"] : []),
  ];
  return [...kindDetailsOf(attribute), ...common];
}

function kindDetailsOf(attribute: Attribute): readonly string[] {
  switch (attribute.kind) {
    case "relation":
    case "media":
      return [`${attribute.isMany ? "many" : "one"} of ${attribute.target ?? "any type"}`];
    case "component":
      return [`${attribute.repeatable ? "list of " : ""}${attribute.component}`];
    case "dynamiczone":
      return [attribute.components.join(" | ")];
    default:
      return [
        ...(attribute.values.length > 0 ? [attribute.values.join(" | ")] : []),
        ...(attribute.unique ? ["unique"] : []),
        ...(attribute.defaultValue === undefined ? [] : [`default ${JSON.stringify(attribute.defaultValue)}`]),
      ];
  }
}
