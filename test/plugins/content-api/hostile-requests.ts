import type { PlinthApp } from "@plinth/core";
import { expect } from "chai";
import type { CorpusAnswer, CorpusApp, CorpusRequest } from "../../corpus-app.js";

/** Names that every object inherits, or that reach what it inherits from. */
export const PROTOTYPE_NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];

/** Texts that would matter if they became a part of SQL. */
export const SQL_TEXTS = [
  "' or '1'='1",
  "'; drop table articles; --",
  '"; delete from articles where "1"="1',
  "$1",
  "?",
  "\\",
  "%_",
  "title desc; select pg_sleep(9)",
];

/** Errors of bodies that cannot be read have no details. @source plugins/content-api/WIRE.md#details-of-errors */
const WITHOUT_DETAILS = ["SyntaxError", "PayloadTooLargeError"];

/** Sends a request that must be refused as the client's fault, with an error that says what is wrong. */
export async function expectRefusal(
  app: CorpusApp,
  method: string,
  path: string,
  options?: CorpusRequest,
): Promise<CorpusAnswer> {
  const answer = await app.request(method, path, options);
  const { status, body } = answer;
  const sent = `${method} ${path} ${options?.text ?? JSON.stringify(options?.body) ?? ""}`.slice(0, 300);
  expect(status, `${sent} was answered ${JSON.stringify(body).slice(0, 300)}`).to.be.within(400, 499);
  expect(body.data, sent).to.equal(null);
  expect(body.error, sent).to.include({ status });
  expect(body.error.name, sent).to.match(/^\w+Error$/);
  expect(body.error.message, sent).to.be.a("string").and.not.equal("");
  if (!WITHOUT_DETAILS.includes(body.error.name)) expect(body.error.details, sent).to.be.an("object");
  return answer;
}

/** One text that differs as soon as any row of any table does. */
export async function fingerprint({ app }: PlinthApp, except: readonly string[] = []): Promise<unknown> {
  const tables = await app.db.query<{ name: string }>({
    text: `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> all($1::text[]) order by table_name`,
    values: [["plinth_processes", ...except]],
  });
  const rows = ({ name }: { name: string }) =>
    `select '${name.replaceAll("'", "''")}' || coalesce(string_agg(t::text, '|' order by t::text), '') as rows from ${name} t`;
  const text = `select md5(string_agg(rows, '#' order by rows)) as print from (${tables.map(rows).join(" union all ")}) s`;
  return app.db.query({ text, values: [] });
}
