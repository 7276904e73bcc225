import type { Ability, App } from "@plinth/core";
import { CODE_BUDGET, parseReadParams, reachOfDrafts, shapeOf } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { LRUCache } from "lru-cache";
import { isShown } from "../content/shown-types.js";
import type { Change } from "./live-messages.js";

/** Documents in a locale that callers could read, so that their end can be reported. */
const MOST_KNOWN = 20_000;

/** Actions that change drafts alone. */
const OF_DRAFTS: ReadonlySet<string> = new Set(["create", "update", "discardDraft"]);

/** A change that callers may get; `isGone`: as a deletion, without its author. */
export interface ToldChange {
  readonly change: Change;
  readonly isGone: boolean;
}

/** Documents of one content-type, in all locales that there are. */
type Rows = ReadonlySet<string>;

const rowKey = (documentId: string, locale: string): string => `${documentId} ${locale}`;

/**
 * The changes that callers with one ability may get. A change is reported where the document can be read. A deletion is reported
 * to callers who read every document of the type, and to others if they could read this one at its last event. A document that
 * a write hides from a caller is reported to that caller as deleted.
 */
export class LiveSight {
  readonly #known = new LRUCache<string, true>({ max: MOST_KNOWN });

  constructor(
    private readonly app: App,
    readonly ability: Ability,
  ) {}

  /** Of the changes of one content-type those that the callers may get. */
  async told(uid: string, changes: readonly Change[]): Promise<readonly ToldChange[]> {
    const type = this.#typeOf(uid);
    if (!type) return [];
    const alive = changes.filter(({ action }) => action !== "delete");
    const rows = await this.#rowsOf(
      type,
      alive.map(({ documentId }) => documentId),
    );
    return changes.flatMap((change): readonly ToldChange[] => {
      const isDelete = change.action === "delete";
      const isTaken = isDelete || change.action === "unpublish";
      const isSeen = (!isDelete && isIn(rows, type, change)) || (isTaken && this.#seesAll(type, change));
      if (!isDelete && isSeen) this.#know(uid, change);
      const wasKnown = (isDelete || !isSeen) && this.#forget(uid, change);
      if (isSeen) return [{ change, isGone: false }];
      return wasKnown ? [{ change, isGone: true }] : [];
    });
  }

  /** The locales of documents that may be read; `""` of types that are not localised. */
  async locales(uid: string, documentIds: readonly string[]): Promise<(documentId: string, locale: string) => boolean> {
    const type = this.#typeOf(uid);
    if (!type) return () => false;
    const { draft, published } = await this.#rowsOf(type, documentIds);
    for (const key of [...draft, ...published]) this.#known.set(`${uid} ${key}`, true);
    const isWhole = this.#readsAll(type);
    const ids = new Set([...draft, ...published].map((key) => key.slice(0, key.indexOf(" "))));
    return (documentId, locale) => {
      const key = rowKey(documentId, type.isLocalized ? locale : "");
      // A language that somebody begins has no row that a rule could look at.
      return draft.has(key) || published.has(key) || (isWhole && ids.has(documentId));
    };
  }

  /** Which of some documents may be read, in any locale. */
  async documents(uid: string, documentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const type = this.#typeOf(uid);
    if (!type) return NONE;
    const { draft, published } = await this.#rowsOf(type, documentIds);
    return new Set([...draft, ...published].map((key) => key.slice(0, key.indexOf(" "))));
  }

  /** Whether an attribute may be read. */
  seesField(uid: string, field: string): boolean {
    const type = this.#typeOf(uid);
    if (!type) return false;
    const [name = ""] = field.split(".");
    return shapeOf(type, this.ability.reachOf(`${uid}.find`)).attributes.has(name);
  }

  #typeOf(uid: string): ContentType | undefined {
    const type = this.app.model.contentTypes.get(uid);
    return type && isShown(type) && this.ability.reachOf(`${uid}.find`).rows !== "nothing" ? type : undefined;
  }

  #draftsOf(type: ContentType) {
    return reachOfDrafts(this.app.model, this.ability, type);
  }

  #readsAll(type: ContentType): boolean {
    return this.ability.reachOf(`${type.uid}.find`).rows === "everything" && this.#draftsOf(type).rows === "everything";
  }

  /** Whether a deleted document is one that was read: without rules all were, of those who read no drafts the published ones. */
  #seesAll(type: ContentType, { isLive }: Change): boolean {
    if (this.ability.reachOf(`${type.uid}.find`).rows !== "everything") return false;
    return isLive || this.#draftsOf(type).rows === "everything";
  }

  #know(uid: string, { documentId, locale }: Change): void {
    this.#known.set(`${uid} ${rowKey(documentId, locale)}`, true);
  }

  #forget(uid: string, { documentId, locale }: Change): boolean {
    return this.#known.delete(`${uid} ${rowKey(documentId, locale)}`);
  }

  async #rowsOf(type: ContentType, documentIds: readonly string[]): Promise<Versions> {
    const ids = [...new Set(documentIds)];
    const readsDrafts = type.hasDrafts && this.#draftsOf(type).rows !== "nothing";
    return {
      draft: readsDrafts ? await this.#read(type, ids, "draft") : NONE,
      published: await this.#read(type, ids, "published"),
    };
  }

  async #read(type: ContentType, ids: readonly string[], status: "draft" | "published"): Promise<Rows> {
    if (ids.length === 0) return NONE;
    const fields = type.isLocalized ? ["documentId", "locale"] : ["documentId"];
    const params = {
      ...{ filters: { documentId: { $in: ids } }, status, fields, fallbackLocale: [] },
      ...(type.isLocalized ? { locale: "*" } : {}),
    };
    const prepared = parseReadParams(this.app.model, type, params, {
      ...{ visibility: "admin", kind: "list", defaultStatus: "published", asStored: true },
      ...{ ability: this.ability, budget: CODE_BUDGET },
    });
    const rows = (await this.app.documents(type.uid).read(prepared)).rows();
    return new Set(rows.map(({ documentId, locale }) => rowKey(documentId, String(locale ?? ""))));
  }
}

/** What may be read of each version. */
interface Versions {
  readonly draft: Rows;
  readonly published: Rows;
}

const NONE: Rows = new Set();

/** Whether the version that a change is about may be read. */
function isIn({ draft, published }: Versions, { hasDrafts }: ContentType, change: Change): boolean {
  const key = rowKey(change.documentId, change.locale);
  if (draft.has(key)) return true;
  return (!hasDrafts || change.isLive || !OF_DRAFTS.has(change.action)) && published.has(key);
}
