import type { Ability, App } from "@plinth/core";
import { CODE_BUDGET, parseReadParams, reachOfDrafts } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import type { Event } from "../contract.js";
import { isOfWrite } from "../outbox.js";

/** An event as clients see it: what happened to which document. */
export interface ShownEvent {
  readonly type: string;
  readonly at: string;
  readonly uid: string;
  readonly documentId: string;
  readonly locales: readonly string[];
}

/** The version of a document that has to be readable. */
type Status = "draft" | "published";

/** An event of a document. */
export type OfDocument = Event & { readonly uid: string; readonly documentId: string };

/** Events of documents of one content-type, and who wants to see them. */
interface Asked {
  readonly app: App;
  readonly ability: Ability;
  readonly type: ContentType;
  readonly events: readonly OfDocument[];
}

/** The locales that may be read of each document. */
type Readable = ReadonlyMap<string, ReadonlySet<string>>;

/** Those that cannot be looked at any more. */
const GONE: ReadonlySet<string> = new Set(["delete", "unpublish"]);
/** Those of a type with drafts that do not touch what is published. */
const OF_DRAFTS: ReadonlySet<string> = new Set(["create", "update", "draft-discard"]);

/**
 * Which events of a content-type a caller may see: those of documents that the caller may read now, of a draft only where that
 * may be read; an event of an app's own is of what is published. What is gone cannot be looked at: it is shown to callers whose reading of the type has no rule. So neither an
 * event nor its absence says more than a read would.
 *
 * @returns by their ids, without who did it, and what is in it; of the locales those that may be read
 */
export async function visibleEvents(asked: Asked): Promise<ReadonlyMap<number, ShownEvent>> {
  const { ability, type, events } = asked;
  const shown = new Map<number, ShownEvent>();
  if (ability.reachOf(`${type.uid}.find`).rows === "nothing") return shown;
  const draft = await readable(asked, "draft");
  const published = await readable(asked, "published");
  for (const event of events) {
    const found = (versionOf(asked, event) === "draft" ? draft : published).get(event.documentId);
    const locales = isGone(asked, event) ? goneLocales(asked, event) : localesOf(type, event, found);
    if (locales) shown.set(event.id, show(event, locales));
  }
  return shown;
}

const show = ({ type, at, uid, documentId }: OfDocument, locales: readonly string[]): ShownEvent => ({
  ...{ type, at, uid, documentId, locales },
});

/** The last part of the type where the event is of a write; undefined for one of an app's own, whose last part may be anything. */
function verbOf({ app: { model }, type }: Pick<Asked, "app" | "type">, event: Event): string | undefined {
  return isOfWrite(model, type, event.type) ? event.type.slice(event.type.lastIndexOf(".") + 1) : undefined;
}

const isGone = (asked: Asked, event: Event): boolean => GONE.has(verbOf(asked, event) ?? "");

/** Which version an event is about: of an app's own it is not known, so it is the one that all readers have. */
const versionOf = (asked: Asked, event: Event): Status =>
  asked.type.hasDrafts && OF_DRAFTS.has(verbOf(asked, event) ?? "") ? "draft" : "published";

/** Of the locales of an event those that were found; undefined where it may not be seen. */
function localesOf(
  { isLocalized }: ContentType,
  { locales }: Event,
  found: ReadonlySet<string> | undefined,
): readonly string[] | undefined {
  if (!found) return undefined;
  const own = locales.filter((locale) => found.has(locale));
  return own.length > 0 || locales.length === 0 || !isLocalized ? own : undefined;
}

/** The same for a version that is gone. Who does not read all drafts gets those that were published alone. */
function goneLocales({ app: { model }, ability, type }: Asked, event: OfDocument): readonly string[] | undefined {
  if (ability.reachOf(`${type.uid}.find`).rows !== "everything") return undefined;
  const { wasPublished = true, publishedLocales = event.locales } = (event.data ?? {}) as {
    readonly wasPublished?: boolean;
    readonly publishedLocales?: readonly string[];
  };
  if (!type.hasDrafts || reachOfDrafts(model, ability, type).rows === "everything") return event.locales;
  return wasPublished ? publishedLocales : undefined;
}

async function readable(asked: Asked, status: Status): Promise<Readable> {
  const { app, ability, type, events } = asked;
  const found = new Map<string, Set<string>>();
  const about = events.filter((event) => !isGone(asked, event) && versionOf(asked, event) === status);
  const isHidden = status === "draft" && reachOfDrafts(app.model, ability, type).rows === "nothing";
  if (about.length === 0 || isHidden) return found;
  const documentIds = [...new Set(about.map(({ documentId }) => documentId))];
  const params = {
    ...{ filters: { documentId: { $in: documentIds } }, status },
    ...(type.isLocalized ? { locale: "*", fields: ["documentId", "locale"] } : { fields: ["documentId"] }),
  };
  const options = { visibility: "public", ability, kind: "list", defaultStatus: "published" } as const;
  const prepared = parseReadParams(app.model, type, params, { ...options, budget: CODE_BUDGET });
  for (const { documentId, locale } of (await app.documents(type.uid).read(prepared)).rows())
    found.set(documentId, (found.get(documentId) ?? new Set()).add(String(locale ?? "")));
  return found;
}
