import type { App } from "@plinth/core";
import { expect } from "chai";
import { EndpointFaults } from "#plugins/webhooks/src/endpoints/endpoint-faults.js";
import type { KnownEndpoint } from "#plugins/webhooks/src/endpoints/known-endpoint.js";
import type { LiveEndpoints } from "#plugins/webhooks/src/endpoints/live-endpoints.js";

const endpoint = { id: "a" } as KnownEndpoint;

describe("how endpoints of webhooks are", () => {
  /** Statements that wait for their answers. */
  let asked: { readonly verb: string; answer(rows: readonly object[]): void; fail(error: Error): void }[];
  let faults: EndpointFaults;
  beforeEach(() => {
    asked = [];
    const query = ({ text }: { readonly text: string }) =>
      new Promise((answer, fail) => asked.push({ verb: String(text.split(" ")[0]), answer, fail }));
    faults = new EndpointFaults({ db: { query } } as unknown as App, {} as LiveEndpoints);
  });
  const succeed = async () => {
    const noted = faults.succeeded(endpoint);
    asked.at(-1)?.answer([]);
    await noted;
  };

  it("is written with the first success, and not with each", async () => {
    await succeed();
    await succeed();
    expect(asked.map(({ verb }) => verb)).to.deep.equal(["update"]);
  });

  it("is written again after a failure that was noted at the same time, whichever came first", async () => {
    for (const order of ["success first", "failure first"]) {
      faults.forget();
      asked = [];
      const notes = () => [() => faults.succeeded(endpoint), () => faults.failed(endpoint, { isGone: false })];
      const begun = order === "success first" ? notes() : notes().reverse();
      const noted = begun.map((note) => note());
      for (const { answer } of [...asked].reverse()) {
        answer([]);
        await Promise.resolve();
      }
      await Promise.all(noted);
      await succeed();
      expect(asked.map(({ verb }) => verb).sort(), order).to.deep.equal(["update", "update", "with"]);
    }
  });

  it("is written again when that failed, and when another process may have sent meanwhile", async () => {
    const noted = faults.succeeded(endpoint);
    asked[0]?.fail(new Error("gone"));
    expect(await noted.catch(({ message }) => message)).to.equal("gone");
    await succeed();
    faults.forget();
    await succeed();
    expect(asked).to.have.length(3);
  });
});
