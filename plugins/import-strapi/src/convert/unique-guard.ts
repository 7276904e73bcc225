import type { LoadedVersion } from "@plinth/core";
import { type ContentModel, type ContentType, isRelation, isUnique, uniqueValues } from "@plinth/core/schema";
import type { Issues } from "../issues.js";

/** Removes values that two documents of an export have although they are unique; the first document keeps them. */
export class UniqueGuard {
  /** The owner of a value: `<uid>#<attribute> <locale> <value>` to document id. */
  readonly #holders = new Map<string, string>();

  constructor(
    private readonly model: ContentModel,
    private readonly issues: Issues,
  ) {}

  check(type: ContentType, version: LoadedVersion): LoadedVersion {
    const values = { ...version.values };
    const links = { ...version.links };
    for (const attribute of type.attributes.values()) {
      const { name } = attribute;
      if (isUnique(attribute) && !this.#mayHave(type, version, name, values[name])) values[name] = null;
      if (isRelation(attribute) && attribute.isExclusive && attribute.storage === "column") {
        const target = links[name]?.[0]?.documentId;
        if (!this.#mayHold(type, version, name, target)) links[name] = [];
      }
      if (attribute.kind === "component" || attribute.kind === "dynamiczone")
        for (const unique of uniqueValues(this.model, attribute, values[name]))
          this.#reportTwice(type, version, unique.attribute, unique.hash);
    }
    return { ...version, values, links };
  }

  #mayHave(type: ContentType, version: LoadedVersion, name: string, value: unknown): boolean {
    if (version.publishedAt === null || value === null || value === undefined || value === "") return true;
    const where = `${type.uid}#${name}`;
    if (this.#claim(`${where} ${version.locale} ${String(value)}`, version.documentId)) return true;
    this.issues.add(where, "values are left out: they are unique, and another document has them", version.documentId);
    return false;
  }

  #mayHold(type: ContentType, version: LoadedVersion, name: string, target: string | undefined): boolean {
    const where = `${type.uid}#${name}`;
    const key = `${where} ${version.locale} ${version.publishedAt === null} ${target}`;
    if (target === undefined || this.#claim(key, version.documentId)) return true;
    this.issues.add(where, "links are left out: another document holds their target", version.documentId);
    return false;
  }

  #reportTwice(type: ContentType, version: LoadedVersion, name: string, hash: string): void {
    const where = `${type.uid}#${name}`;
    if (version.publishedAt === null || this.#claim(`${where} ${version.locale} ${hash}`, version.documentId)) return;
    this.issues.add(where, "values are unique, and two documents have them: one has to change", version.documentId);
  }

  #claim(key: string, documentId: string): boolean {
    const holder = this.#holders.get(key) ?? documentId;
    this.#holders.set(key, holder);
    return holder === documentId;
  }
}
