import { type App, NotFoundError } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { FieldRequest, PopulateNode, SelectionRequest } from "@plinth/core/reads";
import {
  type Attribute,
  type Component,
  type ContentModel,
  type ContentType,
  isScalarKind,
  type RelationAttribute,
  type Shape,
} from "@plinth/core/schema";
import { componentIn, type Trail } from "./entry-selection.js";
import { placeOf, prepareOne, readRows } from "./read-entry.js";
import { answerWrite, BY_ADMIN, localeParam, who } from "./write-entry.js";

type Row = Readonly<Record<string, unknown>>;

/** Makes a draft with the values of a document's draft in one locale, as far as the caller may read and write them. */
export async function duplicateEntry(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const place = placeOf(app, request, "find", "create");
  const { type, locale } = place;
  if (type.kind === "singleType") throw new NotFoundError({});
  const reach = place.ability.reachOf(`${type.uid}.create`);
  const writable = reach.rows === "nothing" ? undefined : reach.fields;
  const selection = copiedOf(app.model, type, (name) => writable?.has(name) ?? true);
  const { rows } = await readRows(app, place, prepareOne(app, place, { selection, asStored: true }));
  const [row] = rows;
  if (!row) throw new NotFoundError({});
  const data = inputOf(app.model, type, row);
  const status = type.hasDrafts ? "draft" : "published";
  return await answerWrite(app, place, 201, () =>
    app.documents(type.uid).create({ ...BY_ADMIN, data, status, ...localeParam(locale), ...who(request) }),
  );
}

/** What of a document its copy has: a uid is generated again, and what one document alone may hold stays with it. */
function copiedOf(
  model: ContentModel,
  shape: ContentType | Component,
  isTaken: (name: string) => boolean,
  trail: Trail = [],
): SelectionRequest {
  const taken = [...shape.attributes.values()].filter((each) => isTaken(each.name) && isCopied(each));
  const fields = taken.filter(({ kind }) => isScalarKind(kind)).map(({ name }): FieldRequest => ({ name }));
  return {
    fields: fields.length > 0 ? fields : [{ name: "id" }],
    populate: taken.flatMap((attribute) => nodeOf(model, attribute, trail)),
  };
}

function isCopied(attribute: Attribute): boolean {
  if (!attribute.isWritable) return false;
  if (attribute.kind === "relation" || attribute.kind === "media") return isHeldHere(attribute);
  return attribute.kind !== "uid" && attribute.kind !== "password";
}

const isHeldHere = ({ storage, isExclusive }: RelationAttribute): boolean =>
  ["column", "links", "embedded"].includes(storage) && !isExclusive;

const TARGET: SelectionRequest = { fields: [{ name: "documentId" }], populate: [] };

function nodeOf(model: ContentModel, attribute: Attribute, trail: Trail): readonly PopulateNode[] {
  const { name, kind } = attribute;
  const itemOf = (uid: string) => {
    const component = componentIn(model, uid, trail);
    return component ? [[uid, copiedOf(model, component, () => true, [...trail, uid])] as const] : [];
  };
  switch (kind) {
    case "relation":
    case "media":
      return [{ ...TARGET, name, ...(attribute.target === undefined ? { on: targetsOf(model) } : {}) }];
    case "component":
      return itemOf(attribute.component).map(([, item]) => ({ ...item, name }));
    case "dynamiczone":
      return [{ name, fields: [], populate: [], on: new Map(attribute.components.flatMap(itemOf)) }];
    default:
      return [];
  }
}

/** Of a polymorphic relation the body names the type of each target. */
function targetsOf(model: ContentModel): NonNullable<PopulateNode["on"]> {
  const typed = (uid: string) => ({ ...TARGET, fields: [...TARGET.fields, { constant: uid, alias: "__type" }] });
  return new Map([...model.contentTypes.keys()].map((uid) => [uid, typed(uid)]));
}

/** What copiedOf read, as the body of a write: components without their ids, which makes them new. */
function inputOf(model: ContentModel, shape: Shape, row: Row): Row {
  const { id: _id, ...values } = row;
  const given = Object.entries(values).map(([name, value]) => [
    name,
    inputValueOf(model, shape.attributes.get(name), value),
  ]);
  return Object.fromEntries(given) as Row;
}

function inputValueOf(model: ContentModel, attribute: Attribute | undefined, value: unknown): unknown {
  if (attribute?.kind !== "component" && attribute?.kind !== "dynamiczone") return value;
  const one = (item: Row): Row => {
    const uid = attribute.kind === "component" ? attribute.component : String(item["__component"]);
    const component = model.components.get(uid);
    return component ? inputOf(model, component, item) : item;
  };
  if (Array.isArray(value)) return value.map((item) => one(item as Row));
  return value === null ? null : one(value as Row);
}
