import type { SyncEvent } from "@plinth/core";
import { LOCALE_TABLE } from "./locale-type.js";

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
