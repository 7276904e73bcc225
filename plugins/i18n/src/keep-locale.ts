// Content is made in a locale that is there, and that stays until it is made.
import { alongLoad, type App, lockStatement, type RegisterContext, type Statement, writeHooks } from "@plinth/core";
import { UnknownLocaleError } from "@plinth/core/reads";
import { liveLocales } from "./live-locales.js";
import { LOCALE_TABLE } from "./locale-type.js";

/** Name of the lock of a locale: writes that make content in it share it, its deletion has it alone. */
export const lockOf = (code: string): string => `plinth i18n locale ${code}`;

/** Registers the checks of writes that give a document a locale; what changes one in a locale that it has needs none. */
export function keepLocales({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
  on(writeHooks.create.ahead, ({ uid, locales }) => (isKept(app, uid) ? keep(app, locales) : []));
  on(alongLoad, ({ uid, versions }) => {
    if (!isKept(app, uid)) return [];
    // An archive may have content of a locale that was not there when it was written.
    const locales = new Set(versions.map(({ locale }) => locale).filter((code) => app.model.locales.includes(code)));
    return keep(app, [...locales].toSorted());
  });
}

const isKept = (app: App, uid: string): boolean =>
  app.model.contentTypes.get(uid)?.isLocalized === true && app.service(liveLocales).isOpen;

/**
 * Waits for a deletion of a locale that is under way, and fails where it is done: another process may have deleted it a moment ago.
 * Two statements, because one that waits for a lock does not see what was done meanwhile. Not a lock of the row, which is written to it.
 */
function keep({ model }: App, locales: readonly string[]): readonly Statement[] {
  return locales.flatMap((locale) => {
    const known = model.locales.filter((code) => code !== locale);
    const failsAs = (cause: Error) => new UnknownLocaleError({ locale, known }, { cause });
    const text = `select 1 / count(*) from ${LOCALE_TABLE} where code = $1`;
    return [lockStatement([lockOf(locale)], "shared"), { text, values: [locale], isPlan: true, failsAs }];
  });
}
