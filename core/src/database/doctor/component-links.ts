/** Finds and repairs link rows that differ from what components hold. */
import type { ContentModel, ContentType } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { type HeldLinks, heldLinksOf } from "../layout/held-links.js";
import { identifier } from "../sql/sql.js";
import { planSync } from "../sync/plan-sync.js";
import { readCarried } from "../sync/read-carried.js";
import type { Finding } from "./finding.js";
import { typesBySize } from "./table-size.js";

/** How many rows of a table are compared by a statement, and locked at once where something is repaired. */
const BATCH_SIZE = 1_000;

/** How many link rows of a type are wrong. */
interface WrongLinks {
  readonly surplus: number;
  readonly missing: number;
}

/**
 * Types whose link rows are not what their components hold. A file or document that a surplus row leads to counts as used
 * where it is not shown, and may not be deleted; one that only a missing row would lead to may be, although it is shown.
 * Earlier builds left surplus ones in documents with several locales, a removed attribute leaves those of its components,
 * and statements past the app leave both.
 *
 * @param countsAll - false: tables of more than a million rows are left out; `examineTotals` says so.
 */
export async function examineLinks(db: Database, model: ContentModel, countsAll: boolean): Promise<readonly Finding[]> {
  const { small } = await typesBySize(db, model);
  const findings: Finding[] = [];
  const { explained, others } = await linksByType(db, model);
  for (const { type, links } of explained) {
    if (!countsAll && !small.includes(type)) continue;
    const found = await countWrong(db, links);
    if (found.surplus > 0) findings.push(describeSurplus(type, found.surplus));
    if (found.missing > 0) findings.push(describeMissing(type, found.missing));
  }
  return others.length === 0 ? findings : [...findings, notCompared(others)];
}

async function countWrong(db: Database, links: HeldLinks): Promise<WrongLinks> {
  const all = { surplus: 0, missing: 0 };
  for await (const range of rangesOf(db, links)) {
    const [found] = await db.query<WrongLinks>({ text: links.count(), values: range });
    all.surplus += found?.surplus ?? 0;
    all.missing += found?.missing ?? 0;
  }
  return all;
}

/** The ids of all rows in ranges: above the first, up to the second. */
async function* rangesOf(db: Database, links: HeldLinks): AsyncGenerator<readonly [string, string]> {
  for (let after = "0"; ; ) {
    const [found] = await db.query<{ last: string | null }>({ text: links.idsAfter(BATCH_SIZE), values: [after] });
    if (!found || found.last === null) return;
    yield [after, found.last];
    after = found.last;
  }
}

const ADVICE = "Run plinth doctor --repair when no earlier version of the app runs.";

const describeSurplus = ({ uid }: ContentType, rows: number): Finding => ({
  weight: "warning",
  kind: "surplus links",
  where: uid,
  what: `has links of components that no component holds (${rows}): what they lead to counts as used`,
  advice: ADVICE,
});

const describeMissing = ({ uid }: ContentType, rows: number): Finding => ({
  weight: "error",
  kind: "missing links",
  where: uid,
  what: `has components whose links are not noted (${rows}): what they lead to does not count as used`,
  advice: ADVICE,
});

const notCompared = (types: readonly ContentType[]): Finding => ({
  weight: "hint",
  kind: "not compared",
  where: types.map(({ uid }) => uid).join(", "),
  what: "may have components that only another version of the app knows",
  advice: "Run plinth doctor of the newest version, once no removal of attributes waits.",
});

/** Makes the link rows of components what the components hold, some rows at a time, while others read and write. */
export async function repairLinks(db: Database, model: ContentModel): Promise<void> {
  const { explained } = await linksByType(db, model);
  for (const { type, links } of explained)
    for await (const range of rangesOf(db, links)) {
      const [found] = await db.query<WrongLinks>({ text: links.count(), values: range });
      if (found && found.surplus + found.missing > 0) await repairRange(db, { type, links }, range);
    }
}

/** Compares the rows again under their locks: a write may have changed their components meanwhile. */
async function repairRange(
  db: Database,
  { type, links }: ExplainedLinks,
  range: readonly [string, string],
): Promise<void> {
  await db.transaction(async () => {
    await db.query({ text: lockRows(type), values: range });
    await db.query({ text: links.delete(), values: range });
    await db.query({ text: links.add(), values: range });
  });
}

const lockRows = ({ table }: ContentType): string =>
  `select id from ${identifier(table)} where id > $1::int8 and id <= $2::int8 order by id for no key update`;

interface ExplainedLinks {
  readonly type: ContentType;
  readonly links: HeldLinks;
}

/** The link tables that the model can explain, and the types where another version of the app may keep components. */
async function linksByType(
  db: Database,
  model: ContentModel,
): Promise<{ readonly explained: readonly ExplainedLinks[]; readonly others: readonly ContentType[] }> {
  const { layout } = await planSync(db, model);
  const carried = await readCarried(db, model);
  const all = [...layout.tables.values()].flatMap((table) => {
    const links = heldLinksOf(model, table);
    return links ? [{ type: table.type, links, isExplained: carried.get(table.table)?.embedded === undefined }] : [];
  });
  return {
    explained: all.filter(({ isExplained }) => isExplained),
    others: all.filter(({ isExplained }) => !isExplained).map(({ type }) => type),
  };
}
