import { describeKnown } from "../base/suggest.js";
import { buildComponent, buildContentType } from "./build-content-type.js";
import { checkNames } from "./check-names.js";
import { type Report, reportInto, SchemaInvalidError, type SchemaProblem } from "./errors.js";
import {
  type Component,
  type ContentModel,
  type ContentType,
  type ModelLocales,
  NO_FILE_TYPE,
  type RelationAttribute,
  type RelationKind,
} from "./model.js";
import type { RawModel, RawShape } from "./raw.js";

/** Locale of an app that names none. */
const DEFAULT_LOCALE = "en";

/**
 * Makes the content model from the schemas of the app and its plugins: first each by itself, then their
 * references. Pure; the result is frozen, but for its locales.
 *
 * @throws PLINTH_SCHEMA_INVALID (500) details `{ problems: [{ file, path, message, remedy }] }`: all of all schemas.
 */
export function buildModel(raw: RawModel): ContentModel {
  const problems: SchemaProblem[] = [];
  const reportOf = ({ file, uid }: { readonly file?: string | undefined; readonly uid: string }) =>
    reportInto(problems, file ?? uid);
  const onlyOne = (key: "files" | "authors"): string | undefined => {
    const [first, ...others] = raw.contentTypes.filter((type) => type[key] !== undefined);
    for (const other of others)
      reportOf(other)(key, `${first?.uid} holds the ${key} of this app already.`, "Remove one of the two.");
    return first?.uid;
  };
  const fileType = onlyOne("files");
  const authorType = onlyOne("authors");
  const mediaTarget = fileType ?? NO_FILE_TYPE;
  const components = buildShapes(
    raw.components ?? [],
    (component, report) => buildComponent(component, mediaTarget, report),
    reportOf,
  );
  const contentTypes = buildShapes(
    raw.contentTypes,
    (type, report) => buildContentType(type, { fileType: mediaTarget, authorType }, report),
    reportOf,
  );

  for (const shape of [...contentTypes.values(), ...components.values()]) {
    checkRelations(shape, contentTypes, reportOf(shape));
    checkComponents(shape, components, reportOf(shape));
  }
  checkNames([...contentTypes.values()], reportOf);
  checkCycles(components, reportOf);
  if (problems.length > 0) throw new SchemaInvalidError({ problems });

  const { defaultLocale = DEFAULT_LOCALE, locales = [], fallbacks = new Map() } = raw;
  const { openDrafts = false, tables = [] } = raw;
  return withLocales(
    { contentTypes, components, openDrafts, tables, fileType, authorType },
    { defaultLocale, locales, fallbacks },
  );
}

/** The one part of a model that changes: a locale that is added must not make plans of statements again. */
function withLocales(shapes: Omit<ContentModel, keyof ModelLocales | "useLocales">, first: ModelLocales): ContentModel {
  const complete = ({ defaultLocale, locales, fallbacks = new Map() }: ModelLocales): Required<ModelLocales> =>
    Object.freeze({ defaultLocale, locales: Object.freeze([...new Set([defaultLocale, ...locales])]), fallbacks });
  let current = complete(first);
  return Object.freeze({
    ...shapes,
    get defaultLocale() {
      return current.defaultLocale;
    },
    get locales() {
      return current.locales;
    },
    get fallbacks() {
      return current.fallbacks;
    },
    useLocales: (next: ModelLocales) => {
      current = complete(next);
    },
  });
}

/** Builds each schema under its uid; the second of two with one uid is a problem. */
function buildShapes<Raw extends RawShape, Built>(
  raws: readonly Raw[],
  build: (raw: Raw, report: Report) => Built,
  reportOf: (raw: Raw) => Report,
): ReadonlyMap<string, Built> {
  const shapes = new Map<string, Built>();
  for (const raw of raws) {
    if (shapes.has(raw.uid)) {
      reportOf(raw)("uid", `There are two schemas with the uid "${raw.uid}".`, "Rename or remove one of the two.");
    } else {
      shapes.set(raw.uid, build(raw, reportOf(raw)));
    }
  }
  return shapes;
}

type Components = ReadonlyMap<string, Component>;

/** Checks that the components which a content-type or component uses exist. */
function checkComponents(shape: ContentType | Component, components: Components, report: Report): void {
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
function checkCycles(components: Components, reportOf: (component: Component) => Report): void {
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

type Types = ReadonlyMap<string, ContentType>;

/** The form that the other side of a two-way relation has. */
const OTHER_SIDE: Partial<Record<RelationKind, RelationKind>> = {
  oneToOne: "oneToOne",
  oneToMany: "manyToOne",
  manyToOne: "oneToMany",
  manyToMany: "manyToMany",
};

/** Checks the relations of a content-type or component: their targets exist, and both sides agree. */
function checkRelations(shape: ContentType | Component, types: Types, report: Report): void {
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
