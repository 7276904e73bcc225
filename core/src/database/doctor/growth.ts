import type { ContentModel } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { buildTables } from "../layout/table-spec.js";
import type { Finding } from "./finding.js";

/** Bytes of a table with its indexes, from which on vacuum takes hours and an index a day. */
const LARGE_TABLE = 200 * 1024 ** 3;
/** Links of one table from which on their indexes no longer fit into memory. */
const MANY_LINKS = 1e9;
/** Locales from which on a change of a shared attribute writes many rows. */
const MANY_LOCALES = 10;

/** A table as PostgreSQL estimates it. */
export interface TableSize {
  readonly table: string;
  readonly bytes: number;
  readonly rows: number;
  readonly holdsLinks: boolean;
}

const SIZES = `select c.relname as table, pg_total_relation_size(c.oid)::float8 as bytes, greatest(c.reltuples, 0)::float8 as rows
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind = 'r' and c.relname = any($1)`;

/** Tables of content that have grown so large that the way they are stored costs more than another one. */
export async function examineGrowth(db: Database, model: ContentModel): Promise<readonly Finding[]> {
  const specs = buildTables(model);
  const links = new Set(specs.flatMap(({ links }) => links ?? []));
  const names = [...specs.map(({ table }) => table), ...links];
  const sizes = await db.query<Omit<TableSize, "holdsLinks">>({ text: SIZES, values: [names] });
  return judgeGrowth(
    sizes.map((size) => ({ ...size, holdsLinks: links.has(size.table) })),
    model,
  );
}

/** What is to be said of these sizes. @source core/guides/deployment.md#growth */
export function judgeGrowth(sizes: readonly TableSize[], model: ContentModel): readonly Finding[] {
  const advice = 'See "Growth" in the deployment guide.';
  const large = sizes.filter(({ bytes, holdsLinks }) => !holdsLinks && bytes >= LARGE_TABLE);
  const linked = sizes.filter(({ rows, holdsLinks }) => holdsLinks && rows >= MANY_LINKS);
  return [
    ...large.map(({ table, bytes }): Finding => {
      const what = `takes ${Math.round(bytes / 1024 ** 3)} GiB with its indexes`;
      return { weight: "warning", kind: "large table", where: table, what, advice };
    }),
    ...linked.map(({ table, rows }): Finding => {
      const what = `holds about ${(rows / 1e9).toFixed(1)} billion links`;
      return { weight: "warning", kind: "many links", where: table, what, advice };
    }),
    ...sharedByMany(model).map((uid): Finding => {
      const what = `shares attributes between ${model.locales.length} locales: a change of one writes a row of each`;
      return { weight: "hint", kind: "many locales", where: uid, what, advice };
    }),
  ];
}

function sharedByMany({ contentTypes, locales }: ContentModel): readonly string[] {
  if (locales.length <= MANY_LOCALES) return [];
  const types = [...contentTypes.values()].filter(({ isLocalized }) => isLocalized);
  return types
    .filter(({ attributes }) => [...attributes.values()].some((each) => each.isWritable && !each.isLocalized))
    .map(({ uid }) => uid);
}
