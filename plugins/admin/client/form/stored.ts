import type { Entry } from "../../src/wire/content.js";
import { attributesOf } from "../app/session.js";
import { isAlike } from "./equal.js";
import { below, type Path } from "./paths.js";
import { isSameItem, isStoredValue } from "./stored-value.js";
import {
  type Attributes,
  attributeAt,
  type Flat,
  flatten,
  hasItems,
  type ItemRef,
  itemsIn,
  type KeyOf,
  keysById,
  type Leaves,
  type Shapes,
} from "./shape.js";

/** A form, and the document that was read again. */
interface ReadAgain {
  readonly shapes: Shapes;
  readonly attributes: Attributes;
  readonly entry: Entry;
  readonly base: Leaves;
  readonly mine: Leaves;
}

/**
 * Takes a document apart that was read again, with the keys that the form has for its items. A new item of the form that
 * the document has by now, with the same values, is the same one: the answer to the save that stored it was lost.
 */
export function flattenAgain({ shapes, attributes, entry, base, mine }: ReadAgain): Flat {
  const byId = keysById(base);
  const plain = flatten(shapes, attributes, entry, byId);
  const found = new Map<string, string>();
  pairBelow({ shapes, mine, stored: plain.leaves, found }, attributes, { mine: "", stored: "" });
  const keyOf: KeyOf = (path, item) => byId(path, item) ?? found.get(placeOf(path, item.id));
  return flatten(shapes, attributes, entry, keyOf);
}

/** What is compared, and the keys that were found. */
interface Pairing {
  readonly shapes: Shapes;
  readonly mine: Leaves;
  readonly stored: Leaves;
  /** Keys of the form's items by the path of their list in the form, and the id that they have got. */
  readonly found: Map<string, string>;
}

const placeOf = (path: Path, id: number): string => `${path} ${id}`;

interface TwoPaths {
  readonly mine: Path;
  readonly stored: Path;
}

function pairBelow(pairing: Pairing, attributes: Attributes, at: TwoPaths): void {
  for (const [name, attribute] of Object.entries(attributes))
    if (hasItems(attribute)) pairItems(pairing, { mine: below(at.mine, name), stored: below(at.stored, name) });
}

function pairItems(pairing: Pairing, at: TwoPaths): void {
  const { shapes, mine, stored, found } = pairing;
  const items = itemsIn(mine, at.mine);
  const taken = new Set<string>();
  for (const other of itemsIn(stored, at.stored)) {
    const known = items.find(({ id, key }) => id === other.id || key === other.key);
    const isIt = (item: (typeof items)[number]) =>
      item.id === null &&
      !taken.has(item.key) &&
      isSameItem(shapes, { sent: [mine, at.mine, item], stored: [stored, at.stored, other] });
    const item = known ?? items.find(isIt);
    if (!item || other.id === null) continue;
    taken.add(item.key);
    found.set(placeOf(at.mine, other.id), item.key);
    const next = { mine: below(at.mine, item.key), stored: below(at.stored, other.key) };
    pairBelow(pairing, attributesOf(shapes, item.component), next);
  }
}

/** What was sent by a save whose answer was lost, and what is stored now. */
interface Unanswered {
  readonly shapes: Shapes;
  readonly attributes: Attributes;
  readonly base: Leaves;
  readonly sent: Leaves;
  readonly mine: Leaves;
  readonly stored: Flat;
}

/**
 * What a form rests on after a save whose answer was lost: where the document has what was sent, that, so that what was
 * typed since then is no change of a value that somebody else wrote.
 */
export function baseAfter({ shapes, attributes, base, sent, mine, stored }: Unanswered): Leaves {
  const result = new Map(base);
  for (const [path, value] of stored.leaves) {
    const attribute = attributeAt(shapes, attributes, stored.leaves, path);
    if (!attribute || !sent.has(path)) continue;
    if (!hasItems(attribute)) {
      // What was not touched since is as the server has it.
      const isUntouched = isAlike(mine.get(path) ?? null, sent.get(path) ?? null);
      if (isStoredValue(attribute, sent.get(path), value)) result.set(path, isUntouched ? mine.get(path) : value);
      continue;
    }
    result.set(path, itemsAfter(itemsIn(base, path), itemsIn(sent, path), itemsIn(stored.leaves, path)));
  }
  return result;
}

/** Items that were sent and are stored are no addition of somebody else; what one side took out is still theirs to compare. */
function itemsAfter(base: Items, sent: Items, stored: Items): Items {
  const has = (items: Items, wanted: ItemRef) => items.some(({ key }) => key === wanted.key);
  const still = stored.filter((item) => has(sent, item) || has(base, item));
  return [...still, ...base.filter((item) => !has(stored, item) && has(sent, item))];
}

type Items = readonly ItemRef[];
