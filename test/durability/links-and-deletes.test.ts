import { type AppSetup, createPlinth, type DatabaseConfig, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import type { RawAttribute, RawContentType } from "#core/schema/raw.js";
import { eachDatabase } from "../databases.js";
import { type Entry, fetchData, loadFleet, send } from "./fleet.js";

const ROUNDS = 25;

/** What points to a document that is not there, in columns, link rows and those derived from components. */
const DANGLING = `
  select 'driver.car' as link from drivers h where car is not null and not exists (select from cars t where t.document_id = h.car)
  union all select 'trip.lead' from trips h where lead is not null and not exists (select from drivers t where t.document_id = h.lead)
  union all select 'trip.next' from trips h where next is not null and not exists (select from trips t where t.document_id = h.next)
  union all select 'trip link' from trips_links l
    where not exists (select from drivers t where t.document_id = l.target) and not exists (select from trips t where t.document_id = l.target)
`;

describe("a document that is deleted while it gets another locale", () => {
  eachDatabase((database) => {
    let plinth: PlinthApp;
    let url: string;
    before(async () => {
      plinth = createPlinth(await withLocales(database.config()));
      url = (await plinth.start()) ?? "";
    });
    after(() => plinth.stop());

    it("is gone in all of them when all were to be deleted, or the later write is not found", async () => {
      for (let round = 0; round < 2 * ROUNDS; round++) {
        const { documentId } = await fetchData<Entry>(url, "POST", "/api/trips", { title: "t" });
        const path = `/api/trips/${documentId}`;
        const add = (locale: string) => send(url, "PUT", `${path}?locale=${locale}`, { title: locale });
        const [deleted, ...added] = await Promise.all([send(url, "DELETE", `${path}?locale=*`), add("fr"), add("de")]);
        expect(deleted).to.have.property("status", 204);
        for (const { status } of added) expect([200, 404]).to.include(status);
        for (const locale of ["en", "fr", "de"])
          expect(await send(url, "GET", `${path}?locale=${locale}`)).to.have.property("status", 404);
      }
    });
  });
});

/** The app with trips in three languages. */
async function withLocales(database: DatabaseConfig): Promise<AppSetup> {
  const setup = await loadFleet(database);
  const contentTypes = structuredClone(setup.app?.contentTypes ?? {});
  const localized = { pluginOptions: { i18n: { localized: true } } };
  const trip = contentTypes["api::trip.trip"] as RawContentType;
  const attributes = { ...trip.attributes, title: { ...trip.attributes?.["title"], ...localized } as RawAttribute };
  const i18n = { defaultLocale: "en", locales: ["en", "fr", "de"] };
  const all = { ...contentTypes, "api::trip.trip": { ...trip, ...localized, attributes } };
  return { ...setup, config: { ...setup.config, i18n }, app: { ...setup.app, contentTypes: all } };
}

describe("links to documents that are deleted at the same time", () => {
  eachDatabase((database) => {
    const apps: PlinthApp[] = [];
    const urls: string[] = [];
    before(async () => {
      const processes = database.kind === "postgres" ? 2 : 1;
      for (let index = 0; index < processes; index++) {
        const plinth = createPlinth(await loadFleet(database.config()));
        apps.push(plinth);
        urls.push((await plinth.start()) ?? "");
      }
    });
    after(() => Promise.all(apps.map((plinth) => plinth.stop())));

    const one = (): string => urls[0] as string;
    const other = (): string => urls.at(-1) as string;
    const driver = () => fetchData<Entry>(one(), "POST", "/api/drivers", { name: "gone" });
    const trip = (data: object = {}) => fetchData<Entry>(one(), "POST", "/api/trips", { title: "t", ...data });
    const dangling = async () =>
      (await (apps[0] as PlinthApp).app.db.query({ text: DANGLING, values: [] })) as object[];

    /** Deletes a document while something is written that leads to it; every answer is one that a client can act on. */
    async function race(target: string, writes: readonly (() => ReturnType<typeof send>)[]): Promise<void> {
      const deleted = send(other(), "DELETE", target);
      const answers = await Promise.all([deleted, ...writes.map((write) => write())]);
      expect(answers[0]).to.have.property("status", 204);
      for (const { status } of answers.slice(1)) expect([200, 201, 400, 404]).to.include(status);
    }

    it("by updates and creates leave nothing behind that leads nowhere", async () => {
      const holder = await trip();
      for (let round = 0; round < ROUNDS; round++) {
        const { documentId } = await driver();
        const link = { lead: documentId, crew: [documentId] };
        await race(`/api/drivers/${documentId}`, [
          () => send(one(), "PUT", `/api/trips/${holder.documentId}`, link),
          () => send(other(), "POST", "/api/trips", { title: "new", ...link }),
        ]);
      }
      expect(await dangling()).to.deep.equal([]);
    });

    it("by components leave nothing behind that leads nowhere", async () => {
      const holder = await trip();
      for (let round = 0; round < ROUNDS; round++) {
        const { documentId } = await driver();
        await race(`/api/drivers/${documentId}`, [
          () => send(one(), "PUT", `/api/trips/${holder.documentId}`, { start: { place: "a", guides: [documentId] } }),
        ]);
      }
      expect(await dangling()).to.deep.equal([]);
    });

    it("by publishing a draft that has the link leave nothing behind that leads nowhere", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { documentId } = await driver();
        const draft = await fetchData<Entry>(one(), "POST", "/api/trips?status=draft", {
          title: "draft",
          lead: documentId,
          crew: [documentId],
          start: { place: "b", guides: [documentId] },
        });
        await race(`/api/drivers/${documentId}`, [
          () => send(one(), "PUT", `/api/trips/${draft.documentId}`, { title: "out" }),
        ]);
      }
      expect(await dangling()).to.deep.equal([]);
    });

    it("by the other side leave nothing behind that leads nowhere", async () => {
      const holder = await fetchData<Entry>(one(), "POST", "/api/drivers", { name: "stays" });
      for (let round = 0; round < ROUNDS; round++) {
        const car = await fetchData<Entry>(one(), "POST", "/api/cars", { plate: "gone" });
        await race(`/api/cars/${car.documentId}`, [
          () => send(one(), "PUT", `/api/cars/${car.documentId}`, { driver: holder.documentId }),
          () => send(one(), "PUT", `/api/drivers/${holder.documentId}`, { car: car.documentId }),
        ]);
      }
      expect(await dangling()).to.deep.equal([]);
    });

    it("in both directions end in time, whoever has to start again", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const [a, b] = [await trip(), await trip()];
        await fetchData(one(), "PUT", `/api/trips/${a.documentId}`, { next: b.documentId, seeAlso: [b.documentId] });
        await race(`/api/trips/${a.documentId}`, [
          () => send(one(), "PUT", `/api/trips/${b.documentId}`, { next: a.documentId, shares: [a.documentId] }),
          () => send(other(), "PUT", `/api/trips/${a.documentId}`, { shares: [b.documentId] }),
        ]);
      }
      expect(await dangling()).to.deep.equal([]);
    });

    it("are not written again from a component that still names a document that is gone", async () => {
      const { documentId } = await driver();
      const holder = await trip({ start: { place: "c", guides: [documentId] } });
      await send(one(), "DELETE", `/api/drivers/${documentId}`);
      const [{ start }] = [await fetchData<Entry>(one(), "GET", `/api/trips/${holder.documentId}?populate=start`)];
      const { id } = start as unknown as Entry;
      expect(
        await send(one(), "PUT", `/api/trips/${holder.documentId}`, { start: { id, place: "d" } }),
      ).to.have.property("status", 200);
      expect(await dangling()).to.deep.equal([]);
    });
  });
});
