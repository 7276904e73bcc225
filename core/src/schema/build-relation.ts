import { snakeCase } from "../base/case.js";
import { describeKnown } from "../base/suggest.js";
import { attributeBase, checkOptions } from "./attribute-base.js";
import type { Attribute, RelationAttribute, RelationKind } from "./model.js";
import { booleanOption, textOption, textsOption } from "./read-options.js";
import type { AttributeSource } from "./read-options.js";

/** What one form of relation is. */
interface RelationTraits {
  readonly isMany: boolean;
  /** Where an owning side keeps its links; morphOne and morphMany never own any. */
  readonly storage: "column" | "links" | "inverse";
  readonly isPolymorphic: boolean;
  /** Options of a two-way relation that this form can carry. */
  readonly sides: readonly ("inversedBy" | "mappedBy" | "morphBy")[];
}

const RELATIONS: Readonly<Record<RelationKind, RelationTraits>> = {
  oneToOne: { isMany: false, storage: "column", isPolymorphic: false, sides: ["inversedBy", "mappedBy"] },
  oneToMany: { isMany: true, storage: "links", isPolymorphic: false, sides: ["mappedBy"] },
  manyToOne: { isMany: false, storage: "column", isPolymorphic: false, sides: ["inversedBy"] },
  manyToMany: { isMany: true, storage: "links", isPolymorphic: false, sides: ["inversedBy", "mappedBy"] },
  morphToOne: { isMany: false, storage: "column", isPolymorphic: true, sides: [] },
  morphToMany: { isMany: true, storage: "links", isPolymorphic: true, sides: [] },
  morphOne: { isMany: false, storage: "inverse", isPolymorphic: false, sides: ["morphBy"] },
  morphMany: { isMany: true, storage: "inverse", isPolymorphic: false, sides: ["morphBy"] },
};

const SIDES = ["inversedBy", "mappedBy", "morphBy"] as const;
const FILE_GROUPS = ["images", "files", "videos", "audios"];

/** Reads a relation of any of its forms; undefined when the form itself is unknown. The other side is checked later. */
export function buildRelation(source: AttributeSource): RelationAttribute | undefined {
  checkOptions(source, ["relation", "target", ...SIDES]);
  const relation = readForm(source);
  if (relation === undefined) return undefined;
  const traits = RELATIONS[relation];
  const { inversedBy, mappedBy, morphBy } = readSides(source, relation);
  const storage = toStorage(source, traits, mappedBy ?? morphBy);
  return Object.freeze({
    ...attributeBase(source),
    kind: "relation",
    relation,
    target: readTarget(source, traits.isPolymorphic),
    isMany: traits.isMany,
    isPolymorphic: traits.isPolymorphic,
    storage,
    inversedBy,
    mappedBy: mappedBy ?? morphBy,
    column: storage === "column" ? snakeCase(source.name) : undefined,
    isExclusive: relation === "oneToOne" && (inversedBy ?? mappedBy) !== undefined,
    allowedTypes: [],
  });
}

/** Reads a media attribute: a one-way relation to files. */
export function buildMedia(source: AttributeSource): RelationAttribute {
  checkOptions(source, ["multiple", "allowedTypes"]);
  const relation = booleanOption(source, "multiple") ? "manyToMany" : "manyToOne";
  const storage = toStorage(source, RELATIONS[relation], undefined);
  const allowedTypes = textsOption(source, "allowedTypes");
  for (const group of allowedTypes.filter((group) => !FILE_GROUPS.includes(group))) {
    source.report("allowedTypes", `"${group}" is not a group of files.`, `Use one of: ${FILE_GROUPS.join(", ")}.`);
  }
  return Object.freeze({
    ...attributeBase(source),
    kind: "media",
    relation,
    target: source.owner.fileType,
    isMany: RELATIONS[relation].isMany,
    isPolymorphic: false,
    storage,
    inversedBy: undefined,
    mappedBy: undefined,
    column: storage === "column" ? snakeCase(source.name) : undefined,
    isExclusive: false,
    allowedTypes,
  });
}

