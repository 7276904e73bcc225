import type { ContentModel, ContentType } from "../../schema/model.js";
import { LayoutMissingError } from "../errors.js";

/**
 * How the content model is stored in the database: table names and the small codes of attributes in link tables.
 * Codes are assigned by the synchronisation and kept forever, so a new attribute never renumbers the old ones.
 *
 * Link table `<table>_links` of a content-type, one row a link:
 * source bigint (row id of the owner), attribute smallint (code), target text (document id), target_type text
 * (uid, '' unless polymorphic), position float8 (owner's order), inverse_position float8 (order seen from the target).
 * Unique (source, attribute, target_type, target); index (target, attribute, source).
 *
 * Relations and media inside components live in the jsonb; rows with their code are derived from it for deletion
 * and "where used", and are never read to show content.
 */
export interface TableLayout {
  readonly type: ContentType;
  readonly table: string;
  /** Undefined when the type has nothing that needs links. */
  readonly links: string | undefined;
  /** By link key: an attribute name (`categories`), or `<component uid>#<attribute>` for what components hold. */
  readonly codes: ReadonlyMap<string, number>;
}

/** The model with the place of each content-type. */
export interface Layout {
  readonly model: ContentModel;
  readonly tables: ReadonlyMap<string, TableLayout>;
}

/** The table of a content-type. @throws PLINTH_LAYOUT_MISSING (500) details `{ uid }` */
export function tableOf(layout: Layout, uid: string): TableLayout {
  const table = layout.tables.get(uid);
  if (!table) throw new LayoutMissingError({ uid, what: "table" });
  return table;
}

/** The code of an attribute in its link table. @throws PLINTH_LAYOUT_MISSING (500) */
export function linkCode(table: TableLayout, key: string): number {
  const code = table.codes.get(key);
  if (code === undefined) throw new LayoutMissingError({ uid: table.type.uid, what: `link code of "${key}"` });
  return code;
}
