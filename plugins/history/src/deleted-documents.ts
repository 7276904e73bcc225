import { type App, ForbiddenError } from "@plinth/core";
import { type Attribute, isRelation } from "@plinth/core/schema";
import type { DeletedDocument, DeletedQuery, Viewer } from "./contract.js";
import type { KeptType } from "./kept-types.js";
import type { Content, KeptVersion } from "./reading/kept-versions.js";
import { seesAll, sightOf } from "./reading/sight.js";
import { viewOf } from "./reading/view.js";
import { TABLE } from "./table.js";

const MOST = 100;
const never = () => false;

const isPlain = (attribute: Attribute): boolean =>
  !isRelation(attribute) && attribute.kind !== "component" && attribute.kind !== "dynamiczone";

/** Of what was kept, which may be large, what is named alone: a title is all that lists show. */
const VALUES = `(select jsonb_object_agg(v.key, v.value) from jsonb_each(h.content -> 'values') v where v.key = any($3::text[]))`;

interface Row extends Pick<KeptVersion, "key" | "at" | "origin"> {
  /** Of the attributes that are shown; null where there are none. */
  readonly values: Content["values"] | null;
  readonly documentId: string;
  readonly locale: string;
}

/** See History.deleted. */
export async function deletedDocuments(
  app: App,
  kept: KeptType,
  { limit, attributes = [] }: DeletedQuery,
  viewer: Viewer,
): Promise<readonly DeletedDocument[]> {
  const { type } = kept;
  const sight = sightOf(kept, viewer);
  if (!sight.isTrusted && !seesAll(app, sight)) throw new ForbiddenError({});
  const wanted = {
    ...sight,
    attributes: sight.attributes.filter((each) => attributes.includes(each.name) && isPlain(each)),
  };
  const named = wanted.attributes.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]);
  // Of a draft and a published row that go together, the draft comes last.
  const text = `select h.document_id as "documentId", h.locale, h.key, h.at, h.origin, ${VALUES} as values from ${TABLE} h
    where h.uid = $1 and h.action = 'delete'
      and not exists (select from "${type.table}" t where t.document_id = h.document_id and t.locale = h.locale)
      and not exists (select from ${TABLE} n where n.document_id = h.document_id and n.uid = h.uid and n.locale = h.locale and n.id > h.id)
    order by h.id desc limit $2`;
  const rows = await app.db.query<Row>({ text, values: [type.uid, Math.min(limit, MOST), named] });
  // Nothing that is shown leads to another document.
  const parts = { model: app.model, sight: wanted, isSeen: never, isGone: never, hasIds: false };
  return rows.map(({ key: id, at, origin, values, ...document }) => ({
    ...{ id, ...document, at: at.toISOString(), data: viewOf(parts, { values: values ?? {}, links: {} }).data },
    ...(sight.visibility === "public" ? {} : { origin }),
  }));
}
