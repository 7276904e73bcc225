import type { Document } from "@plinth/core";
import { expect } from "chai";
import type { Status } from "./content.js";
import type { Model } from "./model.js";
import type { Newsroom } from "./newsroom.js";
import { expectedOf, type Names, populateOf, type Shown, seenOf } from "./show.js";
import { LOCALES, TYPE_NAMES, type TypeName } from "./world.js";

const STATUSES: readonly Status[] = ["draft", "published"];

/** What `app.documents` shows of one type in one status, in all locales. */
interface SeenList {
  readonly type: TypeName;
  readonly status: Status;
  readonly rows: readonly Shown[];
}

/** Reads everything that `app.documents` shows. */
export async function seeAll(newsroom: Newsroom, names: Names): Promise<readonly SeenList[]> {
  const seen: SeenList[] = [];
  for (const type of TYPE_NAMES) {
    const localizations = newsroom.world[type].isLocalized ? { localizations: true } : {};
    for (const status of STATUSES) {
      const populate = { ...populateOf(type), ...localizations };
      const found = await newsroom.documents(type).findMany({ status, locale: "*", populate });
      seen.push({ type, status, rows: seenOf(found, names) });
    }
  }
  return seen;
}

/** What was seen equals the model. */
export function compareAll(seen: readonly SeenList[], model: Model): void {
  for (const { type, status, rows } of seen) expectSame(`${type}s, ${status}`, rows, expectedOf(model, type, status));
}

/** Everything that REST shows equals the model: every type, status and locale with its count. */
export async function compareOverHttp(newsroom: Newsroom, model: Model, names: Names): Promise<void> {
  for (const type of TYPE_NAMES)
    for (const locale of newsroom.world[type].isLocalized ? LOCALES : [""])
      for (const status of STATUSES) await compareList(newsroom, { type, locale, status }, { model, names });
}

async function compareList(
  newsroom: Newsroom,
  { type, locale, status }: { type: TypeName; locale: string; status: Status },
  { model, names }: { model: Model; names: Names },
): Promise<void> {
  const populate = Object.keys(populateOf(type)).map((name) => `populate[${name}][populate]=`);
  const boxes = ["box", "shelf"].map((name) => `populate[${name}][populate]=*`);
  const query = [...populate.filter((text) => !/\[(box|shelf)\]/.test(text)), ...boxes, `status=${status}`];
  if (locale) query.push(`locale=${locale}`, "populate[localizations][fields]=locale");
  const { data, meta } = await newsroom.ask("GET", `${type}s?${query.join("&")}`);
  const expected = expectedOf(model, type, status).filter((row) => row["locale"] === locale);
  const title = `${type}s, ${status}, ${locale}, over HTTP`;
  const ids = (rows: readonly object[]) => JSON.parse(JSON.stringify(rows).replace(/"id":\d+/g, '"id":0'));
  expectSame(title, ids(seenOf(data as Document[], names)), ids(expected));
  const { pagination } = meta as { pagination: { total: number } };
  expect(pagination.total, `count of ${title}`).to.equal(expected.length);
}

function expectSame(title: string, seen: readonly object[], expected: readonly object[]): void {
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row));
  const [a, b] = [lines(seen), lines(expected)];
  if (a.join("\n") === b.join("\n")) return;
  const wrong = (own: readonly string[], other: readonly string[]) => own.filter((line) => !other.includes(line));
  expect.fail(
    `${title}\n  seen:     ${wrong(a, b).join("\n            ")}\n  expected: ${wrong(b, a).join("\n            ")}`,
  );
}
