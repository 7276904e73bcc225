import type { App } from "@plinth/core";
import type { Documented, Fired } from "./requests.js";

/** What an app has that no schema can say: ids, keys and names. It grows with every answer. */
export class KnownContent {
  /** Document ids by uid of the content-type, the newest last; relations may name them. */
  readonly documentIds = new Map<string, string[]>();
  readonly #rowIds = new Map<string, string>();
  readonly #app: App;
  #fileKey = "";
  #made = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /** Looks at the answer of a request that made something. */
  async remember(fired: Documented, body: unknown): Promise<void> {
    const owner = ownerOf(fired);
    const { id, documentId, url } = madeBy(body) ?? (await this.#newest(owner)) ?? {};
    if (id !== undefined) this.#rowIds.set(owner, String(id));
    if (documentId !== undefined) {
      this.documentIds.set(owner, [...(this.documentIds.get(owner) ?? []), documentId]);
    }
    if (url !== undefined) this.#fileKey = url.replace("/uploads/", "");
  }

  /** Takes note of a deletion that was answered as done. */
  forget({ params, ...documented }: Fired): void {
    // The sessions of a user are gone, and the user is not.
    if (documented.path.endsWith("/sessions")) return;
    const owner = ownerOf(documented);
    const left = this.documentIds.get(owner)?.filter((documentId) => documentId !== params["documentId"]) ?? [];
    this.documentIds.set(owner, left);
  }

  /** The same request with what is known in the place of what was invented. */
  place(fired: Fired): Fired {
    const owner = ownerOf(fired);
    const documentIds = this.documentIds.get(owner) ?? [];
    const uid = fired.path.includes("components") ? "shared.seo" : "api::article.article";
    const known = { documentId: documentIds.at(-1), id: this.#rowIds.get(owner), uid, key: this.#fileKey };
    const found = Object.entries(known).filter(([name, value]) => name in fired.params && value !== undefined);
    const params = { ...fired.params, ...Object.fromEntries(found) } as Fired["params"];
    return { ...fired, params, query: placeQuery(fired), body: this.#placeBody(fired, documentIds) };
  }

  /** Some answers say only that it is done. */
  async #newest(owner: string): Promise<Made | undefined> {
    if (!this.#app.model.contentTypes.has(owner)) return undefined;
    const newest = await this.#app.documents(owner).findFirst({ sort: "id:desc", fields: ["id"] });
    return newest ? { id: Number(newest["id"]) } : undefined;
  }

  #placeBody({ body, path, method }: Fired, documentIds: readonly string[]): unknown {
    if (body === undefined) return undefined;
    const next = this.#made++;
    if (path.includes("/actions/")) return { data: { documentIds: documentIds.slice(-2) } };
    // Folders that lie in each other at random are refused.
    if (path.startsWith("/api/upload/folders")) return { data: { name: `Folder ${next}`, parent: null } };
    // Only actions that there are can be granted.
    if (path.startsWith("/admin/api/user-roles")) return { name: `Role ${next}`, grant: ["api::article.article.find"] };
    if (path.startsWith("/admin/api-tokens")) {
      return { name: `token ${next}`, type: "custom", permissions: ["api::article.article.find"] };
    }
    if (!path.startsWith("/admin/i18n")) return body;
    return method === "POST" ? { code: `de-x-${next}`, name: "Local" } : { name: `Local ${next}`, fallback: ["fr"] };
  }
}

interface Made {
  readonly id?: number;
  readonly documentId?: string;
  readonly url?: string;
}

/** What an answer says that was made: it, a list of it, or either as `data`. */
function madeBy(body: unknown): Made | undefined {
  const [first] = [body].flat() as (Made & { readonly data?: Made | null })[];
  const made = first?.data ?? first;
  return made?.id === undefined && made?.documentId === undefined ? undefined : made;
}

/** Uid of what an operation is about. */
function ownerOf({ operation, path }: Documented): string {
  const named: Readonly<Record<string, string>> = {
    ...{ "/admin/api-tokens": "token", "/admin/i18n/locales": "locale" },
    ...{ "/admin/api/users": "end user", "/admin/api/user-roles": "role of end users" },
  };
  const start = Object.keys(named).find((prefix) => path.startsWith(prefix));
  if (start !== undefined) return named[start] ?? "";
  const action = operation["x-plinth-action"] ?? path;
  return action.slice(0, Math.max(0, action.lastIndexOf(".")));
}

/** Which locales and roles there are is content, and no schema says it. */
function placeQuery({ query }: Fired): Fired["query"] {
  const known: Readonly<Record<string, unknown>> = { fallbackLocale: ["fr"], role: "public" };
  const changed = Object.keys(query).map((name) => {
    if (name === "locale") return [name, Array.isArray(query[name]) ? ["en"] : "en"];
    return [name, known[name] ?? query[name]];
  });
  return Object.fromEntries(changed) as Fired["query"];
}
