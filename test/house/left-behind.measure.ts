import { expect } from "chai";
import { startChild } from "../bench/child.mjs";
import { eachDatabase } from "../databases.js";

const TOKEN = "the-token-of-the-test";
const REQUESTS = 1000;
const ROUNDS = 10;

/** Bytes that one request may leave among the old objects. The text of an answer or the values of a write are more. */
const AT_MOST = 1000;

interface OldObjects {
  readonly fullCollections: number;
  readonly bytes: number;
}

eachDatabase((database) => {
  const config = database.config();
  if (config.client !== "postgres") return;
  describe("What a request made", () => {
    let server: ReturnType<typeof startChild>;
    let url: string;
    let documentId: string;

    before("start the built server in a process of its own", async () => {
      server = startChild(new URL("../bench/our-server.mjs", import.meta.url));
      url = (await server.ask("start", { database: config.connection, pool: 4, token: TOKEN })) as string;
      ({ documentId } = (await send("POST", "/api/articles", article(-1))).data);
    });
    after("stop it", () => server.stop());

    const send = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      expect(answer.status, await answer.clone().text()).to.be.below(300);
      return (await answer.json()) as { data: { documentId: string } };
    };

    /**
     * The least of some rounds, as soon as it is little enough. In the first ones the code is still being optimized, and
     * one with a full collection says nothing.
     */
    const leftBy = async (request: (turn: number) => Promise<unknown>): Promise<number> => {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < ROUNDS && least > AT_MOST; round += 1) {
        const before = (await server.ask("oldObjects")) as OldObjects;
        for (let i = 0; i < REQUESTS; i += 1) await request(round * REQUESTS + i);
        const after = (await server.ask("oldObjects")) as OldObjects;
        if (after.fullCollections === before.fullCollections)
          least = Math.min(least, (after.bytes - before.bytes) / REQUESTS);
      }
      return least;
    };
    const article = (turn: number) => ({
      data: { title: `Left behind ${turn}`, slug: `left-behind-${turn + 1}`, body: "word ".repeat(600) },
    });

    it("is gone with the next small collection after a write: nothing old leads to it", async () => {
      const left = await leftBy((turn) => send("POST", "/api/articles", article(turn)));
      expect(left).to.be.below(AT_MOST);
    });

    it("is gone with the next small collection after a read", async () => {
      const left = await leftBy(() => send("GET", `/api/articles/${documentId}?populate=author`));
      expect(left).to.be.below(AT_MOST);
    });
  });
});
