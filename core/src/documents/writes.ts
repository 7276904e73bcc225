import { createHash } from "node:crypto";
import { customAlphabet } from "nanoid";
import { type FieldNames, type Reach, unlimited } from "../access/ability.js";
import type { Statement } from "../database/driver/database.js";
import type { CreateParams, Document, Precondition, UpdateParams } from "./documents.js";
import { DocumentExistsError, InvalidInputError, messageOnly, SingleTypeExistsError } from "./errors.js";
import { transformInput, type WriteEvent } from "./hooks.js";
import { parseInput } from "./input/parse-input.js";
import type { WriteInput } from "./input.js";
import { buildRow } from "./write/build-row.js";
import { checkVersion } from "./write/check-version.js";
import { insertRow, type PendingRow, updateRow } from "./write/change-row.js";
import { assertPublishable } from "./write/assert-publishable.js";
import { copyVersion, isCopiedAlone, prepareCopy } from "./write/copy-version.js";
import { numberUids } from "./write/number-uids.js";
import { runWrite } from "./write/run-write.js";
import type { WriteAction } from "./write/row-rules.js";
import { copySharedLinks, shareWithLocales } from "./write/share-with-locales.js";
import { startLocale } from "./write/start-locale.js";
import { readVersions, type Version } from "../database/writes/version.js";
import { type WriteLocale, writeLocale } from "./write/write-locales.js";
import { timeText, type WriteScope } from "./write/write-scope.js";
import { lockVersions, openScope, type WriteParts } from "./write-parts.js";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 24;
const randomId = customAlphabet(ALPHABET, ID_LENGTH);

/** Creating and updating the documents of one content-type. */
export class Writes {
  constructor(private readonly parts: WriteParts) {}

  /**
   * @throws PLINTH_INPUT_* , PLINTH_DOCUMENT_* , PLINTH_QUERY_* (400)
   * @throws PLINTH_ACCESS_FORBIDDEN (403) for a document outside of the ability's rule
   */
  async create(given: CreateParams): Promise<Document> {
    const { plan, reads, runner } = this.parts;
    const { type } = plan;
    const { named, params } = type.kind === "singleType" ? { params: given } : namedDocument(given);
    const locale = this.#locale(params);
    if (named !== undefined) {
      const found = await this.#addToNamed(params, named, locale);
      if (found) return found;
    }
    const documentId = type.kind === "singleType" ? singleTypeId(type.uid) : (named ?? randomId());
    const publishes = params.status === "published";
    const { ability } = params;
    // The document of a single type is made by updating it.
    const action = type.kind === "singleType" ? "update" : "create";
    const answer = reads.answerTo(params, documentId);
    const { data, input } = await this.#parse({ operation: "create", action }, params, undefined);
    return await runWrite(runner, type.uid, async (attempts) => {
      const scope = openScope(this.parts, { attempts, versions: [], locale: locale.relations, ability });
      if (type.kind === "singleType") await this.#assertNoDocument();
      const event = { uid: type.uid, documentId, locales: [locale.row], data };
      const steps = async () => {
        const place = { documentId, locale: locale.row };
        const change = await buildRow(scope, plan, await numberUids(scope, plan, input, place), []);
        const written = await insertRow(scope, plan, place, change);
        return { versions: [written.row], others: [], ...written };
      };
      const actions = scope.rules.asked(type, action, publishes);
      return (await this.#write(scope, { write: "create", actions, event, publishes, answer }, steps)) as Document;
    });
  }

  /**
   * A document that code names by its id gets another locale where it is there already.
   *
   * @returns undefined where there is no such document.
   * @throws PLINTH_DOCUMENT_EXISTS (400) where it has the locale
   */
  async #addToNamed(params: CreateParams, documentId: string, locale: WriteLocale): Promise<Document | undefined> {
    const { uid } = this.parts.plan.type;
    const versions = await this.parts.db.transaction(() => lockVersions(this.parts, documentId));
    if (versions.length === 0) return undefined;
    const added = versions.some((version) => version.locale === locale.row)
      ? null
      : await this.update({ ...params, documentId, unlessVersion: "*" });
    if (!added) throw new DocumentExistsError({ [messageOnly]: { uid, documentId, locale: locale.row } });
    return added;
  }

