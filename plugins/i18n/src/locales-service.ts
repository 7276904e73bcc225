import type { App, SyncEvent } from "@plinth/core";
import { assertChanges, assertNewLocale } from "./check-locale.js";
import type { Locale, LocaleChanges, Locales, NewLocale } from "./contract.js";
import { DefaultLocaleNeededError, LocaleInUseError } from "./errors.js";
import { lockOf } from "./keep-locale.js";
import { listLocales, type LiveLocales, viewOf } from "./live-locales.js";
import { LOCALE_TABLE, LOCALE_TYPE } from "./locale-type.js";

/** Makes the service of locales. */
export function createLocales(app: App, live: LiveLocales): Locales {
  const documents = app.documents(LOCALE_TYPE);
  const findOne = async (documentId: string) => {
    const document = await documents.findOne({ documentId });
    return document ? viewOf(document) : undefined;
  };

  const change = async <T>(work: () => Promise<T>): Promise<T> => {
    const result = await withLock(app, work);
    await live.settled();
    return result;
  };

  return {
    list: () => listLocales(app),
    findOne,
    create: (values) =>
      change(async () => {
        const known = await listLocales(app);
        assertNewLocale(values, known);
        const { code, name = localeName(code), isDefault = false, fallback = [] } = values;
        if (isDefault) await unsetDefault(app, known);
        return viewOf(await documents.create({ data: { code, name, isDefault, fallback } }));
      }),
    update: (documentId, changes) =>
      change(async () => {
        const known = await listLocales(app);
        const locale = known.find((each) => each.documentId === documentId);
        if (!locale) return undefined;
        assertChanges(changes, locale, known);
        if (changes.isDefault && !locale.isDefault) await unsetDefault(app, known);
        await documents.update({ documentId, data: dataOf(changes) });
        return findOne(documentId);
      }),
    remove: (documentId, { force = false } = {}) =>
      change(async () => {
        const known = await listLocales(app);
        const locale = known.find((each) => each.documentId === documentId);
        if (!locale) return false;
        await assertRemovable(app, locale, force);
        await removeFromFallbacks(app, locale.code, known);
        await documents.delete({ documentId });
        return true;
      }),
  };
}

/**
 * Makes the locales of the configuration, in a database that has none yet.
 *
 * @throws PLINTH_I18N_INVALID (400) for an invalid code
 */
export async function seedLocales(app: App, locales: Locales): Promise<void> {
  const { defaultLocale, locales: codes, fallbacks } = app.model;
  const seeds: readonly NewLocale[] = codes.map((code) => ({ code, isDefault: code === defaultLocale }));
  const made = new Map<string, string>();
  await withLock(app, async () => {
    if ((await locales.list()).length > 0) return;
    for (const seed of seeds) {
      const { documentId } = await locales.create(seed);
      made.set(seed.code, documentId);
    }
    for (const [code, fallback] of fallbacks) await locales.update(made.get(code) ?? "", { fallback });
  });
}

/** One change at a time, across processes, so that there is always one default. */
function withLock<T>(app: App, work: () => Promise<T>): Promise<T> {
  return app.db.transaction(async () => {
    await app.db.lock("plinth i18n locales");
    return work();
  });
}

async function unsetDefault(app: App, known: readonly Locale[]): Promise<void> {
  for (const { documentId, isDefault } of known)
    if (isDefault) await app.documents(LOCALE_TYPE).update({ documentId, data: { isDefault: false } });
}

/**
 * Locks the locale at last: from then on no write makes content in it. What is there already is found before, so that writers wait a
 * moment only.
 *
 * @throws PLINTH_I18N_DEFAULT_NEEDED, PLINTH_I18N_LOCALE_IN_USE (409)
 */
async function assertRemovable(app: App, { code, isDefault }: Locale, force: boolean): Promise<void> {
  if (isDefault) throw new DefaultLocaleNeededError({ code });
  if (force) await deleteContent(app, code);
  else await assertEmpty(app, code);
  await app.db.lock(lockOf(code));
  if (force) await deleteContent(app, code);
  await assertEmpty(app, code);
}

/** @throws PLINTH_I18N_LOCALE_IN_USE (409) */
async function assertEmpty(app: App, code: string): Promise<void> {
  const uids: string[] = [];
  for (const uid of localizedTypes(app)) if ((await findDocumentIds(app, uid, code)).length > 0) uids.push(uid);
  if (uids.length > 0) throw new LocaleInUseError({ code, uids });
}

/** Deletes what documents have in a locale, one by one with their hooks, which may keep some. */
async function deleteContent(app: App, code: string): Promise<void> {
  for (const uid of localizedTypes(app)) {
    let batch = await findDocumentIds(app, uid, code);
    while (batch.length > 0) {
      for (const documentId of batch) await app.documents(uid).delete({ documentId, locale: code });
      batch = await findDocumentIds(app, uid, code, batch.at(-1));
    }
  }
}

const localizedTypes = (app: App): readonly string[] =>
  [...app.model.contentTypes.values()].filter(({ isLocalized }) => isLocalized).map(({ uid }) => uid);

const BATCH = 500;

/** Ids of some documents that have a version in a locale, in their order after another id; none when no document has. */
async function findDocumentIds(app: App, uid: string, code: string, after = ""): Promise<readonly string[]> {
  const query = app.db.model(uid).query().distinct("document_id").where({ locale: code });
  const rows = await query.where("document_id", ">", after).orderBy("document_id").limit(BATCH);
  return rows.map((row) => String(row.toJSON()["document_id"]));
}

/** Takes a locale out of the fallbacks of the others. */
async function removeFromFallbacks(app: App, code: string, known: readonly Locale[]): Promise<void> {
  for (const { documentId, fallback } of known) {
    if (!fallback.includes(code)) continue;
    const data = { fallback: fallback.filter((other) => other !== code) };
    await app.documents(LOCALE_TYPE).update({ documentId, data });
  }
}

function dataOf({ name, isDefault, fallback }: LocaleChanges): Readonly<Record<string, unknown>> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(isDefault === undefined ? {} : { isDefault }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** What people call a locale: `French (fr)`; the code where there is no such language. */
function localeName(code: string): string {
  const name = languageOf(code.replaceAll("_", "-"));
  return name === undefined ? code : `${name} (${code})`;
}

/** A code such as `en-x` has the form of ours and not that of a language tag. */
function languageOf(tag: string): string | undefined {
  try {
    return names.of(tag);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Uses the default locale of the database, where it has one, before the tables are updated to the content-types: it is
 * the one that content goes to, or stays in, when localisation of a type is turned on or off.
 */
export async function useStoredDefault({ db, model }: SyncEvent): Promise<void> {
  const [table] = await db.query<{ exists: boolean }>({
    text: "select to_regclass($1) is not null as exists",
    values: [LOCALE_TABLE],
  });
  if (!table?.exists) return;
  const stored = await db.query<{ code: string; isDefault: boolean }>({
    text: `select code, is_default as "isDefault" from ${LOCALE_TABLE} order by id`,
    values: [],
  });
  const found = stored.find(({ isDefault }) => isDefault);
  if (found) model.useLocales({ defaultLocale: found.code, locales: stored.map(({ code }) => code) });
}
