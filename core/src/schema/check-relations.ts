import { describeKnown } from "../base/suggest.js";
import type { Component, ContentType, RelationAttribute, RelationKind } from "./model.js";
import type { Report } from "./schema-problem.js";

type Types = ReadonlyMap<string, ContentType>;

/** The form that the other side of a two-way relation has. */
const OTHER_SIDE: Partial<Record<RelationKind, RelationKind>> = {
  oneToOne: "oneToOne",
  oneToMany: "manyToOne",
  manyToOne: "oneToMany",
  manyToMany: "manyToMany",
};

/** Checks the relations of a content-type or component: their targets exist, and both sides agree. */
export function checkRelations(shape: ContentType | Component, types: Types, report: Report): void {
  for (const attribute of shape.attributes.values()) {
    if (attribute.kind !== "relation" || attribute.target === undefined || attribute.storage === "locales") continue;
    const target = types.get(attribute.target);
    if (target) checkOtherSide(shape, attribute, target, report);
    else reportMissing(attribute, types, report);
  }
}

function reportMissing({ name, target = "" }: RelationAttribute, types: Types, report: Report): void {
  report(
    `attributes.${name}.target`,
    `There is no content-type "${target}".`,
    describeKnown(target, [...types.keys()]),
  );
}

/** Each problem is reported once, at the attribute that names the other. */
function checkOtherSide(
  shape: ContentType | Component,
  attribute: RelationAttribute,
  target: ContentType,
  report: Report,
): void {
  const side = sideOf(attribute);
  const otherName = attribute.inversedBy ?? attribute.mappedBy;
  if (otherName === undefined || shape.shape === "component") return;
  const path = `attributes.${attribute.name}.${side}`;
  const other = target.attributes.get(otherName);
  if (!other) {
    report(
      path,
      `${target.uid} has no attribute "${otherName}".`,
      describeKnown(otherName, [...target.attributes.keys()]),
    );
    return;
  }
  const problem = other.kind === "relation" ? describeMismatch(shape.uid, attribute, other) : "is not a relation";
  if (problem === undefined) return;
  report(
    path,
    `"${otherName}" of ${target.uid} ${problem}.`,
    "Make both sides name each other, with forms that belong together.",
  );
}

function sideOf(attribute: RelationAttribute): "inversedBy" | "mappedBy" | "morphBy" {
  if (attribute.inversedBy !== undefined) return "inversedBy";
  return attribute.relation === "morphOne" || attribute.relation === "morphMany" ? "morphBy" : "mappedBy";
}

/** Why `other` is not the other side of `attribute`, or undefined when it is. */
function describeMismatch(uid: string, attribute: RelationAttribute, other: RelationAttribute): string | undefined {
  const side = sideOf(attribute);
  if (side === "morphBy")
    return other.isPolymorphic ? undefined : `is a ${other.relation}, not a morphToOne or morphToMany`;
  if (other.target !== uid) return `leads to ${other.target ?? "any type"}, not to ${uid}`;
  const expected = OTHER_SIDE[attribute.relation];
  if (other.relation !== expected)
    return `is a ${other.relation}; the other side of a ${attribute.relation} is a ${expected}`;
  const back = side === "inversedBy" ? other.mappedBy : other.inversedBy;
  const backKey = side === "inversedBy" ? "mappedBy" : "inversedBy";
  return back === attribute.name
    ? undefined
    : `has ${backKey} ${back === undefined ? "missing" : `"${back}"`} in place of "${attribute.name}"`;
}
