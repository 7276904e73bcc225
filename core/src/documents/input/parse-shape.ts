import { checkValue } from "../../schema/constraints.js";
import type {
  Attribute,
  Component,
  ComponentAttribute,
  RelationAttribute,
  ScalarAttribute,
  Shape,
  ZoneAttribute,
} from "../../schema/model.js";
import { parseValue } from "../../schema/parse-value.js";
import { noObject, problemAt, type ValueProblem, wrongType } from "../../schema/value-problem.js";
import type { ComponentInput, RelationChange } from "../input.js";
import type { BodyContext, ShapePlace } from "./body-context.js";
import { checkCount } from "./check-publishable.js";
import { generateUid } from "./generate-uid.js";
import { isRecord, ownValue } from "./is-record.js";
import { parseRelation } from "./parse-relation.js";

/** The changes of the attributes of one shape in a body. */
export interface ShapeInput {
  readonly scalars: Map<string, unknown>;
  readonly relations: Map<string, RelationChange>;
  readonly components: Map<string, ComponentInput | readonly ComponentInput[] | null>;
}

type Body = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** Reads the values of an object whose keys are checked already, in the order of the schema. */
export function parseShape(shape: Shape, data: Body, place: ShapePlace, context: BodyContext): ShapeInput {
  const input: ShapeInput = { scalars: new Map(), relations: new Map(), components: new Map() };
  // One hidden class for all of them: decision 11.
  const inside: AttributeContext = Object.assign({}, context, { input, scalars: input.scalars });
  for (const attribute of shape.attributes.values()) {
    const at = { path: [...place.path, attribute.name], isNew: place.isNew };
    const given = ownValue(data, attribute.name);
    const made =
      given === undefined && place.isNew ? generateUid(attribute, shape, (name) => ownValue(data, name)) : undefined;
    if (made !== undefined && place.path.length === 0) context.generated.add(attribute.name);
    parseAttribute(attribute, made ?? given, at, inside);
  }
  return input;
}

type AttributeContext = BodyContext & { readonly input: ShapeInput; readonly scalars: Map<string, unknown> };

function parseAttribute(attribute: Attribute, value: unknown, place: ShapePlace, context: AttributeContext): void {
  switch (attribute.kind) {
    case "relation":
    case "media":
      putRelation(attribute, value, place.path, context);
      break;
    case "component":
    case "dynamiczone":
      putComponents(attribute, value, place, context);
      break;
    default:
      parseScalar(attribute, value, place, context);
  }
}

function putRelation(attribute: RelationAttribute, value: unknown, path: Path, context: AttributeContext): void {
  if (value === undefined) return;
  const change = parseRelation(path, value, { attribute, ...context });
  if (change) context.input.relations.set(attribute.name, change);
}

function putComponents(
  attribute: ComponentAttribute | ZoneAttribute,
  value: unknown,
  place: ShapePlace,
  context: AttributeContext,
): void {
  if (value === undefined && !place.isNew) return;
  const isSingle = attribute.kind === "component" && !attribute.repeatable;
  const parsed = isSingle
    ? parseSingle(attribute, value, place.path, context)
    : parseMany(attribute, value, place.path, context);
  if (parsed !== undefined) context.input.components.set(attribute.name, parsed);
}

function parseSingle(
  attribute: ComponentAttribute,
  value: unknown,
  path: Path,
  context: BodyContext,
): ComponentInput | null | undefined {
  const mayMiss = !attribute.required || context.isDraft;
  if (value === undefined) return mayMiss ? undefined : refuse(path, "must be defined.", value, context);
  if (value === null && mayMiss) return null;
  return parseItem(value, path, attribute.component, context);
}

/** Null is refused even in drafts: the empty list is `[]`. */
function parseMany(
  attribute: ComponentAttribute | ZoneAttribute,
  value: unknown,
  path: Path,
  context: BodyContext,
): readonly ComponentInput[] | undefined {
  if (value === undefined) return parseMissing(attribute, path, context);
  if (!Array.isArray(value)) return refuse(path, wrongType("array", value), value, context);
  if (!context.isDraft) context.problems.push(...checkCount(attribute, value, path));
  const items = value.map((item, index) => {
    const itemPath = [...path, String(index)];
    if (!isRecord(item)) return refuseItem(itemPath, item, context);
    return attribute.kind === "component"
      ? parseItem(item, itemPath, attribute.component, context)
      : parseZoneItem(attribute, item, itemPath, context);
  });
  return items.filter((item) => item !== undefined);
}

