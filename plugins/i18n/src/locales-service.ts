import type { App } from "@plinth/core";
import { assertChanges, assertNewLocale } from "./check-locale.js";
import type { Locale, LocaleChanges, Locales, NewLocale } from "./contract.js";
import { DefaultLocaleNeededError, LocaleInUseError } from "./errors.js";
import { type LiveLocales, listLocales, viewOf } from "./live-locales.js";
import { localeName } from "./locale-name.js";
import { LOCALE_TABLE, LOCALE_TYPE } from "./locale-type.js";

/** Makes the service of locales. */
export function createLocales(app: App, live: LiveLocales): Locales {
  const documents = app.documents(LOCALE_TYPE);
  const findOne = async (documentId: string) => {
    const document = await documents.findOne({ documentId });
    return document ? viewOf(document) : undefined;
  };

  const change = async <T>(work: () => Promise<T>): Promise<T> => {
    const result = await alone(app, work);
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
        const { code, name = localeName(code), isDefault = false } = values;
        if (isDefault) await dethrone(app, known);
        return viewOf(await documents.create({ data: { code, name, isDefault } }));
      }),
    update: (documentId, changes) =>
      change(async () => {
        const known = await listLocales(app);
        const locale = known.find((each) => each.documentId === documentId);
        if (!locale) return undefined;
        assertChanges(changes, locale);
        if (changes.isDefault && !locale.isDefault) await dethrone(app, known);
        await documents.update({ documentId, data: dataOf(changes) });
        return findOne(documentId);
      }),
    remove: (documentId) =>
      change(async () => {
        const locale = await findOne(documentId);
        if (!locale) return false;
        await assertRemovable(app, locale);
        await documents.delete({ documentId });
        return true;
      }),
  };
}

/**
 * Makes the locales of the configuration, in a database that has none yet.
 *
 * @throws PLINTH_I18N_INVALID (400) for a code that is none
 */
export async function seedLocales(app: App, locales: Locales): Promise<void> {
  const { defaultLocale, locales: codes } = app.model;
  const seeds: readonly NewLocale[] = codes.map((code) => ({ code, isDefault: code === defaultLocale }));
  await alone(app, async () => {
    if ((await locales.list()).length > 0) return;
    for (const seed of seeds) await locales.create(seed);
  });
}

/** One change at a time, in whatever process, so that there is always one default. */
function alone<T>(app: App, work: () => Promise<T>): Promise<T> {
  return app.db.transaction(async () => {
    await app.db.query({ text: `lock table ${LOCALE_TABLE} in share row exclusive mode`, values: [] });
    return work();
  });
}

async function dethrone(app: App, known: readonly Locale[]): Promise<void> {
  for (const { documentId, isDefault } of known)
    if (isDefault) await app.documents(LOCALE_TYPE).update({ documentId, data: { isDefault: false } });
}

/** @throws PLINTH_I18N_DEFAULT_NEEDED (409), PLINTH_I18N_LOCALE_IN_USE (409) */
async function assertRemovable(app: App, { code, isDefault }: Locale): Promise<void> {
  if (isDefault) throw new DefaultLocaleNeededError({ code });
  const uids: string[] = [];
  for (const { uid, isLocalized } of app.model.contentTypes.values())
    if (isLocalized && (await app.db.model(uid).query().findOne({ locale: code }))) uids.push(uid);
  if (uids.length > 0) throw new LocaleInUseError({ code, uids });
}

function dataOf({ name, isDefault }: LocaleChanges): Readonly<Record<string, unknown>> {
  return { ...(name === undefined ? {} : { name }), ...(isDefault === undefined ? {} : { isDefault }) };
}
