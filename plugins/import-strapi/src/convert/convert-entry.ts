import type { LoadedLink, LoadedVersion } from "@plinth/core";
import {
  type Attribute,
  cleanJson,
  type ComponentAttribute,
  type ContentModel,
  type ContentType,
  hasNul,
  isRelation,
  parseValue,
  type RelationAttribute,
  type ScalarAttribute,
  type Shape,
  type ZoneAttribute,
} from "@plinth/core/schema";
import type { Issues } from "../issues.js";
import { isObject, isRowId } from "../source/check-line.js";
import { type ExportedEntry, STRAPI } from "../source/export-format.js";
import type { ExportIndex } from "../source/export-index.js";
import { formatsOf, isFileKey, keyOfFile, type StoredFiles } from "../source/stored-files.js";
import { adaptEntry, isSilentKey } from "./known-types.js";
import { UniqueGuard } from "./unique-guard.js";

type Values = Readonly<Record<string, unknown>>;

/** What entries are converted with. */
export interface ConversionContext {
  readonly model: ContentModel;
  readonly index: ExportIndex;
  readonly issues: Issues;
  /** Locales that there will be. */
  readonly locales: ReadonlySet<string>;
  /** Where the bytes of files went; undefined where none were stored. */
  readonly files: StoredFiles | undefined;
  /** Uids of the export's types with drafts. */
  readonly withDrafts: ReadonlySet<string>;
}

/** A holder of attributes while it is converted. */
interface Holder {
  readonly shape: Shape;
  /** Row id, or id of the component. */
  readonly id: number;
  readonly data: Values;
  readonly documentId: string;
}

/** Turns entries of an export into versions of documents. What cannot be converted becomes an issue. */
export class EntryConverter {
  readonly #guard: UniqueGuard;
  /** The highest id of a component so far. */
  highestComponent = 0;

  constructor(private readonly context: ConversionContext) {
    this.#guard = new UniqueGuard(context.model, context.issues);
  }

  /** Undefined, with an issue, for an entry that cannot be here at all. */
  convert(type: ContentType, entry: ExportedEntry): LoadedVersion | undefined {
    this.#reportFormats(type, entry);
    const data = adaptEntry(entry.type, entry.data, this.context);
    const documentId = String(data["documentId"]);
    const reason = this.#reasonAgainst(type, data);
    if (reason !== undefined) {
      this.context.issues.add(type.uid, reason, documentId);
      return undefined;
    }
    const holder = { shape: type, id: entry.id, data, documentId };
    this.#reportUnknown(holder);
    const createdAt = textOf(data["createdAt"] ?? data["updatedAt"]) ?? new Date().toISOString();
    const version = {
      id: entry.id,
      documentId,
      locale: type.isLocalized ? this.#localeOf(data) : "",
      publishedAt: textOf(data["publishedAt"]) ?? (type.hasDrafts ? null : createdAt),
      createdAt,
      updatedAt: textOf(data["updatedAt"]) ?? createdAt,
      values: this.#valuesOf(holder),
      links: this.#linksOf(holder),
    };
    return this.#guard.check(type, version);
  }

