import type { Document } from "@plinth/core";
import type { Box, Status } from "./content.js";
import type { At, Model } from "./model.js";
import { BOX_RELATIONS, endsOf, LOCALES, type Name, SLOTS, type Slot, type TypeName } from "./world.js";

/** What is shown of a version: values, components, and for each relation the versions it leads to, in order. */
export type Shown = Readonly<Record<string, unknown>>;

/** Everything that the API shows of one type in one status, sorted by document and locale. */
export function expectedOf(model: Model, type: TypeName, status: Status): readonly Shown[] {
  const locales = model.world[type].isLocalized ? [...LOCALES].sort() : [""];
  return renumber(
    SLOTS.flatMap((slot) => locales.map((locale) => ({ type, slot, locale, status })))
      .filter((at) => model.row(at))
      .map((at) => expectedRow(model, at)),
  );
}

function expectedRow(model: Model, at: At): Shown {
  const row = model.row(at);
  const show = (type: TypeName, slots: readonly (Slot | null)[]) =>
    slots.flatMap((slot) => {
      const locale = model.shownLocale(at.type, at.locale, type);
      return slot === null ? [] : targetText(model, at.status, { type, slot, locale });
    });
  const box = ({ key, label, topics, author, article }: Box): Shown => ({
    id: key,
    label,
    topics: show(BOX_RELATIONS.topics, topics),
    author: show(BOX_RELATIONS.author, [author]),
    article: show(BOX_RELATIONS.article, [article]),
  });
  const ends = endsOf(at.type).map((end) => {
    const targets = model.targets(at, end);
    return [end.name, targets.flatMap((target) => targetText(model, at.status, { ...target, type: end.target }))];
  });
  const others = [...model.content(at.type, at.slot).keys()].filter((locale) => locale !== at.locale).sort();
  return {
    name: nameText(at),
    locale: at.locale,
    title: row?.title,
    code: row?.code,
    box: row?.box ? box(row.box) : null,
    shelf: row?.shelf.map(box),
    ...Object.fromEntries(ends),
    localizations: others.filter((locale) => model.row({ ...at, locale })),
  };
}

/** The version that a relation of a row leads to; nothing when the target has none in the status and locale. */
function targetText(model: Model, status: Status, target: Omit<At, "status">): readonly string[] {
  const row = model.row({ ...target, status });
  return row ? [`${nameText(target)} "${row.title}"`] : [];
}

const nameText = ({ type, slot, locale }: Name & { readonly locale: string }): string =>
  `${type}${slot}${locale && ` ${locale}`}`;

/** Which document an id belongs to. */
export type Names = ReadonlyMap<string, Name>;

/** What the app shows, in the form of `expectedOf`. */
export function seenOf(documents: readonly Document[], names: Names): readonly Shown[] {
  const rows = documents.map((document) => seenRow(document, names));
  return renumber(rows.sort((a, b) => (`${a["name"]}` < `${b["name"]}` ? -1 : 1)));
}

function seenRow(document: Document, names: Names): Shown {
  const name = names.get(document.documentId);
  const show = (value: unknown) => listOf(value).map((target) => seenTarget(target, names));
  const box = (item: Document): Shown => ({
    id: item.id,
    label: item["label"],
    ...Object.fromEntries(Object.keys(BOX_RELATIONS).map((relation) => [relation, show(item[relation])])),
  });
  const ends = name ? endsOf(name.type).map((end) => [end.name, show(document[end.name])]) : [];
  return {
    name: seenName(document, names),
    locale: document["locale"] ?? "",
    title: document["title"],
    code: document["code"],
    box: document["box"] ? box(document["box"] as Document) : null,
    shelf: listOf(document["shelf"]).map(box),
    ...Object.fromEntries(ends),
    localizations: listOf(document["localizations"])
      .map(({ locale }) => String(locale))
      .sort(),
  };
}

const seenTarget = (target: Document, names: Names): string => `${seenName(target, names)} "${target["title"]}"`;

function seenName(document: Document, names: Names): string {
  const name = names.get(document.documentId);
  if (name === undefined) return `unknown ${document.documentId}`;
  return nameText({ ...name, locale: String(document["locale"] ?? "") });
}

const listOf = (value: unknown): readonly Document[] => [value ?? []].flat() as Document[];

/**
 * Ids of components are the app's own; what counts is which of them are the same. So they become numbers in the order
 * in which they come.
 */
function renumber(rows: readonly Shown[]): readonly Shown[] {
  const numbers = new Map<unknown, number>();
  const one = (value: unknown): unknown => {
    const { id } = value as { readonly id: unknown };
    if (!numbers.has(id)) numbers.set(id, numbers.size);
    return { ...(value as object), id: numbers.get(id) };
  };
  return rows.map((row) => ({
    ...row,
    box: row["box"] && one(row["box"]),
    shelf: (row["shelf"] as readonly unknown[]).map(one),
  }));
}

/** What has to be populated to see all of a type. */
export function populateOf(type: TypeName): Readonly<Record<string, unknown>> {
  const inBox = { populate: Object.fromEntries(Object.keys(BOX_RELATIONS).map((name) => [name, true])) };
  const ends = endsOf(type).map(({ name }) => [name, true]);
  return { ...Object.fromEntries(ends), box: inBox, shelf: inBox };
}
