import type { AttributeView } from "../../src/wire/model.js";
import { attributesOf } from "../app/session.js";
import { below, type Path } from "./paths.js";
import { hasItems, type ItemRef, newKey } from "./shape.js";
import type { FormStore } from "./store.js";

/** A value that is taken from another form: what it is of, and where it stands in both. */
export interface Taken {
  readonly attribute: AttributeView;
  readonly from: Path;
  readonly to: Path;
  readonly value: unknown;
}

/** Two forms, of which one takes values of the other. */
export interface Transfer {
  readonly from: FormStore;
  readonly to: FormStore;
}

/**
 * What a form takes with an attribute of another one: of a component all that is in it, in parts that stay the ones that
 * they are where they are of the same kind. Passwords are not known, and what may not be changed stays.
 */
export function takenOf(forms: Transfer, attribute: AttributeView, from: Path, to: Path): readonly Taken[] {
  if (!attribute.isEditable || attribute.kind === "password") return [];
  if (!hasItems(attribute)) return [{ attribute, from, to, value: forms.from.get(from) ?? null }];
  const own = forms.to.itemsAt(to);
  const items = forms.from.itemsAt(from).map((item, index) => ({ item, next: partFor(own[index], item) }));
  const inside = items.flatMap(({ item, next }) =>
    takenInside(forms, item, below(from, item.key), below(to, next.key)),
  );
  return [...inside, { attribute, from, to, value: items.map(({ next }) => next) }];
}

/** What a form takes with one part of another one, which is a new part at a place of its list. */
export function takenPart(forms: Transfer, attribute: AttributeView, part: TakenPart): readonly Taken[] {
  const { item, from, to, index } = part;
  const next: ItemRef = { key: newKey(), id: null, component: item.component };
  const items = forms.to.itemsAt(to);
  const value = isOne(attribute) ? [next] : [...items.slice(0, index), next, ...items.slice(index)];
  return [...takenInside(forms, item, below(from, item.key), below(to, next.key)), { attribute, from, to, value }];
}

interface TakenPart {
  readonly item: ItemRef;
  /** Paths of the lists. */
  readonly from: Path;
  readonly to: Path;
  readonly index: number;
}

const isOne = ({ kind, isMultiple }: AttributeView): boolean => kind === "component" && !isMultiple;

function takenInside(forms: Transfer, { component }: ItemRef, from: Path, to: Path): readonly Taken[] {
  return Object.entries(attributesOf(forms.to.shapes, component)).flatMap(([name, attribute]) =>
    takenOf(forms, attribute, below(from, name), below(to, name)),
  );
}

const partFor = (own: ItemRef | undefined, { component }: ItemRef): ItemRef =>
  own?.component === component ? own : { key: newKey(), id: null, component };
