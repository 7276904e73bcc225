import type { Model } from "./model.js";
import type { Body, BoxChange, BoxInput, Change, Step, WriteStep } from "./steps.js";
import { BOX_RELATIONS, endsOf, rowLocale, type Slot, type TypeName } from "./world.js";

/** A random step without what names documents and components that are not there: those are refused, and teach nothing. */
export function settle(step: Step, model: Model): Step {
  if (step.kind !== "write") return step;
  const { box, shelf, ...rest } = step.body;
  const relations = endsOf(step.type).flatMap(({ name, target }) => {
    const change = rest.relations[name];
    return change ? [[name, settleChange(change, target, model)] as const] : [];
  });
  const body: Body = {
    ...rest,
    relations: Object.fromEntries(relations),
    ...settledBox(box, step, model),
    ...(shelf && { shelf: settledShelf(shelf, step, model) }),
  };
  return { ...step, body };
}

function settleChange(change: Change, target: TypeName, model: Model): Change {
  const isThere = (slot: Slot) => model.exists(target, slot);
  if ("set" in change) return { set: change.set.filter(isThere) };
  const { connect, disconnect, place } = change;
  return {
    connect: connect.filter(isThere),
    disconnect: disconnect.filter(isThere),
    place: "slot" in place && !isThere(place.slot) ? { end: "end" } : place,
  };
}

function settledBox(box: BoxChange | undefined, step: WriteStep, model: Model): { readonly box?: BoxChange } {
  if (box === undefined) return {};
  if (box === null) return { box };
  if ("author" in box) return { box: settleBox(box, model) };
  const { type, slot } = step;
  const locale = rowLocale(model.world[type], step.locale);
  const isThere = model.row({ type, slot, locale, status: "draft" })?.box;
  return isThere ? { box: { ...box, topics: settleChange(box.topics, BOX_RELATIONS.topics, model) } } : {};
}

type Shelf = NonNullable<Body["shelf"]>;

function settledShelf(shelf: Shelf, { type, slot }: WriteStep, model: Model): Shelf {
  const [versions] = model.content(type, slot).values();
  const { length } = versions?.[model.main(type)]?.shelf ?? [];
  return shelf
    .filter((item) => typeof item !== "number" || item < length)
    .map((item) => (typeof item === "number" ? item : settleBox(item, model)));
}

function settleBox(box: BoxInput, model: Model): BoxInput {
  const one = (type: TypeName, slot: Slot | null) => (slot !== null && model.exists(type, slot) ? slot : null);
  return {
    ...box,
    topics: box.topics.filter((slot) => model.exists(BOX_RELATIONS.topics, slot)),
    author: one(BOX_RELATIONS.author, box.author),
    article: one(BOX_RELATIONS.article, box.article),
  };
}
