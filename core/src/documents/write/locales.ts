import type { ContentModel, ContentType, ScalarAttribute } from "../../schema/model.js";
import { LocaleWildcardError, UnknownLocaleError } from "../errors.js";
import { isScalarKind } from "../../schema/attribute.js";
import { generateUid } from "../input/generate-uid.js";
import type { WriteInput } from "../input.js";
import type { Statement } from "../../database/driver/database.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";

/** The locale of a create or update, `""` on types that are not localised, and the one that its relations are written in. */
export interface WriteLocale {
  readonly row: string;
  readonly relations: string;
}

/**
 * Reads the `locale` of a create or update.
 *
 * @throws PLINTH_DOCUMENT_LOCALE_WILDCARD (400) details `{}`
 * @throws PLINTH_DOCUMENT_UNKNOWN_LOCALE (400) details `{ locale, known }`
 */
export function writeLocale(model: ContentModel, type: ContentType, locale: string | undefined): WriteLocale {
  if (locale === "*") throw new LocaleWildcardError({});
  const known = knownLocale(model, locale);
  return { row: type.isLocalized ? known : "", relations: known };
}

/**
 * Reads the `locale` of an operation on versions: one, several, or `*` for all there are.
 *
 * @returns undefined for all.
 * @throws PLINTH_DOCUMENT_UNKNOWN_LOCALE (400)
 */
export function versionLocales(
  model: ContentModel,
  type: ContentType,
  locale: string | readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (locale === "*") return undefined;
  const named = typeof locale === "object" ? locale : [locale];
  const known = named.map((name) => knownLocale(model, name));
  return new Set(type.isLocalized ? known : [""]);
}

function knownLocale(model: ContentModel, locale: string | undefined): string {
  if (locale === undefined || locale === "") return model.defaultLocale;
  if (typeof locale !== "string" || !model.locales.includes(locale))
    throw new UnknownLocaleError({ locale: String(locale), known: model.locales });
  return locale;
}

/**
 * What a write that starts a locale says about the new row: its body, and the defaults and uids of the attributes that the
 * locale has for itself and the body leaves out.
 *
 * @param model - the version whose shared attributes the locale starts with.
 */
export function startLocale(type: ContentType, input: WriteInput, model: Version): WriteInput {
  const own = [...type.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute => isScalarKind(attribute.kind) && attribute.isLocalized,
  );
  const defaults = own.flatMap(({ name, defaultValue }) =>
    defaultValue === undefined ? [] : [[name, defaultValue] as const],
  );
  const scalars = new Map<string, unknown>([...defaults, ...input.scalars]);
  const generated = new Set<string>();
  const isOwn = (name: string) => scalars.has(name) || type.attributes.get(name)?.isLocalized;
  const textOf = (name: string) => (isOwn(name) ? scalars.get(name) : model.content[name]);
  for (const attribute of own) {
    const uid = scalars.has(attribute.name) ? undefined : generateUid(attribute, type, textOf);
    if (uid === undefined) continue;
    scalars.set(attribute.name, uid);
    generated.add(attribute.name);
  }
  return { ...input, scalars, generated };
}

/**
 * Gives the shared attributes of a row to the same version (draft or published) of the document in its other locales,
 * in one round trip; their `updated_at` stays.
 *
 * @param versions - all versions of the document.
 * @source plugins/content-api/WIRE.md#locales
 */
export async function shareWithLocales(
  scope: WriteScope,
  plan: WritePlan,
  row: Version,
  versions: readonly Version[],
): Promise<void> {
  const others = versions.filter((version) => version.isDraft === row.isDraft && version.locale !== row.locale);
  if (!plan.isShared || others.length === 0) return;
  if (!row.isDraft)
    for (const { documentId, locale } of others)
      scope.attempts.push({ plan, documentId, locale, content: row.content, generated: scope.generated });
  const columns = plan.sql.share === undefined ? [] : [{ text: plan.sql.share, values: [row.id], isPlan: true }];
  await scope.db.queryAll([...columns, ...sharedLinks(plan, row, [...new Set(others.map(({ id }) => id))])]);
}

/** Gives the links of shared attributes to rows that have these already. */
export async function copySharedLinks(
  scope: WriteScope,
  plan: WritePlan,
  row: Version,
  rowIds: readonly string[],
): Promise<void> {
  const statements = sharedLinks(plan, row, rowIds);
  if (statements.length > 0) await scope.db.queryAll(statements);
}

/** Components of shared attributes and of others may link by the same attribute: what each row holds is looked up. */
function sharedLinks({ codes, sql }: WritePlan, row: Version, rowIds: readonly string[]): readonly Statement[] {
  const ids = [row.id, rowIds];
  const { links, giveHeld } = sql;
  const statements = [
    ...(links && codes.shared.length > 0 ? [{ text: links.copy, values: [...ids, codes.shared] }] : []),
    ...(links && codes.unexplained ? [{ text: links.add, values: [...ids, codes.unexplained] }] : []),
    ...(giveHeld === undefined ? [] : [{ text: giveHeld, values: ids }]),
  ];
  return statements.map((statement) => ({ ...statement, isPlan: true }));
}
