import type { Model } from "./model.js";
import type { Body, BoxChange, BoxInput, Change, Step, WriteStep } from "./steps.js";
import { BOX_RELATIONS, endsOf, rowLocale, type Slot, type TypeName } from "./world.js";

/** Which documents there are. */
export type Exists = Model["exists"];

/**
 * A random step without what names documents and components that are not there: those are refused, and teach nothing.
 *
 * @param model - where it is missing, no components are changed by their ids.
 */
export function settle(step: Step, exists: Exists, model?: Model): Step {
  if (step.kind !== "write") return step;
  const { box, shelf, ...rest } = step.body;
  const relations = endsOf(step.type).flatMap(({ name, target }) => {
    const change = rest.relations[name];
    return change ? [[name, settleChange(change, target, exists)] as const] : [];
  });
  const body: Body = {
    ...rest,
    relations: Object.fromEntries(relations),
    ...settledBox(box, step, { exists, model }),
    ...(shelf && { shelf: settledShelf(shelf, step, { exists, model }) }),
  };
  return { ...step, body };
}

function settleChange(change: Change, target: TypeName, exists: Exists): Change {
  const isThere = (slot: Slot) => exists(target, slot);
  if ("set" in change) return { set: change.set.filter(isThere) };
  const { connect, disconnect, place } = change;
  return {
    connect: connect.filter(isThere),
    disconnect: disconnect.filter(isThere),
    place: "slot" in place && !isThere(place.slot) ? { end: "end" } : place,
  };
}

interface Known {
  readonly exists: Exists;
  readonly model: Model | undefined;
}

function settledBox(
  box: BoxChange | undefined,
  { type, slot, locale }: WriteStep,
  { exists, model }: Known,
): { readonly box?: BoxChange } {
  if (box === undefined) return {};
  if (box === null) return { box };
  if ("author" in box) return { box: settleBox(box, exists) };
  const stored = model?.row({ type, slot, locale: rowLocale(model.world[type], locale), status: "draft" })?.box;
  return stored ? { box: { ...box, topics: settleChange(box.topics, BOX_RELATIONS.topics, exists) } } : {};
}

type Shelf = NonNullable<Body["shelf"]>;

function settledShelf(shelf: Shelf, { type, slot }: WriteStep, { exists, model }: Known): Shelf {
  const [versions] = model?.content(type, slot).values() ?? [];
  const { length } = versions?.[model?.main(type) ?? "draft"]?.shelf ?? [];
  return shelf
    .filter((item) => typeof item !== "number" || item < length)
    .map((item) => (typeof item === "number" ? item : settleBox(item, exists)));
}

function settleBox(box: BoxInput, exists: Exists): BoxInput {
  const one = (type: TypeName, slot: Slot | null) => (slot !== null && exists(type, slot) ? slot : null);
  return {
    ...box,
    topics: box.topics.filter((slot) => exists(BOX_RELATIONS.topics, slot)),
    author: one(BOX_RELATIONS.author, box.author),
    article: one(BOX_RELATIONS.article, box.article),
  };
}
