import { type App, ForbiddenError } from "@plinth/core";
import type { DeletedDocument, Viewer } from "./contract.js";
import type { KeptType } from "./kept-types.js";
import type { KeptVersion } from "./reading/kept-versions.js";
import { seesAll, sightOf } from "./reading/sight.js";
import { TABLE } from "./table.js";

const MOST = 100;

interface Row extends Pick<KeptVersion, "key" | "at" | "origin"> {
  readonly documentId: string;
  readonly locale: string;
}

/** See History.deleted. */
export async function deletedDocuments(
  app: App,
  { type }: KeptType,
  limit: number,
  viewer: Viewer,
): Promise<readonly DeletedDocument[]> {
  const sight = sightOf(type, viewer);
  if (!sight.isTrusted && !seesAll(app, sight)) throw new ForbiddenError({});
  // Of a draft and a published row that go together, the draft comes last.
  const text = `select h.document_id as "documentId", h.locale, h.key, h.at, h.origin from ${TABLE} h
    where h.uid = $1 and h.action = 'delete'
      and not exists (select from "${type.table}" t where t.document_id = h.document_id and t.locale = h.locale)
      and not exists (select from ${TABLE} n where n.document_id = h.document_id and n.uid = h.uid and n.locale = h.locale and n.id > h.id)
    order by h.id desc limit $2`;
  const rows = await app.db.query<Row>({ text, values: [type.uid, Math.min(limit, MOST)] });
  return rows.map(({ key: id, at, origin, ...document }) => ({
    ...{ id, ...document, at: at.toISOString() },
    ...(sight.visibility === "public" ? {} : { origin }),
  }));
}
