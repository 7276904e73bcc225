import { AsyncLocalStorage } from "node:async_hooks";
import type { App, LoadEvent, Statement, WriteEvent, WriteOrigin } from "@plinth/core";
import type { VersionAction } from "../contract.js";
import { type KeptTypes, keptTypeOf, sharedIn } from "../kept-types.js";
import type { KnownDocuments } from "./known-documents.js";
import { type Noted, type VersionStatements, versionStatements } from "./version-statements.js";

/** The version that is being restored, for the write of its document that does it. */
export const restoring = new AsyncLocalStorage<{ readonly documentId: string; readonly id: string }>();

/** What kinds of write are called; those of `create` and `update` note publishing as well. */
type Written = Exclude<VersionAction, "baseline" | "import">;

/** Makes the statements that go along with writes. */
export class VersionWriter {
  readonly #known = new Map<string, VersionStatements>();
  /** By uid: the attributes that all locales share. */
  readonly #shared = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly app: App,
    private readonly kept: () => KeptTypes,
    private readonly begun: KnownDocuments,
  ) {}

  /** What goes along with a write. */
  along(action: Written, event: WriteEvent): readonly Statement[] {
    const { uid, documentId, locales, publishes = false, changesPublished = false } = event;
    // A create or update that publishes has noted it already.
    if (event.isTrial || (action === "publish" && publishes)) return [];
    const statements = this.#of(uid);
    const isPublished = action === "publish" || publishes || !this.#hasDrafts(uid);
    const noted = { ...this.#note(action, event.origin, isPublished), restoredFrom: restoredIn(documentId) };
    if (action === "delete") return [statements.gone(documentId, locales, noted)];
    if (changesPublished && !publishes)
      return [statements.both(documentId, locales, noted, this.#changesOthers(event))];
    if (!this.#mayChangeOthers(action, event)) return [statements.written(documentId, locales, noted)];
    const isBoth = isPublished && this.#hasDrafts(uid);
    return [statements[isBoth ? "published" : "shared"](documentId, locales, noted)];
  }

  /** What goes along with an import. */
  alongLoad({ uid, versions, origin }: LoadEvent): readonly Statement[] {
    return [this.#of(uid).loaded(versions, this.#note("import", origin, false))];
  }

  /** What goes ahead of a write: a document that has no version yet is kept as it is before its first change. */
  ahead(action: Exclude<Written, "delete">, event: WriteEvent): readonly Statement[] {
    const { uid, documentId, publishes, isTrial } = event;
    if (isTrial || this.begun.has(uid, documentId)) return [];
    // A new locale may change others; what a create or update publishes as well was kept ahead of that.
    if (action === "create" && !this.#mayChangeOthers(action, event)) return [];
    if (action === "publish" && publishes) return [];
    this.app.db.afterCommit(() => this.begun.add(uid, documentId));
    return [this.#of(uid).baseline(documentId)];
  }

  #note(action: VersionAction, { transport, actor, requestId }: WriteOrigin, isPublished: boolean): Noted {
    return {
      action,
      status: isPublished ? "published" : "draft",
      origin: JSON.stringify({ transport, actor, requestId }),
      restoredFrom: null,
    };
  }

  #of(uid: string): VersionStatements {
    const known = this.#known.get(uid) ?? versionStatements(this.app, keptTypeOf(this.kept(), uid));
    this.#known.set(uid, known);
    return known;
  }

  #hasDrafts(uid: string): boolean {
    return keptTypeOf(this.kept(), uid).type.hasDrafts;
  }

  /** Whether a write may change rows of other locales: publishing and discarding copy all that these share. */
  #mayChangeOthers(action: Written, event: WriteEvent): boolean {
    const copies = action === "publish" || action === "discardDraft" || event.publishes === true;
    if (!copies) return this.#changesOthers(event);
    return event.otherLocales !== undefined && this.#sharedOf(event.uid).size > 0;
  }

  /** Whether a write names something that other locales share. */
  #changesOthers({ uid, otherLocales, data = {} }: WriteEvent): boolean {
    if (otherLocales === undefined) return false;
    const shared = this.#sharedOf(uid);
    if (shared.size === 0) return false;
    for (const name of Object.keys(data)) if (shared.has(name)) return true;
    return false;
  }

  #sharedOf(uid: string): ReadonlySet<string> {
    const shared = this.#shared.get(uid) ?? sharedIn(keptTypeOf(this.kept(), uid).type);
    this.#shared.set(uid, shared);
    return shared;
  }
}

const restoredIn = (documentId: string): string | null => {
  const restored = restoring.getStore();
  return restored?.documentId === documentId ? restored.id : null;
};