  #localeOf(data: Values): string {
    return textOf(data["locale"]) ?? this.context.model.defaultLocale;
  }

  /** Formats of a file that no storage would keep. */
  #reportFormats(type: ContentType, { data }: ExportedEntry): void {
    if (type.uid !== STRAPI.file) return;
    for (const [name, format] of formatsOf(data))
      if (!isFileKey(keyOfFile(format)))
        this.context.issues.add(type.uid, `the format ${name} is left out: ${NO_KEY}`, String(data["documentId"]));
  }

  #reasonAgainst(type: ContentType, data: Values): string | undefined {
    if (type.uid === STRAPI.file && !isFileKey(keyOfFile(data))) return `entries are left out: ${NO_KEY}`;
    const locale = this.#localeOf(data);
    if (!this.context.locales.has(locale)) return `entries in "${locale}" are left out: this app has no such locale`;
    if (!type.isLocalized && locale !== this.context.model.defaultLocale)
      return `entries in "${locale}" are left out: the type is not localised here`;
    const isDraft = this.context.withDrafts.has(type.uid) && (data["publishedAt"] ?? null) === null;
    return isDraft && !type.hasDrafts ? "drafts are left out: the type has no drafts here" : undefined;
  }

  /** Values under names that this app's schema does not have. */
  #reportUnknown({ shape, data, documentId }: Holder): void {
    for (const [name, value] of Object.entries(data)) {
      if (shape.attributes.has(name) || isSilentKey(shape.uid, name) || isNothing(value)) continue;
      this.context.issues.add(
        `${shape.uid}#${name}`,
        "values are left out: there is no such attribute here",
        documentId,
      );
    }
  }

  #valuesOf(holder: Holder): Values {
    const entries = [...holder.shape.attributes.values()].flatMap((attribute) => {
      if (isRelation(attribute)) return [];
      return [[attribute.name, this.#valueOf(holder, attribute)] as const];
    });
    return Object.fromEntries(entries);
  }

  #valueOf(holder: Holder, attribute: Exclude<Attribute, RelationAttribute>): unknown {
    const value = holder.data[attribute.name];
    if (attribute.kind === "component" || attribute.kind === "dynamiczone")
      return this.#componentsOf(holder, attribute, value ?? null);
    const scalar = attribute as ScalarAttribute;
    if (value === undefined) return scalar.defaultValue ?? null;
    const place = { where: `${holder.shape.uid}#${attribute.name}`, documentId: holder.documentId };
    return convertValue(scalar, value, place, this.context.issues);
  }

  #componentsOf(holder: Holder, attribute: ComponentAttribute | ZoneAttribute, value: unknown): unknown {
    const isZone = attribute.kind === "dynamiczone";
    const items = (Array.isArray(value) ? value : value === null ? [] : [value]) as readonly unknown[];
    const stored = items.flatMap((item) => {
      const place = `${holder.shape.uid}#${attribute.name}`;
      if (!isObject(item) || !isRowId(item["id"])) {
        this.context.issues.add(place, "components are left out: they have no id", holder.documentId);
        return [];
      }
      const uid = isZone ? String(item["__component"]) : attribute.component;
      const component = this.context.model.components.get(uid);
      if (component) return [this.#componentOf(holder, component, item, isZone)];
      this.context.issues.add(place, `components are left out: there is no ${uid} here`, holder.documentId);
      return [];
    });
    return isZone || attribute.repeatable ? stored : (stored[0] ?? null);
  }

  #componentOf({ documentId }: Holder, shape: Shape, data: Values, isZone: boolean): Values {
    const id = Number(data["id"]);
    this.highestComponent = Math.max(this.highestComponent, id);
    const holder = { shape, id, data, documentId };
    this.#reportUnknown(holder);
    const links = this.#linksOf(holder);
    const relations = [...shape.attributes.values()].filter(isRelation).map((attribute) => {
      const targets = (links[attribute.name] ?? []).map(({ documentId: target, type }) =>
        attribute.isPolymorphic ? { documentId: target, __type: type } : target,
      );
      return [attribute.name, attribute.isMany ? targets : (targets[0] ?? null)] as const;
    });
    const values = { ...this.#valuesOf(holder), ...Object.fromEntries(relations) };
    const ordered = [...shape.attributes.keys()].map((name) => [name, values[name as keyof typeof values]] as const);
    return { ...(isZone ? { __component: shape.uid } : {}), id, ...Object.fromEntries(ordered) };
  }

  /** What the relations of a holder lead to, each target once, by attribute. */
  #linksOf({ shape, id, documentId }: Holder): Readonly<Record<string, readonly LoadedLink[]>> {
    const links: Record<string, LoadedLink[]> = {};
    for (const { field, targetType, targetRef, position, inversePosition } of this.context.index.linksOf(
      shape.uid,
      id,
    )) {
      const attribute = shape.attributes.get(field) as RelationAttribute;
      const target = this.context.index.documentOf(targetType, targetRef);
      const where = `${shape.uid}#${field}`;
      if (target === undefined) {
        this.context.issues.add(where, `links are left out: the export lacks their target`, documentId);
        continue;
      }
      const type = attribute.isPolymorphic ? targetType : "";
      const list = links[field] ?? [];
      links[field] = list;
      if (list.some((link) => link.documentId === target && link.type === type)) continue;
      if (!attribute.isMany && list.length > 0) {
        this.context.issues.add(where, "links are left out: the relation leads to one document only", documentId);
        continue;
      }
      list.push({ documentId: target, type, position, inversePosition });
    }
    return links;
  }
}

const NO_KEY = "their hash and ext make no name that a file may be stored under";

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Where a value is: what to call its attribute, and its document. */
interface ValuePlace {
  /** `api::article.article#score` */
  readonly where: string;
  readonly documentId: string;
}

/** A value of an export in the form that is stored; null, and an issue, when there is no such form. */
function convertValue(attribute: ScalarAttribute, value: unknown, place: ValuePlace, issues: Issues): unknown {
  if (value === null || value === undefined) return null;
  // Exports hold hashes, which are stored as they are.
  if (attribute.kind === "password") return typeof value === "string" && !hasNul(value) ? value : null;
  const context = { path: [attribute.name], use: "body" as const };
  const isJson = attribute.kind === "json" || attribute.kind === "blocks";
  const parsed = isJson ? cleanJson(value, context) : parseValue(attribute, value, context);
  if (parsed.problems) {
    const reasons = parsed.problems.map(({ message }) => message).join("; ");
    issues.add(place.where, `a value is left out: ${reasons}`, place.documentId);
    return null;
  }
  if (attribute.kind === "decimal" && Number(value) !== parsed.value)
    issues.add(place.where, "a value is rounded: decimals have two digits after the point", place.documentId);
  return parsed.value;
}
