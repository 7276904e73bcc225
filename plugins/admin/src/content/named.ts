import type { App } from "@plinth/core";
import { CODE_BUDGET, parseReadParams, reachOfDrafts, type SelectionRequest } from "@plinth/core/reads";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { type ContentModel, type ContentType, isRelation } from "@plinth/core/schema";
import type { NamedDocuments } from "../wire/content.js";
import { FILE_FIELDS, viewOfFile } from "./file-view.js";
import { relatedOf, relatedRequest, STATE } from "./related.js";
import { namedBody, readBody } from "./request-body.js";
import { isShown } from "./shown-types.js";

/** `POST /admin/api/named`: names of documents and files by their ids, as far as the caller sees them. Nothing is written. */
export async function nameDocuments(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { documents, files, locale } = readBody(namedBody, request);
  const uids = [...new Set(documents.map(({ uid }) => uid))];
  const named = await Promise.all(
    uids.map(async (uid) => {
      const type = app.model.contentTypes.get(uid);
      const ids = documents.filter((each) => each.uid === uid).map(({ documentId }) => documentId);
      return type && namedTypes(app.model).has(uid) ? await readNamed(app, request, { type, ids, locale }) : [];
    }),
  );
  const fileType = app.model.contentTypes.get(app.model.fileType ?? "");
  const found = fileType && files.length > 0 ? await readFiles(app, request, fileType, files) : [];
  const body: NamedDocuments = { data: named.flat().map(relatedOf), files: found.map(viewOfFile) };
  return { status: 200, body, isRead: true };
}

const known = new WeakMap<ContentModel, ReadonlySet<string>>();

/** Types that the page shows, or that something in them links to: others have no names here. */
function namedTypes(model: ContentModel): ReadonlySet<string> {
  const named = known.get(model) ?? findNamed(model);
  known.set(model, named);
  return named;
}

function findNamed({ contentTypes, components }: ContentModel): ReadonlySet<string> {
  const shown = [...contentTypes.values()].filter(isShown);
  const attributes = [...shown, ...components.values()].flatMap((shape) => [...shape.attributes.values()]);
  const targets = attributes.flatMap((attribute) => (isRelation(attribute) ? (attribute.target ?? []) : []));
  return new Set([...shown.map(({ uid }) => uid), ...targets]);
}

interface Wanted {
  readonly type: ContentType;
  readonly ids: readonly string[];
  readonly locale: string | undefined;
}

/** As a relation shows them: the draft where drafts may be read, in the language of the document that links to them. */
function readNamed(app: App, request: RequestInfo, { type, ids, locale }: Wanted): Promise<readonly object[]> {
  const inLocale = type.isLocalized && locale !== undefined ? { locale } : {};
  return read(app, request, type, { ids, selection: relatedRequest(app.model, type), params: inLocale });
}

function readFiles(
  app: App,
  request: RequestInfo,
  type: ContentType,
  ids: readonly string[],
): Promise<readonly object[]> {
  const known = FILE_FIELDS.filter((field) => type.attributes.has(field) || type.systemFields.has(field));
  const selection = { fields: known.map((name) => ({ name })), populate: [] };
  return read(app, request, type, { ids, selection, params: {} });
}

interface Read {
  readonly ids: readonly string[];
  readonly selection: SelectionRequest;
  readonly params: object;
}

async function read(app: App, { actor }: RequestInfo, type: ContentType, { ids, selection, params }: Read) {
  const { ability } = actor;
  if (ability.reachOf(`${type.uid}.find`).rows === "nothing") return [];
  const status = reachOfDrafts(app.model, ability, type).rows === "nothing" ? "published" : "draft";
  const asked = { filters: { documentId: { $in: ids } }, fallbackLocale: [], status, ...params };
  const prepared = parseReadParams(app.model, type, asked, {
    ...{ visibility: "admin", kind: "list", defaultStatus: "draft", asStored: true, facts: STATE },
    ...{ ability, selection, budget: CODE_BUDGET },
  });
  return (await app.documents(type.uid).read(prepared)).rows();
}
