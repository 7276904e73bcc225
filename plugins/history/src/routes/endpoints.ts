import { type App, NotFoundError } from "@plinth/core";
import { type Endpoint, expectedVersions, type RequestInfo, unexpectedVersions } from "@plinth/core/http";
import type { Visibility } from "@plinth/core/reads";
import { history, type Restorer, type VersionedDocument, type Viewer } from "../contract.js";
import { TABLE } from "../table.js";
import { readQuery, readRestore } from "./read-request.js";

/** What is asked of the versions of a document, over any API. */
export interface HistoryEndpoints {
  readonly list: Endpoint;
  readonly findOne: Endpoint;
  readonly compare: Endpoint;
  readonly restore: Endpoint;
  readonly deleted: Endpoint;
}

const DELETED = 25;

/**
 * Makes the endpoints.
 *
 * @param uidOf - the content-type that a request is about.
 */
export function createEndpoints(
  app: App,
  visibility: Visibility,
  uidOf: (request: RequestInfo) => string,
): HistoryEndpoints {
  const viewer = ({ actor }: RequestInfo): Viewer => ({ visibility, ability: actor.ability });
  const service = () => app.service(history);
  return {
    list: async (request) => {
      const uid = uidOf(request);
      return found(await service().list(uid, await documentOf(app, uid, request), viewer(request)));
    },
    findOne: async (request) => {
      const uid = uidOf(request);
      const version = { ...(await documentOf(app, uid, request)), id: idOf(request) };
      return found(await service().findOne(uid, version, viewer(request)));
    },
    compare: async (request) => {
      const uid = uidOf(request);
      const pair = {
        ...(await documentOf(app, uid, request)),
        from: idOf(request),
        to: readQuery(request).to ?? "now",
      };
      return found(await service().compare(uid, pair, viewer(request)));
    },
    restore: async (request) => {
      const uid = uidOf(request);
      const wanted = { ...(await documentOf(app, uid, request)), id: idOf(request), ...readRestore(request) };
      return found(await service().restore(uid, wanted, restorer(request, viewer(request))));
    },
    deleted: async (request) => {
      const { limit = DELETED, attributes = "" } = readQuery(request);
      const query = { limit: Number(limit), attributes: attributes.split(",") };
      return found(await service().deleted(uidOf(request), query, viewer(request)));
    },
  };
}

const found = (data: unknown) => ({ status: 200, body: { data } });

const idOf = ({ params }: RequestInfo): string => params["version"] ?? "";

/** An administrator becomes the author of what they write. */
function restorer(request: RequestInfo, viewer: Viewer): Restorer {
  const { actor, headers } = request;
  const isAdmin = viewer.visibility === "admin";
  return {
    ...viewer,
    author: isAdmin && actor.user ? { id: actor.user.id } : undefined,
    ifVersion: expectedVersions(headers),
    unlessVersion: unexpectedVersions(headers),
  };
}

/** Stands in paths of administrators for the document of a single type; that of the content API names none. */
const SINGLE = "single";

/** @throws PLINTH_HTTP_NOT_FOUND (404) */
async function documentOf(app: App, uid: string, request: RequestInfo): Promise<VersionedDocument> {
  const { locale } = readQuery(request);
  const { documentId = SINGLE } = request.params;
  const isSingle = app.model.contentTypes.get(uid)?.kind === "singleType";
  if (isSingle !== (documentId === SINGLE)) throw new NotFoundError({});
  return { documentId: isSingle ? await singleId(app, uid) : documentId, locale };
}

async function singleId(app: App, uid: string): Promise<string> {
  const text = `select document_id as id from ${TABLE} where uid = $1 and action = 'delete' order by id desc limit 1`;
  const known = await app.documents(uid).singleId();
  const [deleted] = known === undefined ? await app.db.query<{ id: string }>({ text, values: [uid] }) : [];
  const id = known ?? deleted?.id;
  if (id === undefined) throw new NotFoundError({});
  return id;
}
