import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { withResolvers } from "#core/base/with-resolvers.js";
import { eachDatabase } from "../databases.js";
import { type Entry, fetchData, lastingConfig } from "./fleet.js";
import { type FleetProcess, startServing } from "./fleet-process.js";
import {
  type Anchors,
  contentOf,
  readTrips,
  type TripRecord,
  type TripState,
  tripContent,
  writeUntilGone,
} from "./trip-writer.js";

const ROUNDS = { postgres: 5, pglite: 3 };
const CLIENTS = [0, 1, 2, 3];

describe("a server that is killed in the middle of writes", () => {
  eachDatabase((database) => {
    const config = lastingConfig(database);
    let serving: (FleetProcess & { readonly url: string }) | undefined;
    after(() => serving?.kill());

    it("has everything that it acknowledged, once, and nothing by halves", async () => {
      serving = await startServing(config);
      const anchors = await createAnchors(serving.url);
      const records: TripRecord[] = [];
      let interrupted = 0;
      for (let round = 1; round <= ROUNDS[database.kind]; round += 1) {
        const { url } = serving;
        const answered = withResolvers<void>();
        let answers = 0;
        const count = () => {
          answers += 1;
          if (answers === CLIENTS.length) answered.resolve(undefined);
        };
        const write = (client: number) => writeUntilGone(url, `r${round}c${client}`, anchors, count);
        const writers = Promise.all(CLIENTS.map(write));
        await answered.promise;
        await sleep(Math.random() * 700);
        await serving.kill();
        const written = (await writers).flat();
        interrupted += written.filter(({ pending }) => pending !== undefined).length;
        records.push(...written);
        serving = await startServing(config);
        await expectAll(serving.url, records, anchors);
      }
      expect(records.filter(({ documentId }) => documentId !== undefined)).to.have.length.at.least(CLIENTS.length);
      expect(interrupted).to.be.greaterThan(0);
    });
  });
});

async function createAnchors(url: string): Promise<Anchors> {
  const create = async (type: string, count: number, field: string) => {
    const names = Array.from({ length: count }, (_, index) => `anchor ${index}`);
    const made = await Promise.all(names.map((name) => fetchData(url, "POST", `/api/${type}`, { [field]: name })));
    return made.map(({ documentId }) => documentId);
  };
  return { drivers: await create("drivers", 7, "name"), trips: await create("trips", 3, "title") };
}

async function expectAll(url: string, records: readonly TripRecord[], anchors: Anchors): Promise<void> {
  const drafts = generations(await readTrips(url, "draft"), anchors);
  const published = generations(await readTrips(url, "published"), anchors);
  for (const record of records) {
    const found = { draft: drafts.get(record.key), published: published.get(record.key) };
    const state = { draft: found.draft?.generation, published: found.published?.generation };
    expect(allowedStates(record), `state of ${record.key}`).to.deep.include(state);
    if (record.documentId && found.draft) expect(found.draft.documentId).to.equal(record.documentId);
    if (found.published) expect(found.published.documentId).to.equal(found.draft?.documentId);
    settle(record, state, found.draft?.documentId);
  }
  const known = new Set(records.map(({ key }) => key));
  expect([...drafts.keys(), ...published.keys()].filter((key) => !known.has(key))).to.deep.equal([]);
}

const allowedStates = ({ acknowledged, pending }: TripRecord): readonly TripState[] =>
  pending === undefined ? [acknowledged] : [acknowledged, pending];

/** What a restart has shown once has to stay. */
function settle(record: TripRecord, state: TripState, documentId: string | undefined): void {
  record.acknowledged = state;
  record.pending = undefined;
  record.documentId ??= documentId;
}

/** The generation of each trip by its key, after a look at whether all of it is there, once. */
function generations(
  entries: readonly Entry[],
  anchors: Anchors,
): ReadonlyMap<string, { generation: number; documentId: string }> {
  const found = new Map<string, { generation: number; documentId: string }>();
  for (const entry of entries.filter(({ documentId }) => !anchors.trips.includes(documentId))) {
    const [key = "", generation = ""] = String(entry["title"]).split(" g");
    expect(found.has(key), `${key} is there twice`).to.equal(false);
    expect(contentOf(entry)).to.deep.equal(tripContent(key, Number(generation), anchors));
    found.set(key, { generation: Number(generation), documentId: entry.documentId });
  }
  return found;
}
