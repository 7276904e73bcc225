import { type Attribute, type Component, type ContentType, traitsOf } from "@plinth/core/schema";
import nexus from "nexus";
import { filtersName } from "../names.js";
import { enabledComponents, enabledShape, enabledTypes, type Generation } from "./generation.js";
import { isReadable, isScalar } from "./output-fields.js";

/** The kinds of value that filters compare. */
const KINDS = ["ID", "Boolean", "String", "Int", "Long", "Float", "Date", "Time", "DateTime", "JSON"] as const;

const ONE_VALUE = [
  ...["eq", "eqi", "ne", "nei", "gt", "gte", "lt", "lte"],
  ...["contains", "notContains", "containsi", "notContainsi"],
  ...["startsWith", "startsWithi", "endsWith", "endsWithi"],
];
const SEVERAL_VALUES = ["in", "notIn", "between", "and", "or"];

const operatorsName = (kind: string): string => `${kind}FilterInput`;

/**
 * The operators on each kind of value, such as `StringFilterInput`. An operator that does not fit the value is rejected
 * when it is used.
 */
export function operatorTypes() {
  return KINDS.map((kind) =>
    nexus.inputObjectType({
      name: operatorsName(kind),
      description: `Conditions on a value of type ${kind}; all of them have to hold.`,
      definition(t) {
        for (const operator of ONE_VALUE) t.field(operator, { type: kind });
        for (const operator of SEVERAL_VALUES) t.field(operator, { type: nexus.list(kind) });
        for (const operator of ["null", "notNull"]) t.field(operator, { type: "Boolean" });
        t.field("not", { type: operatorsName(kind) });
      },
    }),
  );
}

/**
 * What lists of a content-type or component are filtered by: its fields, and `and`, `or` and `not`. Where entries of it are in
 * lists themselves, also what some, none or every one of them fulfils; an attribute of such a name goes first.
 */
export function filtersType(generation: Generation, shape: ContentType | Component) {
  const name = filtersName(shape);
  generation.names.claim(name, `the filters of ${shape.uid}`);
  const fields = filterFields(generation, shape);
  for (const [field] of fields)
    if (LOGIC.includes(field)) generation.names.clash(`${name}.${field}`, `its attribute ${field}`, "an operator");
  return nexus.inputObjectType({
    name,
    description: `Conditions on ${shape.displayName}; all of them have to hold.`,
    definition(t) {
      for (const [field, type] of fields) t.field(field, { type });
      t.field("and", { type: nexus.list(name) });
      t.field("or", { type: nexus.list(name) });
      t.field("not", { type: name });
      if (!generation.listed.has(shape.uid)) return;
      for (const [quantifier, description] of QUANTIFIERS)
        if (!shape.attributes.has(quantifier)) t.field(quantifier, { type: name, description });
    },
  });
}

const QUANTIFIERS = [
  ["some", "Below a list: some entry of it fulfils these conditions."],
  ["none", "Below a list: no entry of it fulfils these conditions."],
  ["every", "Below a list: every entry of it fulfils these conditions."],
] as const;

type Shown = Pick<Generation, "model" | "rules">;

/** Uids of the types and components that filters reach through a list. */
export function listFiltered(shown: Shown): ReadonlySet<string> {
  const shapes = [...enabledTypes(shown), ...enabledComponents(shown)];
  const lists = shapes.flatMap((shape) => filteredAttributes(shown, shape)).filter(isList);
  return new Set(lists.flatMap((attribute) => (filterOf(shown, attribute) ? (targetOf(attribute) ?? []) : [])));
}

const isList = (attribute: Attribute): boolean =>
  attribute.kind === "component" ? attribute.repeatable : attribute.kind === "relation" && attribute.isMany;

const LOGIC: readonly string[] = ["and", "or", "not"];

function filterFields(
  generation: Generation,
  shape: ContentType | Component,
): readonly (readonly [field: string, type: string])[] {
  const typed = filteredAttributes(generation, shape).flatMap((attribute) => {
    const type = filterOf(generation, attribute);
    return type === undefined ? [] : [[attribute.name, type] as const];
  });
  return [...systemFilters(shape), ...typed];
}

const filteredAttributes = ({ rules }: Shown, shape: ContentType | Component): readonly Attribute[] =>
  [...shape.attributes.values()].filter(
    (attribute) => isReadable(attribute) && rules.field(shape.uid, attribute.name).hasFilters,
  );

function systemFilters(shape: ContentType | Component): readonly (readonly [string, string])[] {
  if (shape.shape === "component") return [];
  return [
    ["documentId", operatorsName("ID")],
    ...["createdAt", "updatedAt", "publishedAt"].map((name) => [name, operatorsName("DateTime")] as const),
    ...(shape.isLocalized ? [["locale", operatorsName("String")] as const] : []),
  ];
}

/** Zones, media and relations without a type cannot be filtered. @source plugins/content-api/WIRE.md#graphql-types */
function filterOf(shown: Shown, attribute: Attribute): string | undefined {
  if (isScalar(attribute)) return operatorsName(traitsOf(attribute).graphqlScalar);
  const uid = targetOf(attribute);
  const target = uid === undefined || isPolymorphic(attribute) ? undefined : enabledShape(shown, uid);
  return target && filtersName(target);
}

function targetOf(attribute: Attribute): string | undefined {
  if (attribute.kind === "component") return attribute.component;
  return attribute.kind === "relation" ? attribute.target : undefined;
}

const isPolymorphic = (attribute: Attribute): boolean => "isPolymorphic" in attribute && attribute.isPolymorphic;