  /** @returns null when there is no such document, or the ability's rule does not reach it. @throws as `create`, and as checkVersion */
  async update(params: UpdateParams): Promise<Document | null> {
    const { plan, reads, runner } = this.parts;
    // JavaScript may name no document; there is none of an empty id.
    const { documentId = "", ability } = params;
    const locale = this.#locale(params);
    const publishes = params.status === "published";
    const action = "update";
    const answer = reads.answerTo(params, documentId);
    const { data, input } = await this.#parse({ operation: "update", action }, params, documentId);
    return await runWrite(runner, plan.type.uid, async (attempts) => {
      const versions = await lockVersions(this.parts, documentId);
      if (versions.length === 0) return absent(params);
      const scope = openScope(this.parts, { attempts, versions, locale: locale.relations, ability });
      const { alsoPublished = false } = params;
      const changed = this.#rowsToChange(versions, locale, publishes || alsoPublished);
      if (!(await scope.rules.reachesAll(plan.type.uid, action, changed))) return absent(params);
      const actions = scope.rules.asked(plan.type, action, publishes || alsoPublished);
      await scope.rules.assertReached(plan.type.uid, actions, changed);
      checkVersion(
        params,
        versions.filter((version) => version.locale === locale.row),
        scope.rules.readsDrafts(plan.type),
      );
      const isNew = !versions.some((version) => version.locale === locale.row);
      const event = { uid: plan.type.uid, documentId, locales: [locale.row], data };
      const given = isNew ? startLocale(plan.type, input, this.#modelOf(versions)) : input;
      const steps = () => this.#change(scope, { input: given, locale, isNew, alsoPublished }, versions);
      return await this.#write(scope, { write: isNew ? "create" : "update", actions, event, publishes, answer }, steps);
    });
  }

  /** Runs the steps of a write between its hooks, publishes if asked to, and reads what is returned. */
  async #write(
    scope: WriteScope,
    { write, actions, event, publishes, answer }: WriteRun,
    steps: () => Promise<Changed>,
  ): Promise<Document | null> {
    const { listeners, plan, reads } = this.parts;
    await listeners.before(write, event);
    const changed = await steps();
    const willPublish = publishes && plan.type.hasDrafts;
    const written = [changed.row, ...changed.others];
    let last = statementsOf(changed.pending);
    if (willPublish) {
      const published = await this.#publish(scope, { actions, event, changed });
      written.push(...published.written);
      last = published.last;
    }
    await scope.rules.assertReached(plan.type.uid, actions, written.map(idOf));
    const heard = willPublish ? [write, "publish" as const] : [write];
    const ends = !heard.some((each) => listeners.hearsAfter(each, plan.type.uid));
    const documents = await reads.answer(answer, { after: last, ends });
    await listeners.after(write, { documents, ...event });
    if (willPublish) await listeners.after("publish", { documents, ...event });
    return documents[0] ?? null;
  }

