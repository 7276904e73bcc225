import type { NamedDocuments, RelatedEntry } from "../../../src/wire/content.js";
import type { VersionContent } from "../../../src/wire/history.js";
import type { AttributeView } from "../../../src/wire/model.js";
import { attributesOf } from "../../app/session.js";
import {
  type Attributes,
  flatten,
  hasItems,
  itemsIn,
  type KeyOf,
  keysById,
  type Leaves,
  type Shapes,
} from "../../form/shape.js";

type Data = Readonly<Record<string, unknown>>;

/** A version as forms have their documents. */
export interface ReadVersion {
  readonly version: VersionContent;
  readonly leaves: Leaves;
  /** The attributes that are in it: newer ones are not. */
  readonly names: ReadonlySet<string>;
}

/** What a version is read with. */
interface VersionParts {
  readonly shapes: Shapes;
  readonly attributes: Attributes;
  readonly names: NamedDocuments;
  /** A form, or another version, whose items keep their keys in this one. */
  readonly like: Leaves;
}

interface Target {
  readonly documentId: string;
  readonly __type?: string;
}

/** Takes a version apart. */
export function versionLeaves({ shapes, attributes, names, like }: VersionParts, version: VersionContent): ReadVersion {
  const entry = named(shapes, attributes, version.data, names);
  const { leaves } = flatten(shapes, attributes, entry, keysLike(like, version.data));
  return { version, leaves, names: new Set(Object.keys(version.data)) };
}

/** Items by their ids; where a document got new ones meanwhile, as by a publication, by their places. */
function keysLike(like: Leaves, data: Data): KeyOf {
  const byId = keysById(like);
  const ids = idsByName(data);
  return (path, item) => {
    const known = byId(path, item);
    if (known !== undefined) return known;
    const items = itemsIn(like, path);
    const own = ids.get(path.slice(path.lastIndexOf(".") + 1));
    if (items.some(({ id }) => id !== null && own?.has(id))) return undefined;
    const there = items[item.index];
    return there?.component === item.component && there.id !== null ? there.key : undefined;
  };
}

/** Ids of components, by the name of the attribute that holds them. */
function idsByName(data: Data, found = new Map<string, Set<number>>()): ReadonlyMap<string, ReadonlySet<number>> {
  for (const [name, value] of Object.entries(data))
    for (const part of [value].flat()) {
      if (typeof part !== "object" || part === null) continue;
      const { id } = part as { readonly id?: unknown };
      if (typeof id === "number") found.set(name, (found.get(name) ?? new Set()).add(id));
      idsByName(part as Data, found);
    }
  return found;
}

/** What a version links to, files apart. */
export function targetsIn(
  shapes: Shapes,
  attributes: Attributes,
  data: Data,
): {
  readonly documents: readonly { readonly uid: string; readonly documentId: string }[];
  readonly files: readonly string[];
} {
  const documents = new Map<string, { readonly uid: string; readonly documentId: string }>();
  const files = new Set<string>();
  const walk = (known: Attributes, values: Data) => {
    for (const [name, attribute] of Object.entries(known)) {
      const value = values[name] ?? null;
      if (hasItems(attribute))
        for (const item of partsOf(value)) walk(attributesOf(shapes, componentOf(attribute, item)), item);
      if (attribute.kind === "media") for (const { documentId } of targetsOf(value)) files.add(documentId);
      if (attribute.kind !== "relation") continue;
      for (const target of targetsOf(value)) {
        const uid = attribute.target ?? target.__type ?? "";
        documents.set(`${uid} ${target.documentId}`, { uid, documentId: target.documentId });
      }
    }
  };
  walk(attributes, data);
  return { documents: [...documents.values()], files: [...files] };
}

const listOf = <T>(value: unknown): readonly T[] =>
  value === null ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];
const partsOf = (value: unknown) => listOf<Data>(value);
const targetsOf = (value: unknown) => listOf<Target>(value);
const componentOf = ({ component }: AttributeView, item: Data): string =>
  String(item["__component"] ?? component ?? "");

/** The values of a version, with the names of what they link to, as the server sends those of documents. */
function named(shapes: Shapes, attributes: Attributes, data: Data, names: NamedDocuments): Data {
  const related = new Map(names.data.map((entry) => [`${entry.uid} ${entry.documentId}`, entry]));
  const files = new Map(names.files.map((file) => [file.documentId, file]));
  const shownAs = (attribute: AttributeView, value: unknown): unknown => {
    if (hasItems(attribute)) {
      const items = partsOf(value).map((item) => ({
        ...item,
        ...inside(attributesOf(shapes, componentOf(attribute, item)), item),
      }));
      return Array.isArray(value) ? items : (items[0] ?? null);
    }
    if (attribute.kind === "media") {
      const found = targetsOf(value).flatMap(({ documentId }) => files.get(documentId) ?? []);
      return attribute.isMultiple ? found : (found[0] ?? null);
    }
    if (attribute.kind !== "relation") return value;
    const items = targetsOf(value).map((target) => {
      const uid = attribute.target ?? target.__type ?? "";
      return related.get(`${uid} ${target.documentId}`) ?? nameless(uid, target.documentId);
    });
    return { total: items.length, items };
  };
  const inside = (known: Attributes, values: Data): Data =>
    Object.fromEntries(
      Object.entries(known).flatMap(([name, attribute]) =>
        name in values ? [[name, shownAs(attribute, values[name] ?? null)]] : [],
      ),
    );
  return inside(attributes, data);
}

const nameless = (uid: string, documentId: string): RelatedEntry => ({
  ...{ uid, documentId, id: 0, locale: null, title: documentId, subtitle: null, picture: null, state: "draft" },
});
