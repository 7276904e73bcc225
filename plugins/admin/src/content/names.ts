import { type Ability, type App, type ServiceRef, serviceRef } from "@plinth/core";
import { reachOfDrafts } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import type { Person } from "../wire/account.js";
import type { RelatedEntry } from "../wire/content.js";
import { personOf } from "./facts.js";
import { readByIds } from "./read-by-ids.js";
import { relatedOf, relatedRequest } from "./related.js";
import { isShown } from "./shown-types.js";

/** A document in a locale, as something else keeps it. */
export interface NamedPlace {
  readonly uid: string;
  readonly documentId: string;
  /** Null, and the empty string: the type has none. */
  readonly locale: string | null;
}

/** Names what lists of the page are about, for plugins that keep ids of documents and of administrators. */
export interface Names {
  /**
   * The documents that an ability sees on the page, in the order of the places; undefined for the others, and for those that
   * are not there. One read for each content-type and locale.
   */
  documents(ability: Ability, places: readonly NamedPlace[]): Promise<readonly (RelatedEntry | undefined)[]>;
  /** Administrators by their documentId. */
  people(documentIds: readonly string[]): Promise<ReadonlyMap<string, Person>>;
}

/** The service `plugin::admin.names`, which other plugins know by that name. */
export const names: ServiceRef<Names> = serviceRef<Names>("plugin::admin.names");

/** Makes the service. */
export const createNames = (app: App): Names => ({
  documents: (ability, places) => namedDocuments(app, ability, places),
  people: (documentIds) => namedPeople(app, documentIds),
});

/** Whether the page has a type for an ability, drafts included. */
export function isOpenType({ model }: Pick<App, "model">, ability: Ability, type: ContentType): boolean {
  return isShown(type) && ability.can(`${type.uid}.find`) && reachOfDrafts(model, ability, type).rows !== "nothing";
}

const keyOf = ({ uid, documentId, locale }: NamedPlace): string => [uid, documentId, locale ?? ""].join(" ");

async function namedDocuments(app: App, ability: Ability, places: readonly NamedPlace[]) {
  const found = new Map<string, RelatedEntry>();
  for (const { uid, locale, documentIds } of groupsOf(places)) {
    const type = app.model.contentTypes.get(uid);
    if (!type || !isOpenType(app, ability, type) || !hasLocale(app, type, locale)) continue;
    const selection = relatedRequest(app.model, type);
    const wanted = { type, documentIds: [...documentIds], selection, locale: locale ?? undefined };
    for (const row of await readByIds(app, ability, wanted)) {
      const entry = relatedOf(row);
      found.set(keyOf(entry), entry);
    }
  }
  return places.map((place) => found.get(keyOf(place)));
}

interface PlaceGroup extends Pick<NamedPlace, "uid" | "locale"> {
  readonly documentIds: Set<string>;
}

function groupsOf(places: readonly NamedPlace[]): Iterable<PlaceGroup> {
  const groups = new Map<string, PlaceGroup>();
  for (const { uid, locale, documentId } of places) {
    const key = [uid, locale ?? ""].join(" ");
    const group = groups.get(key) ?? { uid, locale, documentIds: new Set() };
    group.documentIds.add(documentId);
    groups.set(key, group);
  }
  return groups.values();
}

/** A locale that was taken out of the configuration has no documents that could be read. */
const hasLocale = ({ model }: App, { isLocalized }: ContentType, locale: string | null): boolean =>
  isLocalized ? locale !== null && model.locales.includes(locale) : !locale;

async function namedPeople(app: App, documentIds: readonly string[]): Promise<ReadonlyMap<string, Person>> {
  if (documentIds.length === 0) return new Map();
  const found = await app.documents(ADMINISTRATOR_TYPE).findMany({
    filters: { documentId: { $in: [...new Set(documentIds)] } },
    fields: ["name", "email"],
    pagination: { limit: -1 },
  });
  return new Map(
    found.flatMap((row) => {
      const person = personOf(row as never);
      return person ? [[row.documentId, person] as const] : [];
    }),
  );
}