  /** Publishes what a write has changed; `last` is what is left to run then. */
  async #publish(scope: WriteScope, { actions, event, changed }: PublishRun): Promise<Published> {
    const { listeners, plan } = this.parts;
    const { uid } = plan.type;
    const { row, versions } = changed;
    let { pending } = changed;
    const write = async () => {
      await scope.db.queryAll(statementsOf(pending));
      pending = undefined;
    };
    if (listeners.hearsBefore("publish", uid)) await write();
    await listeners.before("publish", event);
    assertPublishable(scope, plan, [row]);
    if (!isCopiedAlone(plan, row, versions) || scope.rules.isLimited(uid, actions)) {
      await write();
      return { written: [await copyVersion(scope, plan, row, versions)], last: [] };
    }
    const copy = await prepareCopy(scope, plan, row);
    const published = versions.find(({ isDraft, locale }) => !isDraft && locale === row.locale);
    const both = pending?.withCopy(timeText(scope.now), published);
    return { written: [], last: both ? [both] : [...statementsOf(pending), copy] };
  }

  async #change(
    scope: WriteScope,
    { input, locale, isNew, alsoPublished }: UpdateOf,
    versions: readonly Version[],
  ): Promise<Changed> {
    const { plan } = this.parts;
    const old = isNew
      ? await this.#addLocale(scope, locale, versions)
      : await this.#rowToChange(scope, locale, versions);
    const published = versions.filter(
      (version) => version.locale === locale.row && version.id !== old.id && !version.isDraft,
    );
    const numbered = await numberUids(scope, plan, input, old);
    const change = await buildRow(scope, plan, numbered, [old, ...published]);
    const { row, pending } = await updateRow(scope, plan, old, change);
    if (isNew && !plan.type.hasDrafts) assertPublishable(scope, plan, [row]);
    const others = change.touchesShared ? versions.filter((version) => isElsewhere(version, row)) : [];
    const isAlone = others.length === 0 && !(alsoPublished && published.length > 0);
    if (isAlone) return { row, pending, versions, others };
    await scope.db.queryAll(statementsOf(pending));
    if (change.touchesShared) await shareWithLocales(scope, plan, row, versions);
    for (const other of alsoPublished ? published : []) {
      // A draft with more in it than is published has to stay the later one of the two.
      const now = old.updatedAt > other.updatedAt ? scope.now - 1 : scope.now;
      await this.#changePublished({ ...scope, now }, input, other, versions);
    }
    return { row, pending: undefined, versions, others };
  }

  /** Makes a change in a published row that has been made in its draft. */
  async #changePublished(
    scope: WriteScope,
    input: WriteInput,
    old: Version,
    versions: readonly Version[],
  ): Promise<void> {
    const { plan } = this.parts;
    const change = await buildRow(scope, plan, input, [old]);
    const { row, pending } = await updateRow(scope, plan, old, change);
    assertPublishable(scope, plan, [row]);
    await scope.db.queryAll(statementsOf(pending));
    if (change.touchesShared) await shareWithLocales(scope, plan, row, versions);
  }

  /**
   * The rows that have to be reached before an update: those that it changes, or, where it starts a locale, the one that
   * the locale starts from.
   */
  #rowsToChange(versions: readonly Version[], locale: WriteLocale, publishes: boolean): readonly string[] {
    const own = versions.filter((version) => version.locale === locale.row);
    if (own.length === 0) return [this.#modelOf(versions).id];
    const draft = own.find(({ isDraft }) => isDraft);
    return (draft && !publishes ? [draft] : own).map(idOf);
  }

  /** The draft; made from the published row where it is missing. The only row on types without drafts. */
  async #rowToChange(scope: WriteScope, locale: WriteLocale, versions: readonly Version[]): Promise<Version> {
    const { plan } = this.parts;
    const own = versions.filter((version) => version.locale === locale.row);
    const found = own.find(({ isDraft }) => isDraft === plan.type.hasDrafts);
    return found ?? (await copyVersion(scope, plan, own[0] as Version, versions));
  }

  /** Starts a locale of the document with what all locales share. */
  async #addLocale(scope: WriteScope, locale: WriteLocale, versions: readonly Version[]): Promise<Version> {
    const { db, plan } = this.parts;
    const model = this.#modelOf(versions);
    const time = timeText(scope.now);
    const values = [model.id, locale.row, time, plan.type.hasDrafts ? null : time];
    const [row] = (await readVersions(db, { text: plan.sql.newLocale, values })) as [Version];
    await copySharedLinks(scope, plan, model, [row.id]);
    return row;
  }

  /** The row that a new locale starts from. */
  #modelOf(versions: readonly Version[]): Version {
    const { layout, plan } = this.parts;
    const rank = (version: Version) =>
      (version.isDraft === plan.type.hasDrafts ? 0 : 2) + (version.locale === layout.model.defaultLocale ? 0 : 1);
    const [model] = [...versions].sort((a, b) => rank(a) - rank(b)) as [Version];
    return model;
  }

  async #parse({ operation, action }: ParseRun, params: CreateParams, documentId: string | undefined) {
    const { listeners, layout, plan, hashPassword } = this.parts;
    const { uid } = plan.type;
    const { ability = unlimited } = params;
    // JavaScript may leave the data out.
    const given = params.data ?? {};
    const data = listeners.hears(transformInput, uid)
      ? await listeners.bus.waterfall(transformInput, given, { uid, operation, documentId })
      : given;
    const input = await parseInput(layout.model, plan.type, data, {
      mode: operation,
      hashPassword,
      visibility: params.visibility ?? "code",
      fields: fieldsOf(ability.reachOf(`${uid}.${action}`)),
      canFind: (target) => ability.can(`${target}.find`),
    });
    return { data, input };
  }

  #locale({ locale }: CreateParams): WriteLocale {
    return writeLocale(this.parts.layout.model, this.parts.plan.type, locale);
  }

  /** Concurrent creates meet in the unique index, because the id of a single type's document is always the same. */
  async #assertNoDocument(): Promise<void> {
    const { db, plan } = this.parts;
    const [found] = await db.query<{ documentId: string }>({ text: plan.sql.anyDocument, values: [], isPlan: true });
    if (found) throw new SingleTypeExistsError({ uid: plan.type.uid, documentId: found.documentId });
  }
}

