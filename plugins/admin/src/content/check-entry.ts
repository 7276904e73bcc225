import { type App, type CreateParams, type Document, isPlinthError, NotFoundError, type Status } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { CheckResult, Problem } from "../wire/content.js";
import { checkBody, invalidRequest, readBody } from "./request-body.js";
import { typeFor } from "./shown-types.js";
import { takenValues } from "./taken-values.js";
import { BY_ADMIN, localeParam, who } from "./write-entry.js";

type Data = CreateParams["data"];
type Write = (data: Data) => Promise<Document | null>;

/**
 * `POST /admin/api/content/:uid/check?mode=publish`: what a save, or a publication, would be refused for. It is the write
 * itself in a transaction that is rolled back, so there is one validation; handlers of `before*` and `after*` run with
 * `isTrial` in their event, those of `on*` do not.
 *
 * @throws PLINTH_HTTP_NOT_FOUND (404) for a document that is not there
 */
export async function checkEntry(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { documentId, locale, data } = readBody(checkBody, request);
  const isPublication = isForPublication(request.query["mode"]);
  const type = typeFor(app, request);
  const isNew = documentId === null && type.kind === "collectionType";
  typeFor(app, request, isNew ? "create" : "update");
  if (isPublication && type.hasDrafts) typeFor(app, request, "publish");
  const documents = app.documents(type.uid);
  const status: Status = isPublication || !type.hasDrafts ? "published" : "draft";
  const version = { locale: type.isLocalized ? locale : undefined };
  const common = { ...BY_ADMIN, isTrial: true, status, ...localeParam(version.locale) };
  const write: Write = (values) => {
    const params = { ...common, ...who(request), data: values };
    if (type.kind === "singleType") return documents.upsertSingle(params);
    return documentId === null ? documents.create(params) : documents.update({ ...params, documentId });
  };
  const id = type.kind === "singleType" ? await documents.singleId() : (documentId ?? undefined);
  const findTaken = (values: Data) =>
    status === "published" ? takenValues(app, { type, documentId: id, data: values, ...version }) : [];
  return { status: 200, body: { errors: await problemsOf(app, data, { write, findTaken }) } satisfies CheckResult };
}

/** @throws PLINTH_ADMIN_INVALID (400) */
function isForPublication(mode: unknown): boolean {
  if (mode === undefined || mode === "save" || mode === "publish") return mode === "publish";
  throw invalidRequest([{ path: "mode", message: "must be save or publish" }]);
}

/** How data are checked: by writing them, and for values that are taken where a write does not get as far. */
interface Checks {
  readonly write: Write;
  readonly findTaken: (data: Data) => Promise<readonly Problem[]> | readonly Problem[];
}

/**
 * Every problem of some data. A write ends at the first kind of problem: at a wrong form before a missing value, and at
 * that before a value that is taken. So it is tried again without the attributes that were refused.
 */
async function problemsOf(app: App, data: Data, { write, findTaken }: Checks): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const refused = new Set<unknown>();
  const add = (found: readonly Problem[]) => {
    const others = found.filter(({ path }) => !refused.has(path[0]));
    problems.push(...others);
    for (const { path } of others) refused.add(path[0]);
  };
  for (let rest = data; ; rest = without(rest, refused)) {
    const found = await tryWrite(app, rest, write);
    add(found);
    if (found.length === 0) return problems;
    if (Object.keys(rest).some((name) => refused.has(name))) continue;
    add(await findTaken(rest));
    return problems;
  }
}

const without = (data: Data, names: ReadonlySet<unknown>): Data =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name)));

/** Ends the transaction of a check: nothing is to be kept. */
class CheckedWrite extends Error {}

/** @returns what a write was refused for; nothing of it stays */
async function tryWrite(app: App, data: Data, write: Write): Promise<readonly Problem[]> {
  try {
    await app.db.transaction(async () => {
      if (!(await write(data))) throw new NotFoundError({});
      throw new CheckedWrite();
    });
    return [];
  } catch (error) {
    if (error instanceof CheckedWrite) return [];
    if (!isPlinthError(error) || error.status !== 400) throw error;
    const { errors } = error.details as { readonly errors?: readonly Problem[] };
    return errors?.map(problemOf) ?? [{ path: pathOf(error.details), message: error.message, code: error.code }];
  }
}

/** Values stay out of the answer: the form has them. */
const problemOf = ({ path, message, locale }: Problem): Problem =>
  locale === undefined ? { path, message } : { path, message, locale };

/** Where an error about one key stands. */
function pathOf(details: object): readonly string[] {
  const { key, path } = details as { readonly key?: unknown; readonly path?: unknown };
  const named = typeof path === "string" ? path : key;
  return typeof named === "string" ? named.split(".") : [];
}
