/** Finds and deletes link rows that are kept for components which hold no such link. */
import type { ContentModel, ContentType } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { planSync } from "../sync/plan-sync.js";
import { readCarried } from "../sync/read-carried.js";
import { identifier } from "../sql/sql.js";
import { type HeldLinks, heldLinksOf } from "../layout/held-links.js";
import type { Finding } from "./finding.js";
import { typesBySize } from "./table-size.js";

/** How many rows of a table are locked and repaired at once: those who write one of them wait until it ends. */
const BATCH_SIZE = 1_000;
/** How many are looked for at once, which reads the whole table. */
const SEARCH_SIZE = 100_000;

/**
 * Types with surplus link rows: a file or document that they lead to counts as used where it is not shown, and may not be
 * deleted. Earlier builds wrote such for documents with several locales, and statements past the app can.
 *
 * @param countsAll - false: tables of more than a million rows are left out; `examineTotals` says so.
 */
export async function examineLinks(db: Database, model: ContentModel, countsAll: boolean): Promise<readonly Finding[]> {
  const { small } = await typesBySize(db, model);
  const findings: Finding[] = [];
  for (const { type, links } of await explainedLinks(db, model)) {
    if (!countsAll && !small.includes(type)) continue;
    const [found] = await db.query<{ rows: number }>({ text: links.select("count(*)::float8 as rows"), values: [] });
    if (found && found.rows > 0) findings.push(describe(type, found.rows));
  }
  return findings;
}

const describe = ({ uid }: ContentType, rows: number): Finding => ({
  weight: "warning",
  kind: "surplus links",
  where: uid,
  what: `has ${rows} links of components that none of its components holds: what they lead to counts as used`,
  advice: "Run plinth doctor --repair.",
});

/** Deletes surplus link rows, some documents at a time, while others read and write. */
export async function repairLinks(db: Database, model: ContentModel): Promise<void> {
  for (const { type, links } of await explainedLinks(db, model)) {
    const text = `${links.select("distinct l.source::text as id")} limit ${SEARCH_SIZE}`;
    let found: readonly { readonly id: string }[];
    do {
      found = await db.query<{ id: string }>({ text, values: [] });
      for (let start = 0; start < found.length; start += BATCH_SIZE)
        await repairBatch(
          db,
          { type, links },
          found.slice(start, start + BATCH_SIZE).map(({ id }) => id),
        );
    } while (found.length === SEARCH_SIZE);
  }
}

/** Compares the rows again under their locks: a write may have given them the missing component meanwhile. */
async function repairBatch(db: Database, { type, links }: ExplainedLinks, ids: readonly string[]): Promise<void> {
  await db.transaction(async () => {
    await db.query({ text: lockRows(type), values: [ids] });
    await db.query({ text: links.delete({ rows: "t.id = any($1::int8[])" }), values: [ids] });
  });
}

const lockRows = ({ table }: ContentType): string =>
  `select id from ${identifier(table)} where id = any($1::int8[]) order by id for no key update`;

interface ExplainedLinks {
  readonly type: ContentType;
  readonly links: HeldLinks;
}

/** The link tables that the model can explain: where another version of the app keeps components, it cannot. */
async function explainedLinks(db: Database, model: ContentModel): Promise<readonly ExplainedLinks[]> {
  const { layout, hasMore } = await planSync(db, model);
  const carried = hasMore ? await readCarried(db, model) : undefined;
  return [...layout.tables.values()].flatMap((table) => {
    const links = heldLinksOf(model, table);
    return links === undefined || carried?.get(table.table)?.hasComponents ? [] : [{ type: table.type, links }];
  });
}
