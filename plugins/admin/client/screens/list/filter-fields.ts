import type { AttributeView, TypeView } from "../../../src/wire/model.js";
import { attributesOf, type Session } from "../../app/session.js";
import type { Attributes } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { comparisonsOf } from "./operators.js";

const SYSTEM = { hint: null, placeholder: null, width: 6, isRequired: true, isEditable: false } as const;
const moment = (label: string): AttributeView => ({
  ...{ ...SYSTEM, label, kind: "datetime", isVisible: true, isLocalized: false, isUnique: false },
});

/** What a list can be filtered by at its first level: the attributes, and when documents were made and changed. */
export const ownFields = ({ attributes }: TypeView): Attributes => ({
  ...attributes,
  updatedAt: moment(t("list.updatedAt")),
  createdAt: moment(t("list.createdAt")),
});

/** What is behind an attribute: of a component its fields, of a relation the values of its target. */
export function innerFields(session: Session, attribute: AttributeView): Attributes {
  const { kind, component, target } = attribute;
  if (kind === "component") return attributesOf(session, component ?? "");
  if (kind !== "relation") return {};
  const values = Object.entries(attributesOf(session, target ?? "")).filter(([, { kind: inner }]) => isValue(inner));
  return Object.fromEntries(values);
}

const isValue = (kind: AttributeView["kind"]): boolean => !["relation", "component", "media"].includes(kind);

/** Those of some attributes that can be filtered by, or behind which there is one that can. */
export const filterable = (attributes: Attributes): readonly (readonly [string, AttributeView])[] =>
  Object.entries(attributes).filter(([, view]) => view.isVisible && comparisonsOf(view).length > 0);

/** The attributes at some names, from the first one on; shorter where a name is unknown. */
export function attributesAt(session: Session, type: TypeView, names: readonly string[]): readonly AttributeView[] {
  const found: AttributeView[] = [];
  let fields = ownFields(type);
  for (const name of names) {
    const attribute = fields[name];
    if (!attribute) break;
    found.push(attribute);
    fields = innerFields(session, attribute);
  }
  return found;
}