/** The attributes that may be written; where no row may be, the rows say so. */
const fieldsOf = (reach: Reach): FieldNames | undefined => (reach.rows === "nothing" ? undefined : reach.fields);

interface ParseRun {
  readonly operation: "create" | "update";
  /** Whose rule holds. */
  readonly action: "create" | "update";
}

interface WriteRun {
  readonly write: "create" | "update";
  /** Whose rules hold. */
  readonly actions: readonly WriteAction[];
  readonly event: WriteEvent;
  readonly publishes: boolean;
  readonly answer: Parameters<WriteParts["reads"]["read"]>[0];
}

interface Changed {
  readonly row: Version;
  readonly pending: PendingRow | undefined;
  /** All versions of the document as they were, or the new one. */
  readonly versions: readonly Version[];
  /** Rows of other locales that got a part of the change. */
  readonly others: readonly Version[];
}

interface PublishRun extends Pick<WriteRun, "actions" | "event"> {
  readonly changed: Changed;
}

interface Published {
  /** Rows that were written by it. */
  readonly written: readonly Version[];
  readonly last: readonly Statement[];
}

const statementsOf = (pending: PendingRow | undefined): readonly Statement[] => (pending ? [pending.alone] : []);

/** The answer where there is no document to change. @throws PLINTH_DOCUMENT_VERSION_MISMATCH (412) where one is expected */
function absent(precondition: Precondition): null {
  checkVersion(precondition, [], true);
  return null;
}

const idOf = ({ id }: Version): string => id;
const isElsewhere = (version: Version, { locale }: Version): boolean => version.locale !== locale;

interface UpdateOf {
  readonly input: WriteInput;
  readonly locale: WriteLocale;
  readonly isNew: boolean;
  readonly alsoPublished: boolean;
}

/** What a document id may be: no row id, and nothing that a path has to escape. */
const DOCUMENT_ID = /^(?!\d{1,15}$)[A-Za-z0-9_-]{1,255}$/;

/**
 * Takes the document id out of what trusted code creates; of a client's body it is an unknown key.
 *
 * @throws PLINTH_INPUT_INVALID (400)
 */
function namedDocument(params: CreateParams): { readonly named?: string; readonly params: CreateParams } {
  if (params.data?.["documentId"] === undefined || params.visibility === "public") return { params };
  const { documentId: named, ...data } = params.data;
  if (typeof named === "string" && DOCUMENT_ID.test(named)) return { named, params: { ...params, data } };
  const message = "documentId must be a string of letters, digits, - and _ that is no row id";
  throw new InvalidInputError({ errors: [{ path: ["documentId"], message, name: "ValidationError" }] });
}

/** The document id of a single type: the same in every database. */
function singleTypeId(uid: string): string {
  const digest = createHash("sha256").update(uid).digest();
  return Array.from(digest.subarray(0, ID_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
