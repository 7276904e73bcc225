import type { App } from "@plinth/core";
import type { FieldRequest } from "@plinth/core/reads";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { type ContentModel, type ContentType, isRelation } from "@plinth/core/schema";
import type { NamedDocuments } from "../wire/content.js";
import { FILE_FIELDS, viewOfFile } from "./file-view.js";
import { readByIds } from "./read-by-ids.js";
import { relatedOf, relatedRequest } from "./related.js";
import { namedBody, readBody } from "./request-body.js";
import { isShown } from "./shown-types.js";

/** `POST /admin/api/named`: names of documents and files by their ids, as far as the caller sees them. Nothing is written. */
export async function nameDocuments(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { ability } = request.actor;
  const { documents, files, locale } = readBody(namedBody, request);
  const uids = [...new Set(documents.map(({ uid }) => uid))];
  const named = await Promise.all(
    uids.map(async (uid) => {
      const type = app.model.contentTypes.get(uid);
      if (!type || !namedTypes(app.model).has(uid)) return [];
      const documentIds = documents.filter((each) => each.uid === uid).map(({ documentId }) => documentId);
      const selection = relatedRequest(app.model, type);
      return await readByIds(app, ability, { type, documentIds, selection, locale });
    }),
  );
  const fileType = app.model.contentTypes.get(app.model.fileType ?? "");
  const selection = fileType && { fields: fieldsOfFiles(fileType), populate: [] };
  const found =
    selection && files.length > 0
      ? await readByIds(app, ability, { type: fileType, documentIds: files, selection })
      : [];
  const body: NamedDocuments = { data: named.flat().map(relatedOf), files: found.map(viewOfFile) };
  return { status: 200, body, isRead: true };
}

const fieldsOfFiles = ({ attributes, systemFields }: ContentType): readonly FieldRequest[] =>
  FILE_FIELDS.filter((name) => attributes.has(name) || systemFields.has(name)).map((name) => ({ name }));

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
