// Content is made in a locale that is there, and that stays until it is made.
import { alongLoad, type App, lockStatement, type RegisterContext, type Statement, writeHooks } from "@plinth/core";
import { UnknownLocaleError } from "@plinth/core/reads";
import { liveLocales } from "./live-locales.js";
import { LOCALE_TABLE } from "./locale-type.js";

/** SQLSTATE of a division by zero. @source https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DIVISION_BY_ZERO = "22012";

/** Name of the lock that who makes content in a locale shares, and that who deletes the locale has alone. */
export const lockOf = (code: string): string => `plinth i18n locale ${code}`;

/** Registers the checks of writes that give a document a locale; what changes one in a locale that it has needs none. */
export function keepLocales({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
  on(writeHooks.create.ahead, ({ uid, locales }) => statementsOf(app, uid, locales));
  on(alongLoad, ({ uid, versions }) => statementsOf(app, uid, new Set(versions.map(({ locale }) => locale))));
}

function statementsOf(app: App, uid: string, locales: Iterable<string>): readonly Statement[] {
  if (!app.model.contentTypes.get(uid)?.isLocalized || !app.service(liveLocales).isOpen) return [];
  return [...locales].toSorted().flatMap((locale) => keepLocale(app, locale));
}

/**
 * Waits for who deletes a locale, and fails where they have: another process may have done so a moment ago. Two statements,
 * because one that waits for a lock does not see what was done meanwhile. Not a lock of the row: each would be written to it.
 */
function keepLocale({ model }: App, locale: string): readonly Statement[] {
  const failsAs = (error: Error & { readonly code?: unknown }): Error | undefined =>
    error.code === DIVISION_BY_ZERO
      ? new UnknownLocaleError({ locale, known: model.locales.filter((known) => known !== locale) })
      : undefined;
  const text = `select 1 / count(*) from ${LOCALE_TABLE} where code = $1`;
  return [lockStatement([lockOf(locale)], "shared"), { text, values: [locale], isPlan: true, failsAs }];
}
