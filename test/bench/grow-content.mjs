// Multiplies the articles of one of our databases by SQL: what was written over REST is copied, links and all.

/** Copies of all of it per statement. */
const BATCH = 25;

/**
 * Adds copies of the articles that are there, each with ids, slug, title and views of its own.
 *
 * @param {import("pg").Client} client
 * @param {object} options
 * @param {number} options.from - how many articles there are for each one that was written over REST.
 * @param {number} options.to - how many there are to be.
 * @param {(line: string) => void} options.say
 * @param {AbortSignal} options.signal - ends it between two statements.
 */
export async function growContent(client, { from, to, say, signal }) {
  const base = await measureBase(client);
  const statements = await buildStatements(client, base);
  for (let first = from; first < to; first += BATCH) {
    signal.throwIfAborted();
    const last = Math.min(first + BATCH, to) - 1;
    for (const text of statements) await client.query(text, [first, last]);
    if (last % (BATCH * 4) === 0 || last === to - 1) say(`${(last + 1) * base.articles} articles by SQL`);
  }
  await client.query("select setval(pg_get_serial_sequence('articles', 'id'), (select max(id) from articles))");
  await client.query("vacuum analyze");
}

/** The articles written over REST have the lowest ids; a copy's are so much higher. */
async function measureBase(client) {
  const text = `select min(id) as first, max(id) + 1 as span, count(*) / 2 as articles from articles
    where slug !~ '-copy-'`;
  const [{ span, articles }] = (await client.query(text)).rows;
  return { span: Number(span), articles: Number(articles) };
}

async function buildStatements(client, { span }) {
  const columns = await columnsOf(client, "articles");
  const changed = {
    id: `s.id + n * ${span}`,
    document_id: "substr(md5(s.document_id || n), 1, 24)",
    slug: "s.slug || '-copy-' || n",
    title: "s.title || ' ' || n",
    views: "(s.views + n * 31) % 1000003",
  };
  const links = await columnsOf(client, "articles_links");
  const copies = `generate_series($1::int8, $2::int8) n where s.`;
  return [
    `insert into articles (${columns.join()}) overriding system value
     select ${columns.map((name) => changed[JSON.parse(name)] ?? `s.${name}`).join()}
     from articles s, ${copies}id < ${span} order by n, s.id`,
    `insert into articles_links (${links.join()})
     select ${links.map((name) => (name === '"source"' ? `s.source + n * ${span}` : `s.${name}`)).join()}
     from articles_links s, ${copies}source < ${span} order by n, s.source`,
  ];
}

/** Quoted names of what can be written. */
async function columnsOf(client, table) {
  const text = `select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`;
  return (await client.query(text, [table])).rows.map(({ name }) => JSON.stringify(name));
}
