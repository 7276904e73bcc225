import type { App } from "@plinth/core";
import { LRUCache } from "lru-cache";
import { personOf } from "../content/facts.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import type { Person } from "../wire/account.js";

const MOST = 2_000;

/** Names of administrators by their documentId, kept until one of them changes. */
export class AuthorNames {
  readonly #known = new LRUCache<string, Person>({ max: MOST });

  constructor(private readonly app: App) {}

  forget(): void {
    this.#known.clear();
  }

  /** Those who are there; one read for all that are not known. */
  async of(ids: Iterable<string>): Promise<ReadonlyMap<string, Person>> {
    const wanted = [...new Set(ids)];
    const unknown = wanted.filter((id) => !this.#known.has(id));
    if (unknown.length > 0) {
      const filters = { documentId: { $in: unknown } };
      const params = { filters, fields: ["documentId", "name", "email"], pagination: { limit: -1 } };
      for (const { id, documentId, name, email } of await this.app.documents(ADMINISTRATOR_TYPE).findMany(params)) {
        const person = personOf({ id, documentId, name, email });
        if (person) this.#known.set(documentId, person);
      }
    }
    return new Map(wanted.flatMap((id) => (this.#known.has(id) ? [[id, this.#known.get(id) as Person]] : [])));
  }
}
