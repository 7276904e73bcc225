import type { App, Statement, writeHooks } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { CODE_BUDGET, parseReadParams } from "@plinth/core/reads";
import type { Attribute, ContentModel, ContentType, Shape } from "@plinth/core/schema";
import { NEWEST } from "./tables.js";

/** How many components deep it is looked: few models have three, and a reader need not follow more. */
const DEEPEST = 6;

/** An event that is to be written; `origin` and `data` as JSON. */
export interface NewEvent {
  readonly type: string;
  readonly uid: string;
  readonly documentId: string;
  readonly locales: readonly string[];
  readonly origin: string;
  readonly data: string | null;
}

/**
 * The statement that writes an event with what is in the document: PostgreSQL builds it from the rows as the write leaves them,
 * by the statement of a read.
 */
export function entryStatement(app: App, write: keyof typeof writeHooks, event: NewEvent): Statement {
  const type = app.model.contentTypes.get(event.uid) as ContentType;
  const read = app.documents(event.uid).statementOf(readOf(app, type, write, event));
  const next = read.values.length;
  const own = ["text", "text", "text", "text[]", "jsonb", "jsonb"].map(
    (kind, index) => `$${next + index + 1}::${kind}`,
  );
  const text = `insert into ${NEWEST} (type, uid, document_id, locales, origin, data, entries) select ${own.join(", ")}, (select r.data::jsonb from (${read.text}) r)`;
  const { type: name, uid, documentId, locales, origin, data } = event;
  return { text, values: [...read.values, name, uid, documentId, locales, origin, data], isPlan: true };
}

function readOf(app: App, type: ContentType, write: keyof typeof writeHooks, { documentId, locales }: NewEvent) {
  const filters = { documentId, ...(type.isLocalized ? { locale: { $in: locales } } : {}) };
  const params = {
    ...{ filters, populate: partsOf(app.model, type), sort: type.isLocalized ? "locale" : "id" },
    ...{ status: write === "publish" || !type.hasDrafts ? "published" : "draft" },
    ...(type.isLocalized ? { locale: "*" } : { fallbackLocale: [] }),
  };
  const options = { visibility: "public", ability: unlimited, kind: "list", defaultStatus: "draft" } as const;
  return parseReadParams(app.model, type, params, { ...options, budget: CODE_BUDGET });
}

/** What a populate says of the attributes of a shape: `{ seo: { populate: { image: true } } }`. */
type Parts = Readonly<Record<string, object | true>>;

/** The parts of each content-type: they stay what they are, and are asked for with every write. */
const known = new WeakMap<ContentType, Parts>();

/** What is in a document beside its scalars: components and media, and what is in those components. */
function partsOf(model: ContentModel, type: ContentType): Parts {
  const parts = known.get(type) ?? partsIn(model, type, []);
  known.set(type, parts);
  return parts;
}

/** @param trail - the components that the shape is in: one that contains itself is not gone into again. */
function partsIn(model: ContentModel, { attributes }: Shape, trail: readonly string[]): Parts {
  const entries = [...attributes.values()].flatMap((attribute) => {
    const part = attribute.isPrivate ? undefined : partOf(model, attribute, trail);
    return part ? [[attribute.name, part] as const] : [];
  });
  return Object.fromEntries(entries);
}

function partOf(model: ContentModel, attribute: Attribute, trail: readonly string[]): object | true | undefined {
  const into = (uid: string) => partOfComponent(model, uid, trail);
  if (attribute.kind === "media") return true;
  if (attribute.kind === "component") return into(attribute.component);
  if (attribute.kind !== "dynamiczone") return undefined;
  return { on: Object.fromEntries(attribute.components.map((uid) => [uid, into(uid)])) };
}

function partOfComponent(model: ContentModel, uid: string, trail: readonly string[]): object | true {
  const component = model.components.get(uid);
  // Beyond that depth a read is refused, and with it the write.
  if (!component || trail.includes(uid) || trail.length >= DEEPEST) return true;
  const populate = partsIn(model, component, [...trail, uid]);
  return Object.keys(populate).length > 0 ? { populate } : true;
}