/** A required list that a draft lacks stays unset, so that publishing can tell it from an empty one. */
function parseMissing(
  attribute: ComponentAttribute | ZoneAttribute,
  path: Path,
  context: BodyContext,
): readonly ComponentInput[] | undefined {
  if (!attribute.required) return [];
  return context.isDraft ? undefined : refuse(path, "must be defined.", undefined, context);
}

function parseZoneItem(zone: ZoneAttribute, item: Body, path: Path, context: BodyContext): ComponentInput | undefined {
  const uid = ownValue(item, "__component");
  const uidPath = [...path, "__component"];
  if (uid === undefined || uid === null || uid === "") return refuse(uidPath, "is a required field", uid, context);
  if (typeof uid === "string" && zone.components.includes(uid)) return parseItem(item, path, uid, context);
  return refuse(uidPath, `must be one of the following values: ${zone.components.join(", ")}`, uid, context);
}

function parseItem(item: unknown, path: Path, uid: string, context: BodyContext): ComponentInput | undefined {
  if (!isRecord(item)) return refuse(path, wrongType("object", item), item, context);
  const component = context.model.components.get(uid) as Component;
  const id = parseComponentId(ownValue(item, "id"), [...path, "id"], context);
  const input = parseShape(component, item, { path, isNew: id === undefined }, context);
  return id === undefined ? { component: uid, ...input } : { component: uid, id, ...input };
}

function parseComponentId(value: unknown, path: Path, context: BodyContext): number | undefined {
  if (value === undefined || value === null) return undefined;
  const parsed = parseValue({ kind: "id" }, value, { path, use: "body" });
  if (!parsed.problems) return parsed.value as number;
  context.problems.push(...parsed.problems);
  return undefined;
}

function refuseItem(path: Path, item: unknown, context: BodyContext): undefined {
  context.problems.push(noObject(path, item));
}

function refuse(path: Path, text: string, value: unknown, context: BodyContext): undefined {
  context.problems.push(problemAt(path, text, value));
}

/** The input for the scalars of one object, and the map for the results. */
type ScalarContext = Pick<BodyContext, "isDraft" | "problems" | "passwords"> & {
  readonly scalars: Map<string, unknown>;
};

/**
 * Reads one scalar: a new object gets the default of what its body does not name; what is absent from an existing
 * one stays as it is.
 */
function parseScalar(attribute: ScalarAttribute, input: unknown, place: ShapePlace, context: ScalarContext): void {
  const given = input === undefined && place.isNew ? attribute.defaultValue : input;
  if (given === undefined && !place.isNew) return;
  const { value, problems } = readScalar(attribute, given, place.path, context.isDraft);
  context.problems.push(...problems);
  if (problems.length > 0 || value === undefined) return;
  context.scalars.set(attribute.name, value);
  if (attribute.kind === "password" && value !== null) {
    context.passwords.push({ scalars: context.scalars, name: attribute.name });
  }
}

function readScalar(
  attribute: ScalarAttribute,
  given: unknown,
  path: readonly string[],
  isDraft: boolean,
): { readonly value?: unknown; readonly problems: readonly ValueProblem[] } {
  const parsed = given === undefined ? { value: undefined } : parseValue(attribute, given, { path, use: "body" });
  const checked = (value: unknown) => checkValue(attribute, value, { path, mode: modeOf(attribute, given, isDraft) });
  if (!parsed.problems) return { value: parsed.value, problems: checked(parsed.value) };
  // An object or list is of the wrong type, and not one of the values: both are reported.
  return attribute.kind === "enumeration" && typeof given === "object"
    ? { problems: [...parsed.problems, ...checked(given)] }
    : parsed;
}

/** A password is fully checked at once: when the draft is published, only its hash is left. */
function modeOf({ kind }: ScalarAttribute, given: unknown, isDraft: boolean): "draft" | "publish" {
  return isDraft && !(kind === "password" && typeof given === "string") ? "draft" : "publish";
}
