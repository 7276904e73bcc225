import { createPlinth, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { eachDatabase } from "../databases.js";
import { type Entry, fetchData, loadFleet, send } from "./fleet.js";

const HUNDRED = Array.from({ length: 100 }, (_, index) => index);
const ALL = "pagination[pageSize]=100";

describe("a hundred writes at once", () => {
  eachDatabase((database) => {
    let plinth: PlinthApp;
    let url: string;
    before(async () => {
      plinth = createPlinth(await loadFleet(database.config()));
      url = (await plinth.start()) ?? "";
    });
    after(() => plinth.stop());

    const create = (type: string, data: (index: number) => object) =>
      Promise.all(HUNDRED.map((index) => fetchData(url, "POST", `/api/${type}`, data(index))));
    const licensed = (licence: string) =>
      fetchData<Entry[]>(url, "GET", `/api/drivers?filters[licence]=${licence}&${ALL}`);

    it("creates with the same unique value over REST leave one", async () => {
      const answers = await Promise.all(
        HUNDRED.map((index) => send(url, "POST", "/api/drivers", { name: `D${index}`, licence: "L1" })),
      );
      expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
      const refused = answers.filter(({ status }) => status === 400);
      expect(refused).to.have.length(99);
      expect(new Set(refused.map(({ body }) => body.error?.message))).to.deep.equal(
        new Set(["This attribute must be unique"]),
      );
      expect(await licensed("L1")).to.have.length(1);
    });

    it("creates with the same unique value by app.documents leave one", async () => {
      const drivers = plinth.app.documents("api::driver.driver");
      const results = await Promise.allSettled(
        HUNDRED.map((index) => drivers.create({ data: { name: `D${index}`, licence: "L2" } })),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).to.have.length(1);
      expect(await licensed("L2")).to.have.length(1);
    });

    it("updates to the same unique value leave one", async () => {
      const drivers = await create("drivers", (index) => ({ name: `U${index}` }));
      const answers = await Promise.all(
        drivers.map(({ documentId }) => send(url, "PUT", `/api/drivers/${documentId}`, { licence: "L3" })),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(await licensed("L3")).to.have.length(1);
    });

    it("sets of a one-to-one from its owning side leave one holder", async () => {
      const car = await fetchData(url, "POST", "/api/cars", { plate: "wanted" });
      const drivers = await create("drivers", (index) => ({ name: `O${index}` }));
      const answers = await Promise.all(
        drivers.map(({ documentId }) => send(url, "PUT", `/api/drivers/${documentId}`, { car: car.documentId })),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(HUNDRED.map(() => 200));
      await expectOneHolder("driver", "car", car);
    });

    it("sets of a one-to-one from its other side leave one holder", async () => {
      const driver = await fetchData(url, "POST", "/api/drivers", { name: "wanted" });
      const cars = await create("cars", (index) => ({ plate: `C${index}` }));
      const answers = await Promise.all(
        cars.map(({ documentId }) => send(url, "PUT", `/api/cars/${documentId}`, { driver: driver.documentId })),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(HUNDRED.map(() => 200));
      await expectOneHolder("car", "driver", driver);
    });

    it("sets from both sides, in pairs that overlap, leave no document with two partners", async () => {
      const drivers = (await create("drivers", (index) => ({ name: `B${index}` }))).slice(0, 10);
      const cars = (await create("cars", (index) => ({ plate: `B${index}` }))).slice(0, 10);
      const idAt = (list: readonly Entry[], index: number) => (list[index % 10] as Entry).documentId;
      const answers = await Promise.all(
        HUNDRED.map((index) =>
          index % 2 === 0
            ? send(url, "PUT", `/api/drivers/${idAt(drivers, index)}`, { car: idAt(cars, index * 7 + 3) })
            : send(url, "PUT", `/api/cars/${idAt(cars, index * 3)}`, { driver: idAt(drivers, index * 7 + 1) }),
        ),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(HUNDRED.map(() => 200));
      const held = (await holders("driver", "car")).filter(({ name }) => String(name).startsWith("B"));
      const ids = held.map(({ car }) => (car as Entry).documentId);
      expect(ids).to.have.length.greaterThan(0);
      expect(new Set(ids).size).to.equal(ids.length);
      for (const { documentId, car } of held) {
        const seen = await fetchData(url, "GET", `/api/cars/${(car as Entry).documentId}?populate=driver`);
        expect((seen["driver"] as Entry).documentId).to.equal(documentId);
      }
    });

    it("creates that each take the same partner leave one holder", async () => {
      const car = await fetchData(url, "POST", "/api/cars", { plate: "fought for" });
      await create("drivers", (index) => ({ name: `N${index}`, car: car.documentId }));
      await expectOneHolder("driver", "car", car);
    });

    const holders = (type: string, field: string) =>
      fetchData<Entry[]>(
        url,
        "GET",
        `/api/${type}s?populate=${field}&filters[${field}][documentId][$notNull]=true&${ALL}`,
      );

    async function expectOneHolder(type: "car" | "driver", field: "car" | "driver", partner: Entry): Promise<void> {
      const held = await holders(type, field);
      const own = held.filter((entry) => (entry[field] as Entry).documentId === partner.documentId);
      expect(own).to.have.length(1);
      const seen = await fetchData(url, "GET", `/api/${field}s/${partner.documentId}?populate=${type}`);
      expect((seen[type] as Entry).documentId).to.equal(own[0]?.documentId);
    }
  });
});
