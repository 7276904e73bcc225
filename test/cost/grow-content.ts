// Copies the articles of the sample app by SQL until a table is as large as that of a large site.
import pg from "pg";

/** A short text in place of the long one: it is the number of rows that counts. */
const BODY = '[{"type":"paragraph","children":[{"type":"text","text":"A short text."}]}]';

/** What a copy has of its own; `g` is its number. */
const OWN: Readonly<Record<string, string>> = {
  document_id: "document_id || '-' || g",
  title: "title || ' ' || g",
  slug: "slug || '-' || g",
  body: `'${BODY}'`,
};

const COLUMNS = `select column_name as name from information_schema.columns
  where table_schema = current_schema() and table_name = 'articles' and column_name <> 'id' order by ordinal_position`;

const LINKS = `insert into articles_links (source, attribute, target, target_type, position, inverse_position)
  select n.id, l.attribute, l.target, l.target_type, l.position, l.inverse_position
  from articles n
  join articles o on o.document_id = split_part(n.document_id, '-', 1) and (o.published_at is null) = (n.published_at is null)
  join articles_links l on l.source = o.id
  where n.document_id like '%-%'`;

/**
 * Copies articles, with their links, until there are so many documents of them. A database of 1,000,000 takes some minutes.
 *
 * @param connection - of the database, whose articles were written by `writeContent`.
 */
export async function growContent(connection: string, documents: number): Promise<void> {
  const client = new pg.Client({ connectionString: connection });
  await client.connect();
  try {
    const names = (await client.query<{ name: string }>(COLUMNS)).rows.map(({ name }) => name);
    const [row] = (await client.query<{ n: number }>("select count(distinct document_id)::int as n from articles"))
      .rows;
    const copies = Math.max(0, Math.ceil(documents / (row?.n ?? 1)) - 1);
    const values = names.map((name) => OWN[name] ?? `"${name}"`).join(", ");
    const columns = names.map((name) => `"${name}"`).join(", ");
    // What was loaded brought its own ids.
    await client.query("select setval(pg_get_serial_sequence('articles', 'id'), max(id)) from articles");
    await client.query(
      `insert into articles (${columns}) select ${values} from articles cross join generate_series(1, ${copies}) g`,
    );
    await client.query(LINKS);
    await client.query("analyze");
  } finally {
    await client.end();
  }
}
