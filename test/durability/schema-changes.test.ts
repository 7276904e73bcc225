import { type AppSetup, createPlinth, isPlinthError, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { eachDatabase } from "../databases.js";
import { type Entry, fetchData, lastingConfig, loadFleet } from "./fleet.js";

type Attributes = Record<string, Record<string, unknown>>;
type Edit = (attributes: { readonly driver: Attributes; readonly trip: Attributes; readonly stop: Attributes }) => void;

describe("an app whose content-types change between a stop and a start", () => {
  eachDatabase((database) => {
    const config = lastingConfig(database);
    let running: PlinthApp | undefined;
    let trip: Entry;

    before(async () => {
      trip = await during(() => undefined, writeTrip);
    });
    after(() => running?.stop());

    /** Starts the app with an edited content model, does something with it, and stops it. */
    async function during<T>(edit: Edit, act: (url: string) => Promise<T>): Promise<T> {
      running = createPlinth(edited(await loadFleet(config), edit));
      const url = (await running.start()) ?? "";
      try {
        return await act(url);
      } finally {
        await running.stop();
      }
    }
    const read = (populate: string) => (url: string) =>
      fetchData(url, "GET", `/api/trips/${trip.documentId}?${populate}`);

    it("a dropped attribute refuses the start, says what would be lost, and loses nothing", async () => {
      const start = during(
        ({ driver, trip: attributes, stop }) => {
          delete driver["licence"];
          delete attributes["crew"];
          delete stop["place"];
        },
        async () => undefined,
      );
      const error = await start.then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(isPlinthError(error) && error.code).to.equal("PLINTH_SCHEMA_DESTRUCTIVE");
      for (const lost of ["drivers.licence", "trips", "route.stop.place"]) expect(String(error)).to.include(lost);
      const found = await during(() => undefined, read("populate[crew]=true&populate[lead]=true&populate[stops]=true"));
      expect(found["crew"]).to.have.length(2);
      expect((found["lead"] as Entry)["licence"]).to.equal("L 7");
      expect((found["stops"] as Entry[]).map(({ place }) => place)).to.deep.equal(["harbour", "market"]);
    });

    it("new attributes are added beside the old content", async () => {
      const found = await during(added, read("populate=*"));
      expect(found).to.deep.include({ title: "Around the bay", distance: null, guests: [], end: null });
      expect(found["start"]).to.deep.include({ place: "station", gate: null });
    });

    it("renamed attributes of every kind keep their content in both versions", async () => {
      const rename = (attributes: Attributes, from: string, to: string) => {
        attributes[to] = { ...attributes[from], renamedFrom: from };
        delete attributes[from];
      };
      const edit: Edit = (parts) => {
        const { trip: attributes, stop } = parts;
        added(parts);
        rename(attributes, "title", "headline");
        rename(attributes, "lead", "captain");
        rename(attributes, "crew", "team");
        rename(attributes, "stops", "halts");
        rename(stop, "place", "spot");
        rename(stop, "connection", "change");
      };
      for (const [status, headline] of [
        ["published", "Around the bay"],
        ["draft", "Around the bay, later"],
      ]) {
        const populate = "populate[captain]=true&populate[team]=true&populate[halts][populate]=*&populate[start]=true";
        const found = await during(edit, read(`status=${status}&${populate}`));
        expect(found["headline"]).to.equal(headline);
        expect((found["captain"] as Entry)["name"]).to.equal("Ada");
        expect((found["team"] as Entry[]).map(({ name }) => name)).to.deep.equal(["Ben", "Cleo"]);
        expect((found["halts"] as Entry[]).map(({ spot }) => spot)).to.deep.equal(["harbour", "market"]);
        expect((found["halts"] as Entry[])[0]?.["change"]).to.deep.include({ headline: "Ferry" });
        expect(found["start"]).to.deep.include({ spot: "station" });
      }
    });
  });
});

/** Attributes that are there from the second test on: taking them away again would be a loss. */
const added: Edit = ({ trip, stop }) => {
  trip["distance"] = { type: "integer", default: 5 };
  trip["guests"] = { type: "relation", relation: "manyToMany", target: "api::driver.driver" };
  trip["end"] = { type: "component", component: "route.stop" };
  stop["gate"] = { type: "string" };
};

/** The app with another content model. */
function edited(setup: AppSetup, edit: Edit): AppSetup {
  const contentTypes = structuredClone(setup.app?.contentTypes ?? {});
  const components = structuredClone(setup.app?.components ?? {});
  const of = (parts: Readonly<Record<string, object>>, uid: string) =>
    (parts[uid] as { attributes: Attributes }).attributes;
  edit({
    driver: of(contentTypes, "api::driver.driver"),
    trip: of(contentTypes, "api::trip.trip"),
    stop: of(components, "route.stop"),
  });
  return { ...setup, app: { ...setup.app, contentTypes, components } };
}

/** A published trip with a draft that differs, and links and components of every kind. */
async function writeTrip(url: string): Promise<Entry> {
  const ada = await fetchData(url, "POST", "/api/drivers", { name: "Ada", licence: "L 7" });
  const ben = await fetchData(url, "POST", "/api/drivers", { name: "Ben" });
  const cleo = await fetchData(url, "POST", "/api/drivers", { name: "Cleo" });
  const ferry = await fetchData(url, "POST", "/api/trips", { title: "Ferry" });
  const trip = await fetchData(url, "POST", "/api/trips", {
    title: "Around the bay",
    lead: ada.documentId,
    crew: [ben.documentId, cleo.documentId],
    start: { place: "station" },
    stops: [{ place: "harbour", connection: ferry.documentId }, { place: "market" }],
  });
  return fetchData(url, "PUT", `/api/trips/${trip.documentId}?status=draft`, { title: "Around the bay, later" });
}
