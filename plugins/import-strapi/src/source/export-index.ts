import { type ContentModel, isRelation, type RelationAttribute } from "@plinth/core/schema";
import { type ExportedEnd, type ExportedEntry, type ExportedLink, STRAPI, type StrapiExport } from "./export-format.js";
import type { Issues } from "../issues.js";
import { formatsOf, isFileKey, keyOfFile } from "./stored-files.js";

/** A link of a row or component, as its owner has it. */
export interface OwnedLink {
  readonly field: string;
  readonly targetType: string;
  readonly targetRef: number;
  readonly position: number;
  readonly inversePosition: number | undefined;
}

/** Attributes of links that are redundant, or lead to administrators. */
const WITHOUT_MEANING = new Set(["localizations", "createdBy", "updatedBy", "folder"]);

/** Small types whose entries are needed before the others are written. */
const KEPT: readonly string[] = [STRAPI.role, STRAPI.locale, STRAPI.folder, STRAPI.token, STRAPI.tokenPermission];

/** The index of an export, which is read before its entries are written: the document of each row, and its links. */
export class ExportIndex {
  readonly #documents = new Map<string, Map<number, string>>();
  readonly #links = new Map<string, Map<number, OwnedLink[]>>();
  readonly #highest = new Map<string, number>();
  readonly #kept = new Map<string, ExportedEntry[]>();
  /** By key, such as `photo_1a2b.png`: what is said of the bytes. */
  readonly mimes = new Map<string, string>();
  /** Which token a permission of tokens belongs to, by row ids. */
  readonly tokenOf = new Map<number, number>();
  /** By document id of the export: the document that stands for it here. */
  readonly substitutes = new Map<string, string>();

  /** How many entries a type has, by uid. */
  get totals(): ReadonlyMap<string, number> {
    return new Map([...this.#documents].map(([uid, rows]) => [uid, rows.size]));
  }

  highestId(uid: string): number {
    return this.#highest.get(uid) ?? 0;
  }

  /** All entries of a type that is kept as a whole: roles, locales, folders, tokens. */
  kept(uid: string): readonly ExportedEntry[] {
    return this.#kept.get(uid) ?? [];
  }

  /** The document that a row is a version of; undefined when the export has no such row. */
  documentOf(uid: string, ref: number): string | undefined {
    const documentId = this.#documents.get(uid)?.get(ref);
    return documentId === undefined ? undefined : (this.substitutes.get(documentId) ?? documentId);
  }

  /** The links of a row, or of a component by its own uid and id, in order. */
  linksOf(uid: string, ref: number): readonly OwnedLink[] {
    return this.#links.get(uid)?.get(ref) ?? [];
  }

  /** Takes note of an entry; a file with an invalid name is left out. */
  addEntry(entry: ExportedEntry): void {
    const { type, id, data } = entry;
    if (type === STRAPI.file && !isFileKey(keyOfFile(data))) return;
    entryOf(this.#documents, type, () => new Map<number, string>()).set(id, String(data["documentId"]));
    this.#highest.set(type, Math.max(this.highestId(type), id));
    if (KEPT.includes(type)) entryOf(this.#kept, type, () => []).push(entry);
    if (type === STRAPI.file) this.#noteMimes(data);
  }

  addLink(owner: ExportedEnd, link: OwnedLink): void {
    const rows = entryOf(this.#links, owner.type, () => new Map<number, OwnedLink[]>());
    entryOf(rows, Number(owner.ref), () => []).push(link);
  }

  /** Puts the links of every owner in order; to be called once all are there. */
  sort(): void {
    for (const rows of this.#links.values())
      for (const links of rows.values()) links.sort((a, b) => a.position - b.position);
  }

  #noteMimes(data: Readonly<Record<string, unknown>>): void {
    for (const part of [data, ...formatsOf(data).map(([, format]) => format)])
      if (isFileKey(keyOfFile(part)))
        this.mimes.set(keyOfFile(part), String(part["mime"] ?? "application/octet-stream"));
  }
}

/** Reads what an index holds, by one pass over the entries and one over the links. */
export async function readIndex(source: StrapiExport, model: ContentModel, issues: Issues): Promise<ExportIndex> {
  const index = new ExportIndex();
  for await (const entry of source.lines("entities")) index.addEntry(entry);
  for await (const link of source.lines("links")) {
    const owned = findOwner(model, link);
    if (owned) index.addLink(owned.owner, owned.link);
    else if (link.left.type === STRAPI.tokenPermission)
      index.tokenOf.set(Number(link.left.ref), Number(link.right.ref));
    else if (isUnknown(model, link))
      issues.add(
        `${link.left.type}#${link.left.field ?? ""}`,
        "its links are left out: there is no such relation here",
      );
  }
  index.sort();
  return index;
}

/** Which end of a link holds it here. The export lists media at the file's end, everything else at the owner's. */
function findOwner(model: ContentModel, { left, right }: ExportedLink) {
  if (relationOf(model, left)) return { owner: left, link: linkFrom(left, right) };
  if (relationOf(model, right)) return { owner: right, link: linkFrom(right, left) };
  return undefined;
}

function linkFrom(owner: ExportedEnd, target: ExportedEnd): OwnedLink {
  return {
    field: owner.field ?? "",
    targetType: target.type,
    targetRef: Number(target.ref),
    position: owner.pos ?? target.pos ?? 0,
    inversePosition: target.pos,
  };
}

/** The relation that an end names, when it is kept on that side. */
function relationOf(model: ContentModel, { type, field }: ExportedEnd): RelationAttribute | undefined {
  const shape = model.contentTypes.get(type) ?? model.components.get(type);
  const attribute = field === undefined ? undefined : shape?.attributes.get(field);
  if (!attribute || !isRelation(attribute)) return undefined;
  return ["column", "links", "embedded"].includes(attribute.storage) ? attribute : undefined;
}

/** Whether a link of content that is here is lost. */
function isUnknown(model: ContentModel, { left, right }: ExportedLink): boolean {
  if (WITHOUT_MEANING.has(left.field ?? "") || left.type.startsWith("admin::")) return false;
  const isHere = ({ type }: ExportedEnd) => model.contentTypes.has(type) || model.components.has(type);
  return isHere(left) || isHere(right);
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
