import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { fingerprint } from "../plugins/content-api/hostile-requests.js";
import { type Answered, OWNER, type Sent, serveBastion } from "./bastion/bastion-app.js";

const isRefused = ({ status, body }: Answered) => status === 403 || body.errors?.[0]?.extensions?.code === "FORBIDDEN";

/** Publishing of pages is granted by its name to somebody, that of topics to nobody. */
eitherDatabase(import.meta.url, (database) => {
  describe("A permission to publish that is granted by its name", () => {
    const served = serveBastion(database);
    const draft = async (data: object) => {
      const sent = { method: "POST", path: "/api/pages?status=draft", body: { data } };
      return (await served().ask(OWNER, sent)).body.data.documentId as string;
    };

    it("is asked by every write that publishes, and by none that does not", async () => {
      const { made, ask, plinth } = served();
      const page = await draft({ title: "Edited" });
      const linked = made["pages"]?.linked.documentId;
      const section = `/api/sections/${made["sections"]?.free.documentId}`;
      const create = 'mutation { createPage(data: { title: "x" }) { documentId } }';
      const update = `mutation { updatePage(documentId: "${linked}", data: {}) { documentId } }`;
      const refused: readonly Sent[] = [
        { method: "POST", path: "/api/pages", body: { data: { title: "x" } } },
        { method: "POST", path: "/api/pages?locale=fr", body: { data: { title: "x" } } },
        ...["", "?status=published", "?locale=fr", "?populate=*"].flatMap((query) =>
          [page, linked].map((id) => ({ method: "PUT", path: `/api/pages/${id}${query}`, body: { data: {} } })),
        ),
        { method: "POST", path: `/api/pages/${page}/actions/publish` },
        { method: "POST", path: "/api/pages/actions/publish", body: { data: { documentIds: [page] } } },
        { method: "PUT", path: section, body: { data: { pages: [linked] } } },
        ...[create, update].map((query) => ({ method: "POST", path: "/graphql", body: { query } })),
      ];
      const before = await fingerprint(plinth);
      for (const sent of refused) {
        const answer = await ask("edits-pages", sent);
        expect(isRefused(answer), JSON.stringify([sent, answer])).to.equal(true);
      }
      expect(await fingerprint(plinth)).to.deep.equal(before);
      const allowed: readonly Sent[] = [
        { method: "POST", path: "/api/pages?status=draft", body: { data: { title: "x" } } },
        { method: "PUT", path: `/api/pages/${linked}?status=draft`, body: { data: { title: "y" } } },
        { method: "POST", path: "/api/topics", body: { data: { name: "published" } } },
      ];
      for (const sent of allowed) {
        const answer = await ask("edits-pages", sent);
        expect(answer.status, JSON.stringify([sent, answer])).to.be.below(300);
      }
    });

    it("reaches the rows of its rule, before and after", async () => {
      const { ask } = served();
      const [own, others] = [await draft({ title: "Mine" }), await draft({ title: "Theirs" })];
      const put = async (id: string, data: object) =>
        (await ask("publishes-own", { method: "PUT", path: `/api/pages/${id}`, body: { data } })).status;
      expect(await put(own, {})).to.equal(200);
      expect(await put(own, { title: "Theirs" })).to.equal(403);
      expect(await put(others, {})).to.equal(403);
      const act = async (id: string) =>
        (await ask("publishes-own", { method: "POST", path: `/api/pages/${id}/actions/publish` })).status;
      expect([await act(own), await act(others)]).to.deep.equal([200, 404]);
    });
  });

  describe("Publishing what others link to", () => {
    const served = serveBastion(database);

    it("leaves links alone that are kept by documents which one may not change", async () => {
      const { ask, made, plinth } = served();
      const topic = made["topics"]?.free.documentId;
      const path = `/api/pages/${made["pages"]?.free.documentId}?status=draft`;
      const data = { topic, themes: [topic] };
      expect((await ask(OWNER, { method: "PUT", path, body: { data } })).status).to.equal(200);
      const rowsOf = async (table: string) =>
        await plinth.app.db.query({ text: `select t::text as row from ${table} t order by 1`, values: [] });
      const before = [await rowsOf("pages"), await rowsOf("pages_links")];
      for (const action of ["publish", "discard-draft", "unpublish", "publish"]) {
        const sent = { method: "POST", path: `/api/topics/${topic}/actions/${action}` };
        const { status, body } = await ask("has-no-update", sent);
        expect(status, JSON.stringify(body)).to.equal(200);
        expect([await rowsOf("pages"), await rowsOf("pages_links")], action).to.deep.equal(before);
      }
    });

    it("is refused where a one-to-one would be taken from another document", async () => {
      const { ask, made, plinth } = served();
      const topic = made["topics"]?.linked.documentId;
      const path = `/api/pages/${made["pages"]?.free.documentId}?status=draft`;
      expect((await ask(OWNER, { method: "PUT", path, body: { data: { chair: topic } } })).status).to.equal(200);
      const before = await fingerprint(plinth);
      for (const action of ["publish", "discard-draft"]) {
        const sent = { method: "POST", path: `/api/topics/${topic}/actions/${action}` };
        expect((await ask("has-no-update", sent)).status).to.equal(403);
      }
      expect(await fingerprint(plinth)).to.deep.equal(before);
    });
  });
});
