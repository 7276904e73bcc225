import type { FieldRequest, Limits, PopulateNode, ReadSelection, SelectionRequest } from "@plinth/core/reads";
import {
  type Attribute,
  type Component,
  type ContentModel,
  type ContentType,
  isScalarKind,
  isVirtual,
  type ScalarKind,
} from "@plinth/core/schema";
import { FILE_FIELDS, fileNode } from "./file-view.js";
import { relationNode } from "./related.js";

/** Documents of a relation that come with the entry itself. */
export const FIRST_RELATED = 10;

/** Pages below the root: relations name theirs, and components are whole. */
export const NESTED_LIMITS: Limits = {
  defaultLimit: FIRST_RELATED,
  maxLimit: Number.MAX_SAFE_INTEGER,
  withCount: false,
};

/** How often a component may stand within itself; what is below that is not read. */
const MAX_NESTED_SELF = 4;

/** Uids of the components that one stands in, the outermost first. */
export type Trail = readonly string[];

/** A component of the model, unless it stands within itself too often. */
export function componentIn(model: ContentModel, uid: string, trail: Trail): Component | undefined {
  return trail.filter((outer) => outer === uid).length < MAX_NESTED_SELF ? model.components.get(uid) : undefined;
}

const known = new WeakMap<ContentModel, Map<ContentType, ReadSelection>>();

/**
 * What a form needs of a document: its values, its components whole, of each relation the first ten and their number, and
 * its files.
 */
export function entrySelection(model: ContentModel, type: ContentType): ReadSelection {
  const ofModel = known.get(model) ?? new Map<ContentType, ReadSelection>();
  known.set(model, ofModel);
  const selection = ofModel.get(type) ?? { ...selectAll(model, type, []), limits: NESTED_LIMITS };
  ofModel.set(type, selection);
  return selection;
}

function selectAll(model: ContentModel, shape: ContentType | Component, trail: Trail): SelectionRequest {
  const attributes = [...shape.attributes.values()];
  return {
    fields: [...systemFieldsOf(shape), ...attributes.flatMap(({ kind, name }) => scalarField(kind, name))],
    populate: attributes.flatMap((attribute) => nodeOf(model, attribute, trail)),
  };
}

/** Fields that every row, or every item of a component, has. */
export function systemFieldsOf(shape: ContentType | Component): readonly FieldRequest[] {
  const names = shape.shape === "component" ? ["id"] : [...shape.systemFields.keys()];
  return names.map((name) => ({ name }));
}

/** A password is never shown. */
const scalarField = (kind: Attribute["kind"], name: string): readonly FieldRequest[] =>
  isScalarKind(kind) && (kind satisfies ScalarKind) !== "password" ? [{ name }] : [];

function nodeOf(model: ContentModel, attribute: Attribute, trail: Trail): readonly PopulateNode[] {
  const { name, kind } = attribute;
  switch (kind) {
    case "relation":
      return isVirtual(attribute) ? [] : [relationNode(model, attribute, FIRST_RELATED)];
    case "media":
      return [{ ...fileNode(model, name, FILE_FIELDS), ...(attribute.isMany ? WHOLE : {}) }];
    case "component": {
      const item = itemOf(model, attribute.component, trail);
      return item ? [{ ...item, name, ...(attribute.repeatable ? WHOLE : {}) }] : [];
    }
    case "dynamiczone": {
      const forms = attribute.components.flatMap((uid) => {
        const item = itemOf(model, uid, trail);
        return item ? [[uid, item] as const] : [];
      });
      return [{ name, fields: [], populate: [], on: new Map(forms) }];
    }
    default:
      return [];
  }
}

/** A list without pages. */
const WHOLE = { pagination: { limit: -1 } };

function itemOf(model: ContentModel, uid: string, trail: Trail): SelectionRequest | undefined {
  const component = componentIn(model, uid, trail);
  return component ? selectAll(model, component, [...trail, uid]) : undefined;
}
