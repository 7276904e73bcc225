import {
  type App,
  alongLoad,
  type LoadEvent,
  type RegisterContext,
  type Statement,
  type WriteEvent,
  writeHooks,
  type WriteOrigin,
} from "@plinth/core";
import { type Act, onAct } from "@plinth/core/access";
import type { AuditConfig } from "../config.js";
import { type NotedTypes, readNotedTypes } from "../noted-types.js";
import { describeOrigin, type EntryOrigin, EntryStatements, type NewEntry } from "./new-entry.js";
import { Places } from "./places.js";
import { Queue } from "./queue.js";
import { shortened, shortenedValues } from "./texts.js";

type Write = keyof typeof writeHooks;

/** The last part of the action of an entry. */
const VERBS: Readonly<Record<Write, string>> = {
  create: "create",
  update: "update",
  delete: "delete",
  publish: "publish",
  unpublish: "unpublish",
  discardDraft: "discard-draft",
};

/** Names of attributes that an entry has at most. */
const MOST_ATTRIBUTES = 200;

/** Makes entries of what happens in an app. */
export class AuditWriter {
  readonly #noted: NotedTypes;
  readonly #statements: EntryStatements;
  readonly #places: Places;
  readonly queue: Queue;

  constructor(
    private readonly app: App,
    private readonly config: AuditConfig,
  ) {
    this.#noted = readNotedTypes(app.model);
    this.#statements = new EntryStatements(app, config.names);
    this.#places = new Places(config.personal);
    this.queue = new Queue(app, this.#statements);
  }

  /** What goes along with a write. */
  noteWrite(
    write: Write,
    { uid, documentId, locales, data, origin, isTrial }: WriteEvent,
  ): readonly Statement[] | undefined {
    const noted = this.#noted.get(uid);
    if (!noted || isTrial) return undefined;
    const isData = data !== undefined && (write === "create" || write === "update");
    const entry: NewEntry = {
      ...{ action: `document.${VERBS[write]}`, result: "accepted", uid, document_id: documentId },
      ...this.#describe(origin),
      locales: localesOf(locales),
      attributes: isData ? namesOf(data) : null,
      details: isData ? valuesOf(data, noted.values) : null,
    };
    const values = write === "delete" ? noted.valuesSql("v.document_id") : undefined;
    return [this.#statements.one(entry, values)];
  }

  /** What goes along with an import: an entry of each document. */
  noteLoad({ uid, versions, origin }: LoadEvent): readonly Statement[] | undefined {
    if (!this.#noted.has(uid) || versions.length === 0) return undefined;
    const locales = new Map<string, Set<string>>();
    for (const { documentId, locale } of versions)
      locales.set(documentId, (locales.get(documentId) ?? new Set()).add(locale));
    const common = {
      ...{ action: "document.import", result: "accepted" as const, uid, attributes: null, details: null },
      ...this.#describe(origin),
    };
    const entries = [...locales].map(([document_id, own]) => ({
      ...common,
      document_id,
      locales: localesOf([...own]),
    }));
    return [this.#statements.many(entries)];
  }

  /** What is no write of a document: in the transaction that keeps it; else at once, or, of what was refused, soon. */
  async noteAct(act: Act): Promise<void> {
    const { db } = this.app;
    const entry = this.#entryOf(act);
    // Before it runs, and not later: it may end the process.
    if (act.action === "command.run") return void (await db.query(this.#statements.one(entry)));
    const isAccepted = act.result === "accepted";
    if (db.isInTransaction && (act.isKept ?? isAccepted)) db.defer(this.#statements.one(entry));
    else if (isAccepted && !db.isInTransaction) await this.queue.write(entry);
    else this.queue.add(entry);
  }

  /** Somebody reads the log over the network. */
  noteReading(act: Pick<Act, "origin" | "details">): void {
    this.queue.addOnce(this.#entryOf({ action: "audit.read", result: "accepted", ...act }));
  }

  #describe(origin: WriteOrigin): EntryOrigin {
    const isLeftOut = origin.actor?.kind === "system" && !this.config.systemUser;
    return describeOrigin(isLeftOut ? { ...origin, actor: { kind: "system" } } : origin, this.#places);
  }

  #entryOf({ action, result, origin, subject, details }: Act): NewEntry {
    return {
      ...{ action: shortened(action), result, uid: shortened(subject?.uid) },
      document_id: shortened(subject?.documentId),
      ...this.#describe(origin),
      locales: localesOf(subject?.locales ?? []),
      attributes: null,
      details: details ? shortenedValues(details) : null,
    };
  }
}

function localesOf(locales: readonly string[]): readonly string[] | null {
  const own = locales.filter((locale) => locale !== "").sort();
  return own.length === 0 ? null : own;
}

const namesOf = (data: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(data).sort().slice(0, MOST_ATTRIBUTES);

/** As the write gave them: those that it did not give stay as they were. */
function valuesOf(
  data: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> | null {
  const given = names.filter((name) => Object.hasOwn(data, name)).map((name) => [name, data[name]] as const);
  return given.length === 0 ? null : shortenedValues(Object.fromEntries(given));
}

/** Has what happens in an app noted. */
export function listen(on: RegisterContext<object>["on"], writerOf: () => AuditWriter): void {
  for (const write of Object.keys(VERBS) as Write[])
    on(writeHooks[write].along, (event) => writerOf().noteWrite(write, event));
  on(alongLoad, (event) => writerOf().noteLoad(event));
  on(onAct, (act) => writerOf().noteAct(act));
}
