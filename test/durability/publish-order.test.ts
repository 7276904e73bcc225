import { createPlinth, type Document, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import fc from "fast-check";
import { eachDatabase } from "../databases.js";
import { loadFleet } from "./fleet.js";
import { type Change, isMany, type Relation, RELATIONS, type Step, TRIPS, type Trip, TripLinks } from "./trip-links.js";

/** How long random orders are tried on each database, in milliseconds. */
const TIME = 8_000;
const UID = "api::trip.trip";

describe("publishing, in any order", () => {
  eachDatabase((database) => {
    let plinth: PlinthApp;
    before(async () => {
      plinth = createPlinth(await loadFleet(database.config()));
      await plinth.start({ listen: false });
    });
    after(() => plinth.stop());

    it("loses no relation, makes none, and doubles none", async () => {
      const holds = fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 14 }), (order) =>
        tryOrder(plinth, order),
      );
      await fc.assert(holds, {
        examples,
        numRuns: 1_000,
        interruptAfterTimeLimit: TIME,
        markInterruptAsFailure: false,
      });
    });
  });
});

const trips = fc.constantFrom(...TRIPS);
const changes = (relation: Relation): fc.Arbitrary<Change> =>
  fc.record({
    form: fc.constantFrom("set", "connect", "disconnect"),
    targets: fc.uniqueArray(trips, { maxLength: isMany(relation) ? 3 : 1 }),
  });
const updates = fc.constantFrom(...RELATIONS).chain((relation) =>
  fc.record({
    kind: fc.constant("update" as const),
    trip: trips,
    publishes: fc.boolean(),
    relation: fc.constant(relation),
    change: changes(relation),
  }),
);
const versionSteps = fc.record({
  kind: fc.constantFrom("publish", "publish", "unpublish", "discardDraft"),
  trip: trips,
});
const steps: fc.Arbitrary<Step> = fc.oneof({ weight: 3, arbitrary: updates }, { weight: 2, arbitrary: versionSteps });

const update = (trip: Trip, next: Trip, publishes: boolean): Step => ({
  kind: "update",
  trip,
  publishes,
  relation: "next",
  change: { form: "set", targets: [next] },
});

const becomePrevious = (trip: Trip, previous: Trip): Step => ({
  kind: "update",
  trip,
  publishes: true,
  relation: "previous",
  change: { form: "set", targets: [previous] },
});

/** Orders that once lost a link, or could not be written. */
const examples: [Step[]][] = [
  [[update(0, 1, false), { kind: "publish", trip: 1 }, { kind: "discardDraft", trip: 1 }]],
  [[update(0, 0, true), update(2, 1, true), update(2, 0, false), { kind: "publish", trip: 1 }]],
  [[update(2, 1, true), becomePrevious(1, 1)]],
];

/** Makes three trips, runs the steps on them, and compares all relations of all versions after each one. */
async function tryOrder({ app }: PlinthApp, order: readonly Step[]): Promise<void> {
  const documents = app.documents(UID);
  const ids: string[] = [];
  for (const trip of TRIPS) ids.push((await documents.create({ data: { title: `trip ${trip}` } })).documentId);
  const links = new TripLinks();
  for (const [index, step] of order.entries()) {
    links.run(step);
    await runStep(app.documents(UID), step, ids);
    for (const status of ["draft", "published"] as const) {
      const expected = TRIPS.map((trip) => links.shown(trip, status));
      const found = await readLinks(documents, status, ids);
      const seen = `${status} after step ${index}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`;
      expect(found, seen).to.deep.equal(expected);
    }
  }
}

type TripDocuments = ReturnType<PlinthApp["app"]["documents"]>;

async function runStep(documents: TripDocuments, step: Step, ids: readonly string[]): Promise<void> {
  const documentId = ids[step.trip] as string;
  if (step.kind !== "update") {
    await documents[step.kind]({ documentId });
    return;
  }
  const status = step.publishes ? "published" : "draft";
  const change = { [step.change.form]: step.change.targets.map((target) => ids[target]) };
  const data =
    step.relation === "connection"
      ? { start: await stopOf(documents, documentId, change) }
      : { [step.relation]: change };
  await documents.update({ documentId, data, status });
}

/** A stop with an id keeps what is not said; one without is new. */
async function stopOf(documents: TripDocuments, documentId: string, connection: object): Promise<object> {
  const found = await documents.findOne({ documentId, populate: ["start"] });
  const stop = found?.["start"] as { readonly id: number } | null;
  return stop ? { id: stop.id, connection } : { place: "here", connection };
}

async function readLinks(documents: TripDocuments, status: "draft" | "published", ids: readonly string[]) {
  const populate = {
    ...Object.fromEntries(RELATIONS.filter((name) => name !== "connection").map((name) => [name, true])),
    start: { populate: ["connection"] },
  };
  const found = await documents.findMany({ status, filters: { documentId: { $in: ids } }, populate });
  return ids.map((documentId) => {
    const own = found.filter((document) => document.documentId === documentId);
    expect(own.length).to.be.at.most(1);
    return (
      own[0] &&
      Object.fromEntries(RELATIONS.map((relation) => [relation, targetsOf(own[0] as Document, relation, ids)]))
    );
  });
}

function targetsOf(document: Document, relation: Relation, ids: readonly string[]): readonly Trip[] {
  const value = relation === "connection" ? (document["start"] as Document | null)?.["connection"] : document[relation];
  const targets = [value ?? []].flat() as unknown as readonly Document[];
  return targets.map(({ documentId }) => ids.indexOf(documentId) as Trip).sort();
}
