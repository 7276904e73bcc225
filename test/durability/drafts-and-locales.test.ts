import {
  type AppSetup,
  connectDatabase,
  createPlinth,
  type DatabaseConfig,
  isPlinthError,
  type PlinthApp,
} from "@plinth/core";
import { expect } from "chai";
import type { RawAttribute, RawContentType } from "#core/schema/raw.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { eachDatabase } from "../databases.js";
import { type Entry, fetchData, lastingConfig, loadFleet } from "./fleet.js";

const UID = "api::trip.trip";

/** What is on for trips. */
interface Modes {
  readonly drafts: boolean;
  readonly locales: boolean;
}

const PLAIN: Modes = { drafts: false, locales: false };
const DRAFTS: Modes = { drafts: true, locales: false };
const LOCALES: Modes = { drafts: false, locales: true };
const BOTH: Modes = { drafts: true, locales: true };

describe("drafts and locales, turned on and off for trips with content", () => {
  eachDatabase((database) => {
    const config = lastingConfig(database);
    let running: PlinthApp | undefined;
    let ids: Readonly<Record<"ferry" | "bay" | "hill", string>>;
    let driver: string;
    after(() => running?.stop());

    /** Starts the app in these modes, does something with it, and stops it. */
    async function during<T>(modes: Modes, act: (url: string) => Promise<T>): Promise<T> {
      running = createPlinth(await setupOf(config, modes));
      const url = (await running.start()) ?? "";
      try {
        return await act(url);
      } finally {
        await running.stop();
      }
    }

    /** What a start in these modes is refused with: the plan of what would be lost. */
    async function refusal(modes: Modes): Promise<string> {
      const failure = await during(modes, async () => undefined).catch((error: unknown) => error);
      expect(isPlinthError(failure) && failure.code).to.equal("PLINTH_SCHEMA_DESTRUCTIVE");
      return String(failure);
    }

    /** What `plinth schema apply --allow-data-loss` does. */
    async function apply(modes: Modes): Promise<void> {
      const db = await connectDatabase(config);
      try {
        const model = createPlinth(await setupOf(config, modes)).declareModel();
        await syncDatabase(db, model, { allowDataLoss: true });
      } finally {
        await db.close();
      }
    }

    const change = (url: string, id: string, query: string, data: object) =>
      fetchData(url, "PUT", `/api/trips/${id}?${query}`, data);
    const act = (url: string, id: string, action: string) =>
      fetchData(url, "POST", `/api/trips/${id}/actions/${action}`, {});
    /** `title > base + shares, crew; stops` of every trip that a query finds, by title. */
    const shown = async (url: string, query = "") => {
      const populate = "populate[base]=true&populate[shares]=true&populate[crew]=true&populate[stops][populate]=*";
      const found = await fetchData<Entry[]>(url, "GET", `/api/trips?sort=title&${populate}&${query}`);
      const name = (entry: unknown) => (entry as Entry | null)?.["title"] ?? (entry as Entry | null)?.["name"] ?? "";
      const names = (value: unknown) => ((value as unknown[]) ?? []).map(name).join("+");
      const places = (value: unknown) =>
        (value as Entry[]).map(({ place, connection }) => `${String(place)}-${String(name(connection))}`).join("+");
      return found.map(
        ({ title, base, shares, crew, stops }) =>
          `${String(title)} > ${String(name(base))} | ${names(shares)} | ${names(crew)} | ${places(stops)}`,
      );
    };

    before("write three trips without drafts and locales", async () => {
      await during(PLAIN, async (url) => {
        const make = async (title: string, data: object = {}) =>
          (await fetchData(url, "POST", "/api/trips", { title, ...data })).documentId;
        driver = (await fetchData(url, "POST", "/api/drivers", { name: "Ada" })).documentId;
        const ferry = await make("Ferry");
        const hill = await make("Hill", { base: ferry, crew: [driver] });
        const stops = [{ place: "pier", connection: ferry }, { place: "inn" }];
        const bay = await make("Bay", { base: ferry, shares: [hill, ferry], crew: [driver], stops });
        ids = { ferry, bay, hill };
      });
    });

    const all = ["Bay > Ferry | Hill+Ferry | Ada | pier-Ferry+inn-", "Ferry >  |  |  | ", "Hill > Ferry |  | Ada | "];

    it("drafts on: all stays published, and has a draft with all its links", async () => {
      await during(DRAFTS, async (url) => {
        expect(await shown(url)).to.deep.equal(all);
        expect(await shown(url, "status=draft")).to.deep.equal(all);
        expect(await shown(url, "status=draft&publicationFilter=modified")).to.deep.equal([]);
      });
    });

    it("drafts off: nothing to ask where nothing has changed, and back again", async () => {
      await during(PLAIN, async (url) => expect(await shown(url)).to.deep.equal(all));
      await during(DRAFTS, async (url) => expect(await shown(url, "status=draft")).to.deep.equal(all));
    });

    it("drafts off is refused for drafts that differ, by a link from the other side too; a start with drafts has them", async () => {
      await during(DRAFTS, (url) => change(url, ids.bay, "status=draft", { title: "Bay, later" }));
      expect(await refusal(PLAIN))
        .to.include("trips")
        .and.include("draft & publish is off now");
      await during(DRAFTS, async (url) => {
        expect(await shown(url)).to.deep.equal(all);
        await act(url, ids.bay, "discard-draft");
        // The link is the hill's; its draft changes, and not the time of its change.
        await change(url, ids.ferry, "status=draft", { legs: { disconnect: [ids.hill] } });
      });
      expect(await refusal(PLAIN)).to.include("draft & publish is off now");
      await during(DRAFTS, (url) => act(url, ids.ferry, "discard-draft"));
      await during(PLAIN, async (url) => expect(await shown(url)).to.deep.equal(all));
    });

    it("drafts off, applied: what the drafts said stays, under the same documents", async () => {
      await during(DRAFTS, (url) => change(url, ids.bay, "status=draft", { title: "Bay, later", crew: [] }));
      await apply(PLAIN);
      const later = ["Bay, later > Ferry | Hill+Ferry |  | pier-Ferry+inn-", ...all.slice(1)];
      await during(PLAIN, async (url) => {
        expect(await shown(url)).to.deep.equal(later);
        await change(url, ids.bay, "", { title: "Bay", crew: [driver] });
        expect(await shown(url)).to.deep.equal(all);
      });
    });

    it("locales on: all content is in the default locale, and can be written in others", async () => {
      await during(LOCALES, async (url) => {
        expect(await shown(url)).to.deep.equal(all);
        expect(await shown(url, "locale=en")).to.deep.equal(all);
        expect(await shown(url, "locale=fr")).to.deep.equal([]);
      });
      await during(PLAIN, async (url) => expect(await shown(url)).to.deep.equal(all));
    });

    it("locales off is refused while there are others; applied, the default locale stays", async () => {
      await during(LOCALES, (url) => change(url, ids.bay, "locale=fr", { title: "La baie", crew: [driver] }));
      expect(await refusal(PLAIN)).to.include("not localised any more");
      await during(LOCALES, async (url) =>
        expect(await shown(url, "locale=fr")).to.deep.equal(["La baie >  |  | Ada | "]),
      );
      await apply(PLAIN);
      await during(PLAIN, async (url) => expect(await shown(url)).to.deep.equal(all));
    });

    it("both at once, on and off", async () => {
      await during(BOTH, async (url) => {
        for (const query of ["", "status=draft", "locale=en&status=draft"])
          expect(await shown(url, query)).to.deep.equal(all);
      });
      await during(PLAIN, async (url) => expect(await shown(url)).to.deep.equal(all));
    });
  });
});

/** The fleet with trips in these modes. */
async function setupOf(config: DatabaseConfig, { drafts, locales }: Modes): Promise<AppSetup> {
  const setup = await loadFleet(config);
  const contentTypes = structuredClone(setup.app?.contentTypes ?? {});
  const trip = contentTypes[UID] as { -readonly [Key in keyof RawContentType]: RawContentType[Key] };
  const localized = locales ? { pluginOptions: { i18n: { localized: true } } } : {};
  const localize = (name: string): [string, RawAttribute] => [name, { ...trip.attributes?.[name], ...localized }];
  trip.options = { draftAndPublish: drafts };
  trip.attributes = { ...trip.attributes, ...Object.fromEntries(["title", "start", "stops"].map(localize)) };
  Object.assign(trip, localized);
  const i18n = { defaultLocale: "en", locales: ["en", "fr"] };
  return { ...setup, config: { ...setup.config, i18n }, app: { ...setup.app, contentTypes } };
}
