import { describeKnown } from "../base/suggest.js";
import { isScalarKind, SCALAR_TRAITS } from "./attribute.js";
import { buildComponentAttribute, buildZone } from "./build-component-attribute.js";
import { buildMedia, buildRelation } from "./build-relation.js";
import { buildScalar } from "./build-scalar.js";
import type { Attribute, AttributeKind, ScalarKind } from "./model.js";
import type { RawShape } from "./raw.js";
import { isRecord } from "./read-options.js";
import type { AttributeSource, OwnerSource } from "./read-options.js";
import { type Report, reportAttribute } from "./errors.js";

type Builder = (source: AttributeSource) => Attribute | undefined;

const BUILDERS: Readonly<Record<Exclude<AttributeKind, ScalarKind>, Builder>> = {
  relation: buildRelation,
  media: buildMedia,
  component: buildComponentAttribute,
  dynamiczone: buildZone,
};

const KINDS = [...Object.keys(SCALAR_TRAITS).filter(isScalarKind), ...Object.keys(BUILDERS)];

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Reserved names: the server's own keys, and keys of JavaScript's objects. */
const RESERVED = ["id", "documentId", "constructor", "prototype"];
/** Names of what every row of a content-type has. */
const RESERVED_IN_TYPES = [
  ...["createdAt", "updatedAt", "publishedAt", "createdBy", "updatedBy"],
  ...["locale", "localizations", "status", "meta"],
];

/** Reads the attributes of a content-type or component, in the order of the file, reporting every problem of each. */
export function buildAttributes(raw: RawShape, owner: OwnerSource, report: Report): Map<string, Attribute> {
  const attributes = new Map<string, Attribute>();
  if (raw.attributes !== undefined && !isRecord(raw.attributes)) {
    report("attributes", "The attributes are not an object.", 'Write "attributes": { "title": { "type": "string" } }.');
    return attributes;
  }
  for (const [name, value] of Object.entries(raw.attributes ?? {})) {
    const attribute = buildAttribute(name, value, owner, reportAttribute(report, name));
    if (attribute) attributes.set(name, attribute);
  }
  checkTargetFields(attributes, report);
  checkRenames(attributes, report);
  return attributes;
}

function buildAttribute(name: string, raw: unknown, owner: OwnerSource, report: Report): Attribute | undefined {
  checkName(name, owner, report);
  if (!isRecord(raw)) {
    report("", "The attribute is not an object.", 'Write an object with a type, such as { "type": "string" }.');
    return undefined;
  }
  const kind = String(raw["type"]);
  const source: AttributeSource = { name, raw, owner, report };
  if (isScalarKind(kind)) return buildScalar(source, kind);
  if (Object.hasOwn(BUILDERS, kind)) return BUILDERS[kind as keyof typeof BUILDERS](source);
  const message = raw["type"] === undefined ? "The type is missing." : `There is no attribute type "${kind}".`;
  report("type", message, describeKnown(kind, KINDS));
  return undefined;
}

function checkName(name: string, owner: OwnerSource, report: Report): void {
  const reserved = owner.shape === "content-type" ? [...RESERVED, ...RESERVED_IN_TYPES] : RESERVED;
  if (reserved.includes(name)) {
    report("", `The name "${name}" is the server's own.`, "Give the attribute another name.");
  } else if (!NAME.test(name)) {
    report("", `"${name}" is not a name for an attribute.`, "Use letters, digits and _, beginning with a letter.");
  }
}

function checkTargetFields(attributes: ReadonlyMap<string, Attribute>, report: Report): void {
  for (const attribute of attributes.values()) {
    if (attribute.kind !== "uid" || attribute.targetField === undefined) continue;
    const target = attributes.get(attribute.targetField);
    if (target?.kind === "string" || target?.kind === "text") continue;
    const message = target
      ? `"${target.name}" is of type ${target.kind}.`
      : `There is no attribute "${attribute.targetField}".`;
    report(`attributes.${attribute.name}.targetField`, message, "Name a string or text attribute of this schema.");
  }
}

function checkRenames(attributes: ReadonlyMap<string, Attribute>, report: Report): void {
  const claimed = new Set<string>();
  for (const { name, renamedFrom } of attributes.values()) {
    if (renamedFrom === undefined) continue;
    const path = `attributes.${name}.renamedFrom`;
    if (attributes.has(renamedFrom)) {
      report(path, `The attribute "${renamedFrom}" still exists.`, "Remove the old attribute, or this renamedFrom.");
    } else if (claimed.has(renamedFrom)) {
      report(path, `Two attributes were renamed from "${renamedFrom}".`, "Only one of them can keep its data.");
    }
    claimed.add(renamedFrom);
  }
}
