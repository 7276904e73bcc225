import type { AttributeView, TypeView } from "../../../src/wire/model.js";
import { attributesOf, type Session } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { comparisonsOf, type FilterField } from "./operators.js";

/** Fields by their names. */
export type FilterFields = Readonly<Record<string, FilterField>>;

/** The state of a document; no attribute has the name. */
export const STATE = "_state";
const STATES = ["draft", "modified", "published"] as const;

const SYSTEM = { hint: null, placeholder: null, width: 6, isRequired: true, isEditable: false } as const;
const system = (label: string, kind: AttributeView["kind"]): AttributeView => ({
  ...{ ...SYSTEM, label, kind, isVisible: true, isLocalized: false, isUnique: false },
});
const moment = (label: string) => system(label, "datetime");
const state = (): FilterField => ({
  ...{ ...system(t("list.state"), "enumeration"), values: STATES, comparisons: ["in", "ne"] },
  wordsFor: (value) => t(`state.${value as (typeof STATES)[number]}`),
});

/** What a list can be filtered by at its first level: the attributes, the state, and when documents were made and changed. */
export const ownFields = ({ attributes, hasDrafts }: TypeView): FilterFields => ({
  ...attributes,
  ...(hasDrafts ? { [STATE]: state() } : {}),
  updatedAt: moment(t("list.updatedAt")),
  createdAt: moment(t("list.createdAt")),
});

/** What is behind an attribute: of a component its fields, of a relation the values of its target. */
export function innerFields(session: Session, attribute: AttributeView): FilterFields {
  const { kind, component, target } = attribute;
  if (kind === "component") return attributesOf(session, component ?? "");
  if (kind !== "relation") return {};
  const values = Object.entries(attributesOf(session, target ?? "")).filter(([, { kind: inner }]) => isValue(inner));
  return Object.fromEntries(values);
}

const isValue = (kind: AttributeView["kind"]): boolean => !["relation", "component", "media"].includes(kind);

/** Those of some attributes that can be filtered by, or behind which there is one that can. */
export const filterable = (fields: FilterFields): readonly (readonly [string, FilterField])[] =>
  Object.entries(fields).filter(([, view]) => view.isVisible && comparisonsOf(view).length > 0);

/** The attributes at some names, from the first one on; shorter where a name is unknown. */
export function attributesAt(session: Session, type: TypeView, names: readonly string[]): readonly FilterField[] {
  const found: FilterField[] = [];
  let fields = ownFields(type);
  for (const name of names) {
    const attribute = fields[name];
    if (!attribute) break;
    found.push(attribute);
    fields = innerFields(session, attribute);
  }
  return found;
}
