import { type Ability, type App, type ContentType, type Document, ForbiddenError, unlimited } from "@plinth/core";
import type { LinkTarget } from "../contract.js";
import { LinkInvalidError } from "../errors.js";

/** A document that was found for files to be put into. */
export interface LinkedDocument {
  readonly ref: string;
  readonly documentId: string;
  readonly field: string;
  readonly isMany: boolean;
  /** Undefined on types that are not localised. */
  readonly locale: string | undefined;
  readonly ability: Ability;
}

/** A text of digits that a row id can have; document ids are longer. */
const ROW_ID = /^\d{1,15}$/;

/**
 * Finds the document and the attribute of a link, before anything is stored.
 *
 * @param ability - whose rules hold for the change of the document. Default: everything.
 * @throws PLINTH_UPLOAD_LINK_INVALID (400), PLINTH_ACCESS_FORBIDDEN (403)
 * @source wire.md section 0, "Upload's `refId`"
 */
export async function findLinked(
  app: App,
  { ref, refId, field }: LinkTarget,
  ability: Ability = unlimited,
): Promise<LinkedDocument> {
  const type = app.model.contentTypes.get(ref);
  if (!type) throw new LinkInvalidError({ key: "ref", reason: `names no content-type: "${ref}"` });
  const attribute = type.attributes.get(field);
  if (attribute?.kind !== "media") {
    throw new LinkInvalidError({ key: "field", reason: `names no media attribute of ${ref}: "${field}"` });
  }
  if (!ability.can(`${ref}.update`)) throw new ForbiddenError({});
  const { documentId, locale } = await findRow(app, type, refId);
  return { ref, documentId, field, isMany: attribute.isMany, ability, locale: type.isLocalized ? locale : undefined };
}

async function findRow(app: App, type: ContentType, refId: string) {
  const query = app.db.model(type.uid).query().select("document_id", "locale");
  const where = ROW_ID.test(refId) ? { id: refId } : { document_id: refId };
  const rows = await query.where(where).orderBy("id");
  const row = rows.find(({ locale }) => locale === app.model.defaultLocale) ?? rows[0];
  if (!row) throw new LinkInvalidError({ key: "refId", reason: `names no document of ${type.uid}: "${refId}"` });
  return { documentId: row.document_id, locale: row.locale };
}

/**
 * Puts files into the attribute of a document, in its draft and its published row: at the end of a list, or in place of
 * the one that was there, of which the last one stays.
 *
 * @throws PLINTH_INPUT_INVALID (400) for files of a type that the attribute does not allow
 * @throws PLINTH_UPLOAD_LINK_INVALID (400) when the document is gone, or out of the ability's reach
 */
export async function linkFiles(app: App, linked: LinkedDocument, files: readonly Document[]): Promise<void> {
  const { ref, documentId, field, isMany, locale, ability } = linked;
  const targets = files.map((file) => file.documentId);
  const data = { [field]: isMany ? { connect: targets } : (targets.at(-1) ?? null) };
  const updated = await app.documents(ref).update({
    ...{ documentId, data, ability, alsoPublished: true },
    ...(locale === undefined ? {} : { locale }),
  });
  if (!updated) throw new LinkInvalidError({ key: "refId", reason: `names no document of ${ref}: "${documentId}"` });
}