/** The virtual relation of a localised type to the other locales of the same document. */
export function buildLocalizations(uid: string): RelationAttribute {
  const link = { name: "localizations", relation: "oneToMany", target: uid } as const;
  return Object.freeze({ ...VIRTUAL, ...link, isPolymorphic: false, storage: "locales" });
}

/** The virtual relation of files to the documents that use them. */
export function buildRelated(): RelationAttribute {
  const link = { name: "related", relation: "morphToMany", target: undefined } as const;
  return Object.freeze({ ...VIRTUAL, ...link, isPolymorphic: true, storage: "uses" });
}

/** Read-only, and not in any schema file. */
const VIRTUAL = {
  kind: "relation",
  isMany: true,
  required: false,
  isPrivate: false,
  isWritable: false,
  isLocalized: true,
  renamedFrom: undefined,
  inversedBy: undefined,
  mappedBy: undefined,
  column: undefined,
  isExclusive: false,
  allowedTypes: [],
} as const;

/** Whether an attribute is derived from others, and read-only. */
export function isVirtual(attribute: Attribute): boolean {
  return "storage" in attribute && (attribute.storage === "locales" || attribute.storage === "uses");
}

function readForm(source: AttributeSource): RelationKind | undefined {
  const form = source.raw["relation"];
  if (typeof form === "string" && Object.hasOwn(RELATIONS, form)) return form as RelationKind;
  const message = form === undefined ? "The form of the relation is missing." : `There is no relation "${form}".`;
  source.report("relation", message, describeKnown(String(form), Object.keys(RELATIONS)));
  return undefined;
}

function readTarget(source: AttributeSource, isPolymorphic: boolean): string | undefined {
  const target = textOption(source, "target");
  if (isPolymorphic && target !== undefined) {
    source.report("target", "A polymorphic relation may lead to any type.", "Remove the target.");
    return undefined;
  }
  if (!isPolymorphic && target === undefined) {
    source.report(
      "target",
      "The target of the relation is missing.",
      'Name a content-type, such as "api::article.article".',
    );
  }
  return target;
}

type Sides = { readonly [Side in (typeof SIDES)[number]]: string | undefined };

function readSides(source: AttributeSource, relation: RelationKind): Sides {
  const sides = Object.fromEntries(SIDES.map((side) => [side, textOption(source, side)])) as Sides;
  for (const side of SIDES.filter((side) => sides[side] !== undefined)) {
    if (source.owner.shape === "component") {
      source.report(side, "Relations inside components are one-way.", `Remove ${side}.`);
    } else if (!RELATIONS[relation].sides.includes(side)) {
      source.report(side, `A ${relation} has no ${side}.`, SIDE_REMEDIES[side]);
    }
  }
  if (sides.inversedBy && sides.mappedBy) {
    source.report(
      "mappedBy",
      "One side cannot both own a relation (inversedBy) and mirror it (mappedBy).",
      "Remove one of the two.",
    );
  }
  if (RELATIONS[relation].sides[0] === "morphBy" && sides.morphBy === undefined) {
    source.report("morphBy", `A ${relation} does not say which attribute of its target it mirrors.`, "Add morphBy.");
  }
  return sides;
}

const SIDE_REMEDIES = {
  inversedBy: "Put inversedBy on the owning side (manyToOne, oneToOne or manyToMany) and mappedBy on the other.",
  mappedBy: "Put mappedBy on the side that mirrors (oneToMany, oneToOne or manyToMany).",
  morphBy: "morphBy belongs to morphOne and morphMany.",
} as const;

function toStorage(
  source: AttributeSource,
  traits: RelationTraits,
  mirrored: string | undefined,
): RelationAttribute["storage"] {
  if (source.owner.shape === "component") return "embedded";
  return mirrored === undefined ? traits.storage : "inverse";
}
