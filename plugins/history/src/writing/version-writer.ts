import { AsyncLocalStorage } from "node:async_hooks";
import type { App, LoadEvent, Statement, WriteEvent, WriteOrigin } from "@plinth/core";
import type { VersionAction } from "../contract.js";
import { type KeptTypes, keptTypeOf } from "../kept-types.js";
import { type Noted, type VersionStatements, versionStatements } from "./version-statements.js";

/** The version that is being restored, for the write of its document that does it. */
export const restoring = new AsyncLocalStorage<{ readonly documentId: string; readonly id: string }>();

/** What kinds of write are called; those of `create` and `update` note publishing as well. */
type Written = Exclude<VersionAction, "baseline" | "import">;

/** Of how many documents a process remembers that they have a version; some 100 bytes each. */
const REMEMBERED = 10_000;

/** Makes the statements that go along with writes. */
export class VersionWriter {
  /** Documents that have a version: their next change needs no look for one. */
  readonly #begun = new Set<string>();
  readonly #known = new Map<string, VersionStatements>();
  /** By uid: the attributes that all locales share. */
  readonly #shared = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly app: App,
    private readonly kept: () => KeptTypes,
  ) {}

  /** What goes along with a write. */
  along(action: Written, event: WriteEvent): readonly Statement[] {
    const { uid, documentId, locales, publishes = false } = event;
    // A create or update that publishes has noted it already.
    if (event.isTrial || (action === "publish" && publishes)) return [];
    const statements = this.#of(uid);
    const isPublished = action === "publish" || publishes || !this.#hasDrafts(uid);
    const noted = { ...this.#note(action, event.origin, isPublished), restoredFrom: restoredIn(documentId) };
    if (action === "delete") return [statements.gone(documentId, locales, noted)];
    return [statements[this.#touchesShared(event) ? "shared" : "written"](documentId, locales, noted)];
  }

  /** What goes along with an import. */
  alongLoad({ uid, versions, origin }: LoadEvent): readonly Statement[] {
    return [this.#of(uid).loaded(versions, this.#note("import", origin, false))];
  }

  /** Keeps a document that has no version yet as it is, along with the next statement of its first change. */
  baseline({ uid, documentId, isTrial }: WriteEvent): void {
    const { db } = this.app;
    const key = `${uid} ${documentId}`;
    if (isTrial || this.#begun.has(key)) return;
    db.defer(this.#of(uid).baseline(documentId));
    db.afterCommit(() => {
      if (this.#begun.size >= REMEMBERED) this.#begun.clear();
      this.#begun.add(key);
    });
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

  /** Whether a write names something that all locales share. */
  #touchesShared({ uid, data = {} }: WriteEvent): boolean {
    const shared = this.#shared.get(uid) ?? sharedIn(this.kept(), uid);
    this.#shared.set(uid, shared);
    if (shared.size === 0) return false;
    for (const name of Object.keys(data)) if (shared.has(name)) return true;
    return false;
  }
}

const restoredIn = (documentId: string): string | null => {
  const restored = restoring.getStore();
  return restored?.documentId === documentId ? restored.id : null;
};

function sharedIn(kept: KeptTypes, uid: string): ReadonlySet<string> {
  const { type } = keptTypeOf(kept, uid);
  const names = [...type.attributes.values()].filter(({ isLocalized }) => !isLocalized).map(({ name }) => name);
  return new Set(type.isLocalized ? names : []);
}
