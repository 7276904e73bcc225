import { type Ability, type App, type Document, ForbiddenError, type Status } from "@plinth/core";
import { allowAction, FIND_DRAFTS, unlimited } from "@plinth/core/access";
import { parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import type { LinkTarget } from "../contract.js";
import { LinkInvalidError } from "../errors.js";

/** A document that was found for files to be put into. */
export interface LinkedDocument {
  readonly ref: string;
  /** The id as in the request, for messages. */
  readonly refId: string;
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
 * Finds the document and the attribute of a link, before anything is stored. A document that the ability does not reach
 * is answered as a missing one.
 *
 * @param ability - whose rules hold for the change of the document. Default: everything.
 * @throws PLINTH_UPLOAD_LINK_INVALID (400), PLINTH_ACCESS_FORBIDDEN (403)
 * @source plugins/content-api/WIRE.md#files
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
  const found = await findRow(app, type, refId);
  if (!found || !(await isReached(app, type, found, ability))) throw unknownDocument({ ref, refId });
  return { ref, refId, ...found, field, isMany: attribute.isMany, ability };
}

type Found = Pick<LinkedDocument, "documentId" | "locale">;

async function findRow(app: App, type: ContentType, refId: string): Promise<Found | undefined> {
  const query = app.db.model(type.uid).query().select("document_id", "locale");
  const where = ROW_ID.test(refId) ? { id: refId } : { document_id: refId };
  const rows = await query.where(where).orderBy("id");
  const row = rows.find(({ locale }) => locale === app.model.defaultLocale) ?? rows[0];
  return row && { documentId: row.document_id, locale: type.isLocalized ? row.locale : undefined };
}

/** Whether an actor may update every version of a document in a locale. */
async function isReached(app: App, type: ContentType, found: Found, ability: Ability): Promise<boolean> {
  const writer = allowAction(ability, `${type.uid}.${FIND_DRAFTS}`);
  const countOf = async (caller: Ability, status: Status) => {
    const { documentId, locale } = found;
    const params = { filters: { documentId }, status, fields: ["id"], ...(locale === undefined ? {} : { locale }) };
    const options = { visibility: "code", ability: caller, kind: "list", defaultStatus: status } as const;
    const prepared = parseReadParams(app.model, type, params, { ...options, action: `${type.uid}.update` });
    return (await app.documents(type.uid).read(prepared)).rows().length;
  };
  for (const status of ["draft", "published"] as const)
    if ((await countOf(writer, status)) < (await countOf(unlimited, status))) return false;
  return true;
}

function unknownDocument({ ref, refId }: Pick<LinkTarget, "ref" | "refId">): Error {
  return new LinkInvalidError({ key: "refId", reason: `names no document of ${ref}: "${refId}"` });
}

/**
 * Puts files into the attribute of a document, in its draft and its published row: at the end of a list, or in place of
 * the one that was there, of which the last one stays.
 *
 * @throws PLINTH_INPUT_INVALID (400) for files of a type that the attribute does not allow
 * @throws PLINTH_UPLOAD_LINK_INVALID (400) when the document is gone, or out of the ability's reach
 */
export async function linkFiles(app: App, linked: LinkedDocument, files: readonly Document[]): Promise<void> {
  const { ref, refId, documentId, field, isMany, locale, ability } = linked;
  const targets = files.map((file) => file.documentId);
  const data = { [field]: isMany ? { connect: targets } : (targets.at(-1) ?? null) };
  const updated = await app.documents(ref).update({
    ...{ documentId, data, ability, alsoPublished: true },
    ...(locale === undefined ? {} : { locale }),
  });
  if (!updated) throw unknownDocument({ ref, refId });
}
