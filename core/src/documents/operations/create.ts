import { createHash } from "node:crypto";
import { customAlphabet } from "nanoid";
import type { CreateParams, Document } from "../documents.js";
import { DocumentExistsError, InvalidInputError, messageOnly, SingleTypeExistsError } from "../errors.js";
import { buildRow } from "../write/build-row.js";
import { insertRow } from "../write/change-row.js";
import { type WriteLocale, writeLocale } from "../write/locales.js";
import { numberUids } from "../write/number-uids.js";
import { runWrite } from "../write/run-write.js";
import { update } from "./update.js";
import {
  answerWrite,
  callOf,
  idOf,
  lockVersions,
  openScope,
  parseBody,
  publishing,
  publishWritten,
  singleId,
  type WriteParts,
} from "./write-steps.js";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 24;
const randomId = customAlphabet(ALPHABET, ID_LENGTH);

/**
 * Creates a document, or, where one is named by its id, another locale of it.
 *
 * @throws PLINTH_INPUT_* , PLINTH_DOCUMENT_* , PLINTH_QUERY_* (400)
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for a document outside of the ability's rule
 */
export async function create(parts: WriteParts, given: CreateParams): Promise<Document> {
  const { layout, plan } = parts;
  const { type } = plan;
  if (type.kind === "singleType") return await createDocument(parts, given, singleTypeId(type.uid));
  const params = withName(given);
  const { documentId } = params;
  const locale = writeLocale(layout.model, type, params.locale);
  const found = documentId === undefined ? undefined : await addToNamed(parts, params, documentId, locale);
  return found ?? (await createDocument(parts, params, documentId ?? randomId()));
}

async function createDocument(parts: WriteParts, params: CreateParams, documentId: string): Promise<Document> {
  const { layout, listeners, plan, reads, runner } = parts;
  const { uid, kind, hasDrafts } = plan.type;
  const locale = writeLocale(layout.model, plan.type, params.locale);
  const publishes = params.status === "published";
  const isPublished = publishes && hasDrafts;
  // The document of a single type is made by updating it.
  const action = kind === "singleType" ? "update" : "create";
  const answer = reads.answerTo(params, documentId);
  const { data, input } = await parseBody(parts, params, { operation: "create", action, documentId: undefined });
  return await runWrite(runner, uid, async (attempts) => {
    const { ability, author } = params;
    const scope = openScope(parts, { attempts, versions: [], locale: locale.relations, ability, author });
    if (kind === "singleType") await assertNoDocument(parts);
    else if (params.documentId !== undefined) await assertNotMeanwhile(parts, documentId, locale);
    const actions = scope.rules.asked(plan.type, action, publishes);
    const event = {
      uid,
      documentId,
      locales: [locale.row],
      data,
      ...callOf(params),
      ...publishing(isPublished),
    };
    await listeners.before("create", event);
    await listeners.ahead("create", event);
    const place = { documentId, locale: locale.row };
    const change = await buildRow(scope, plan, await numberUids(scope, plan, input, place), []);
    const row = await insertRow(scope, plan, place, change);
    const published = isPublished ? await publishWritten(parts, scope, { row, versions: [row], actions, event }) : [];
    await scope.rules.assertReached(uid, actions, [row, ...published].map(idOf));
    return (await answerWrite(parts, answer, event, isPublished ? ["create", "publish"] : ["create"])) as Document;
  });
}

/**
 * A document that is named by its id gets another locale where it is there already.
 *
 * @returns undefined where there is no such document.
 * @throws PLINTH_DOCUMENT_EXISTS (400) where it has the locale
 */
async function addToNamed(
  parts: WriteParts,
  params: CreateParams,
  documentId: string,
  locale: WriteLocale,
): Promise<Document | undefined> {
  const { uid } = parts.plan.type;
  const versions = await parts.db.transaction(() => lockVersions(parts, documentId));
  if (versions.length === 0) return undefined;
  const added = versions.some((version) => version.locale === locale.row)
    ? null
    : await update(parts, { ...params, documentId, unlessVersion: "*" });
  if (!added) throw new DocumentExistsError({ [messageOnly]: { uid, documentId, locale: locale.row } });
  return added;
}

/** Of two that create the same document at once, the second finds it when its write runs again. */
async function assertNotMeanwhile(parts: WriteParts, documentId: string, { row }: WriteLocale): Promise<void> {
  const { uid } = parts.plan.type;
  const versions = await lockVersions(parts, documentId);
  if (versions.length > 0) throw new DocumentExistsError({ [messageOnly]: { uid, documentId, locale: row } });
}

/** Concurrent creates meet in the unique index, because the id of a single type's document is always the same. */
async function assertNoDocument(parts: WriteParts): Promise<void> {
  const documentId = await singleId(parts);
  if (documentId !== undefined) throw new SingleTypeExistsError({ uid: parts.plan.type.uid, documentId });
}

/** What a document id may be: no row id, and nothing that a path has to escape. */
const DOCUMENT_ID = /^(?!\d{1,15}$)[A-Za-z0-9_-]{1,255}$/;

/**
 * The parameters with the id that the document is to have, if it is named: by a parameter, or in what trusted code
 * creates; in a client's body it is an unknown key.
 *
 * @throws PLINTH_INPUT_INVALID (400)
 */
function withName(given: CreateParams): CreateParams {
  const isCode = (given.visibility ?? "code") === "code";
  const { documentId: inData, ...rest } = given.data ?? {};
  const named = given.documentId ?? (isCode ? inData : undefined);
  if (named === undefined) return given;
  if (typeof named === "string" && DOCUMENT_ID.test(named))
    return { ...given, documentId: named, data: isCode ? rest : given.data };
  const message = "documentId must be a string of letters, digits, - and _ that is not a row id";
  throw new InvalidInputError({ errors: [{ path: ["documentId"], message, name: "ValidationError" }] });
}

/** The document id of a single type: the same in every database. */
function singleTypeId(uid: string): string {
  const digest = createHash("sha256").update(uid).digest();
  return Array.from(digest.subarray(0, ID_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
